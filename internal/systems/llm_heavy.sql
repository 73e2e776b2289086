-- LLM-heavy: vector search of several queries that a model wrote, over chunks that a model described, reranked.

-- name: retrieve :many
-- Every query's list and their union, each chunk with its best cosine: all queries search one index, so their scores can be
-- compared. The queries are in :queries as JSON [{"n", "text", "vector"}], vectors in hexadecimal. Ties go by chunk id.
WITH
queries AS MATERIALIZED (
  SELECT value ->> 'n' AS n, unhex(value ->> 'vector') AS vector
  FROM json_each(:queries)
),
searches AS MATERIALIZED (
  SELECT q.n, s.chunk_id, s.rank, s.score, s.elapsed_ms
  FROM queries AS q, vector_search(:vectors, q.vector, :per_query) AS s
),
merged AS (
  SELECT chunk_id, max(score) AS score, row_number() OVER (ORDER BY max(score) DESC, chunk_id) AS rank
  FROM searches
  GROUP BY chunk_id
)
SELECT 'merged' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM merged
UNION ALL
SELECT 'vector' || iif(n = 0, '', '#' || n), rank, chunk_id, score, elapsed_ms
FROM searches
ORDER BY leg, rank, chunk_id;

-- name: set_enrichment :exec
-- Keeps what enriching an index took beside it, so that a system that finds it made is charged the same.
UPDATE indexes
SET metadata = json_set(metadata, '$.enrichment', json(:enrichment))
WHERE index_id = :index;

-- name: enrichment :one
SELECT metadata -> '$.enrichment'
FROM indexes
WHERE index_id = :index;
