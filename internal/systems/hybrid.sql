-- Hybrid: BM25 and vector search, fused by weighted reciprocal rank (RRF, Cormack, Clarke and Büttcher 2009): a chunk
-- scores the sum over the lists that hold it of weight / (k + rank).

-- name: retrieve :many
-- The fused list and the two it was made from. Ties go to the chunk seen first: lexical list before vector list, then by rank.
WITH
bm25 AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM bm25_search(:lexical, :question, max(:bm25_top_k, :depth))
),
vector AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM vector_search(:vectors, :query_vector, max(:vector_top_k, :depth))
),
votes AS (
  SELECT chunk_id, :bm25_weight / (:rrf_k + rank) AS vote, 1 AS list, rank
  FROM bm25
  UNION ALL
  SELECT chunk_id, :vector_weight / (:rrf_k + rank) AS vote, 2 AS list, rank
  FROM vector
),
fused AS (
  SELECT chunk_id, sum(vote) AS score, row_number() OVER (ORDER BY sum(vote) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM votes
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :depth
UNION ALL
SELECT 'bm25', rank, chunk_id, score, elapsed_ms
FROM bm25
UNION ALL
SELECT 'vector', rank, chunk_id, score, elapsed_ms
FROM vector
ORDER BY leg, rank, chunk_id;

-- name: retrieve_variants :many
-- The same for several wordings of the question, in :queries as JSON [{"text", "vector"}], vectors in hexadecimal: every
-- list of every wording votes.
WITH
queries AS MATERIALIZED (
  SELECT key AS n, value ->> 'text' AS text, unhex(value ->> 'vector') AS vector
  FROM json_each(:queries)
),
lists AS MATERIALIZED (
  SELECT 2 * q.n AS list, 'bm25' || iif(q.n = 0, '', '#' || q.n) AS leg, s.chunk_id, s.rank, s.score, s.elapsed_ms, :bm25_weight AS weight
  FROM queries AS q, bm25_search(:lexical, q.text, max(:bm25_top_k, :depth)) AS s
  UNION ALL
  SELECT 2 * q.n + 1, 'vector' || iif(q.n = 0, '', '#' || q.n), s.chunk_id, s.rank, s.score, s.elapsed_ms, :vector_weight
  FROM queries AS q, vector_search(:vectors, q.vector, max(:vector_top_k, :depth)) AS s
),
fused AS (
  SELECT chunk_id, sum(weight / (:rrf_k + rank)) AS score, row_number() OVER (ORDER BY sum(weight / (:rrf_k + rank)) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM (SELECT list, rank, chunk_id, weight FROM lists ORDER BY list, rank)
  GROUP BY chunk_id
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :depth
UNION ALL
SELECT leg, rank, chunk_id, score, elapsed_ms
FROM lists
ORDER BY leg, rank, chunk_id;
