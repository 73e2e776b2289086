// Package sqlext is the part of ragbench that is compiled into SQLite.
//
// [Register] gives every connection opened afterwards sqlite-vec (vec0, vec_distance_cosine, …) and two table-valued
// functions, usable wherever a table is:
//
//	bm25_search(index, query [, k])      index INTEGER, query TEXT,  k INTEGER (10 by default)
//	vector_search(index, vector [, k])   index INTEGER, vector BLOB of float32 little endian, k INTEGER (10 by default)
//
// Both return the columns chunk_id INTEGER, score REAL, rank INTEGER (from 1), best hit first, at most k rows. The
// arguments are hidden columns of the names above: `WHERE "index" = 1 AND query = 'a'` works too. The hits come from the
// [Searcher] that [Attach] has tied to the database file.
//
// Rules of the arguments:
//   - index and k of type INTEGER, query TEXT, vector BLOB: nothing is converted, '20' and 20.0 are errors for k;
//   - index or k NULL is an error, since a misspelt :parameter binds NULL;
//   - query or vector NULL, or k = 0, gives no row;
//   - an argument that depends on a table that can only come later in the join is an error, never a wrong answer.
//
// Writing statements:
//   - put each search in a `WITH name AS MATERIALIZED (SELECT … FROM bm25_search(…))`. Without MATERIALIZED SQLite may scan
//     the function once for each row of the other side. The cursor remembers its last arguments, so this does not
//     search again, but it steps over the hits again;
//   - fuse lists with UNION ALL and GROUP BY. FULL JOIN gives the same rows in quadratic time;
//   - keep no persistent view over the functions: SQLite without this package cannot rename anything beside it.
//
// [Tokenizer] calls FTS5's own tokenizers from Go, so that an index built in Go has the very terms of an FTS5 table.
package sqlext
