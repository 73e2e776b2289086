-- Decomposition: each sub-question is searched on its own, and the rankings are fused by reciprocal rank.

-- name: search :many
-- One list a query of :queries, JSON [{"n", "text", "vector"}] with vectors in hexadecimal, and the searches behind it.
-- :lexical 0 searches vectors alone. Ties go to the chunk seen first: lexical list before vector list, then by rank.
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
  FROM words AS w, bm25_search(:lexical, w.text, max(:bm25_top_k, :pool)) AS s
  UNION ALL
  SELECT q.n, 'vector', 2, s.chunk_id, s.rank, s.score, s.elapsed_ms, :vector_weight
  FROM queries AS q, vector_search(:vectors, q.vector, max(:vector_top_k, :pool)) AS s
),
subquestions AS (
  SELECT n, chunk_id, sum(weight / (:rrf_k + rank)) AS score,
         row_number() OVER (PARTITION BY n ORDER BY sum(weight / (:rrf_k + rank)) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM (SELECT n, list, chunk_id, rank, weight FROM searches ORDER BY n, list, rank)
  GROUP BY n, chunk_id
)
SELECT 'subquestion' || iif(n = 0, '', '#' || n) AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM subquestions
WHERE rank <= :pool
UNION ALL
SELECT search || iif(n = 0, '', '#' || n), rank, chunk_id, score, elapsed_ms
FROM searches
ORDER BY leg, rank, chunk_id;

-- name: fuse :many
-- The final list of the lists in :lists, JSON [[chunk, chunk, ...], ...], best first. Ties go to the earlier list, then by
-- rank.
WITH
places AS MATERIALIZED (
  SELECT l.key AS n, p.key + 1 AS rank, p.value AS chunk_id
  FROM json_each(:lists) AS l, json_each(l.value) AS p
),
fused AS (
  SELECT chunk_id, sum(1.0 / (:rrf_k + rank)) AS score,
         row_number() OVER (ORDER BY sum(1.0 / (:rrf_k + rank)) DESC, min(n * 1000000 + rank), chunk_id) AS rank
  FROM (SELECT n, rank, chunk_id FROM places ORDER BY n, rank)
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :depth
ORDER BY rank, chunk_id;
