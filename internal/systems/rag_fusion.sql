-- RAG-Fusion: every wording of the question is searched, the rankings of each are fused to one list a wording, and those
-- lists are fused again, all by reciprocal rank.

-- name: retrieve :many
-- The wordings are in :queries as JSON [{"n", "text", "vector"}], vectors in hexadecimal. :lexical 0 searches vectors
-- alone. Returned are the final list, one list a wording (variant) and every search behind those. Ties go to the chunk
-- seen first: by wording, then lexical list before vector list, then by rank.
WITH
queries AS MATERIALIZED (
  SELECT value ->> 'n' AS n, value ->> 'text' AS text, unhex(value ->> 'vector') AS vector
  FROM json_each(:queries)
),
words AS MATERIALIZED (
  SELECT n, text
  FROM queries
  WHERE :lexical > 0
),
searches AS MATERIALIZED (
  SELECT w.n, 'bm25' AS search, 1 AS list, s.chunk_id, s.rank, s.score, s.elapsed_ms, :bm25_weight AS weight
  FROM words AS w, bm25_search(:lexical, w.text, max(:bm25_top_k, :depth)) AS s
  UNION ALL
  SELECT q.n, 'vector', 2, s.chunk_id, s.rank, s.score, s.elapsed_ms, :vector_weight
  FROM queries AS q, vector_search(:vectors, q.vector, max(:vector_top_k, :depth)) AS s
),
variants AS MATERIALIZED (
  SELECT n, chunk_id, score, rank
  FROM (
    SELECT n, chunk_id, sum(weight / (:rrf_k + rank)) AS score,
           row_number() OVER (PARTITION BY n ORDER BY sum(weight / (:rrf_k + rank)) DESC, min(list * 1000000 + rank), chunk_id) AS rank
    FROM (SELECT n, list, chunk_id, rank, weight FROM searches ORDER BY n, list, rank)
    GROUP BY n, chunk_id
  )
  WHERE rank <= max(:bm25_top_k, :vector_top_k, :depth)
),
fused AS (
  SELECT chunk_id, sum(1.0 / (:rrf_k + rank)) AS score,
         row_number() OVER (ORDER BY sum(1.0 / (:rrf_k + rank)) DESC, min(n * 1000000 + rank), chunk_id) AS rank
  FROM (SELECT n, chunk_id, rank FROM variants ORDER BY n, rank)
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :depth
UNION ALL
SELECT 'variant' || iif(n = 0, '', '#' || n), rank, chunk_id, score, 0.0
FROM variants
UNION ALL
SELECT search || iif(n = 0, '', '#' || n), rank, chunk_id, score, elapsed_ms
FROM searches
ORDER BY leg, rank, chunk_id;
