-- Hybrid rerank: BM25 and vector search, fused by weighted reciprocal rank as in hybrid, cast a wide net, and a reranker
-- picks the best of it. The reranker reads texts, so it is Go.

-- name: retrieve :many
-- The candidates for the reranker (final) and the lists they are fused from, two a wording of the question. The wordings
-- are in :queries as JSON [{"n", "text", "vector"}], vectors in hexadecimal. Ties go to the chunk seen first: by wording,
-- then lexical list before vector list, then by rank.
WITH
queries AS MATERIALIZED (
  SELECT value ->> 'n' AS n, value ->> 'text' AS text, unhex(value ->> 'vector') AS vector
  FROM json_each(:queries)
),
lists AS MATERIALIZED (
  SELECT 2 * q.n AS list, 'bm25' || iif(q.n = 0, '', '#' || q.n) AS leg, s.chunk_id, s.rank, s.score, s.elapsed_ms, :bm25_weight AS weight
  FROM queries AS q, bm25_search(:lexical, q.text, max(:bm25_top_k, :candidates)) AS s
  UNION ALL
  SELECT 2 * q.n + 1, 'vector' || iif(q.n = 0, '', '#' || q.n), s.chunk_id, s.rank, s.score, s.elapsed_ms, :vector_weight
  FROM queries AS q, vector_search(:vectors, q.vector, max(:vector_top_k, :candidates)) AS s
),
fused AS (
  SELECT chunk_id, sum(weight / (:rrf_k + rank)) AS score, row_number() OVER (ORDER BY sum(weight / (:rrf_k + rank)) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM (SELECT list, rank, chunk_id, weight FROM lists ORDER BY list, rank)
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :candidates
UNION ALL
SELECT leg, rank, chunk_id, score, elapsed_ms
FROM lists
ORDER BY leg, rank, chunk_id;
