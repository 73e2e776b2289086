-- BM25: lexical search over the chunks of one index, scored by the formula of the lexical index.

-- name: retrieve :many
-- The :depth best chunks that share a term with the question, best first, ties by chunk id.
SELECT 'bm25' AS leg, rank, chunk_id, score, elapsed_ms
FROM bm25_search(:lexical, :question, :depth)
ORDER BY rank, chunk_id;
