-- Dense vector search: cosine similarity of the question's vector to every chunk's, exact.

-- name: retrieve :many
-- The :depth nearest chunks, best first, ties by chunk id.
SELECT 'vector' AS leg, rank, chunk_id, score, elapsed_ms
FROM vector_search(:vectors, :query_vector, :depth)
ORDER BY rank, chunk_id;
