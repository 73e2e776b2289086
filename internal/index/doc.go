// Package index builds and searches the lexical and vector indexes of a file.
//
// Everything lives in the file twice over: once for anyone who has a SQLite shell, once for speed, with the same result.
//
//   - Lexical: [BuildLexical] cuts the chunks of an index into terms. It makes the FTS5 table fts_N (N is the analysis id),
//     with its content in the view fts_N_content, and the postings of the very same terms. [Lexical] names a way of
//     scoring them, one of [Formulas].
//   - Vectors: [StoreVectors] keeps one float32 vector a text and embedder, in blocks; the view embeddings shows one a row.
//     [BuildVector] names the chunks of an index in the space of an embedder.
//
// Both kinds are built inside the caller's transaction, so a crash leaves no half of one.
//
// A [Set] answers bm25_search and vector_search in every SQL statement of the process, and can be called from Go. Its
// results are those of brute force in SQL, ids and order: ORDER BY bm25(fts_N), chunk_id for the formula fts5, and ORDER BY
// vec_distance_cosine(vector, query), chunk_id for vectors. The slow statements are the oracle of the tests.
package index
