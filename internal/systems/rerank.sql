-- Rerank: vector search casts a wide net, and a reranker picks the best of it. The reranker reads texts, so it is Go.

-- name: retrieve :many
-- The candidates for the reranker (final) and the searches they come from, one a wording of the question. The wordings
-- are in :queries as JSON [{"n", "text", "vector"}], vectors in hexadecimal. A chunk that several wordings find has its
-- best score; ties go to the chunk seen first, by wording, then by rank.
WITH
queries AS MATERIALIZED (
  SELECT value ->> 'n' AS n, unhex(value ->> 'vector') AS vector
  FROM json_each(:queries)
),
lists AS MATERIALIZED (
  SELECT q.n, s.chunk_id, s.rank, s.score, s.elapsed_ms
  FROM queries AS q, vector_search(:vectors, q.vector, :candidates) AS s
),
merged AS (
  SELECT chunk_id, max(score) AS score, row_number() OVER (ORDER BY max(score) DESC, min(n * 1000000 + rank), chunk_id) AS rank
  FROM lists
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM merged
WHERE rank <= :candidates
UNION ALL
SELECT 'vector' || iif(n = 0, '', '#' || n), rank, chunk_id, score, elapsed_ms
FROM lists
ORDER BY leg, rank, chunk_id;
