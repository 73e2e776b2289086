-- HyDE: search with the vector of a hypothetical answer, fused by reciprocal rank with the search of the question itself.

-- name: retrieve :many
-- The fused list and the two it was made from. With :fuse 0 the question does not vote, and the hypothesis ranks alone.
-- Ties go to the chunk seen first: the hypothesis' list before the question's, then by rank.
WITH
hypothesis AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM vector_search(:vectors, :hypothesis_vector, :probe)
),
question AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM vector_search(:vectors, :question_vector, iif(:fuse, :probe, 0))
),
votes AS (
  SELECT chunk_id, 1.0 / (:rrf_k + rank) AS vote, 1 AS list, rank
  FROM hypothesis
  UNION ALL
  SELECT chunk_id, 1.0 / (:rrf_k + rank) AS vote, 2 AS list, rank
  FROM question
),
fused AS (
  SELECT chunk_id, sum(vote) AS score, row_number() OVER (ORDER BY sum(vote) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM votes
  GROUP BY chunk_id
)
SELECT 'final' AS leg, f.rank, f.chunk_id, iif(:fuse, f.score, h.score) AS score, 0.0 AS elapsed_ms
FROM fused AS f
LEFT JOIN hypothesis AS h ON h.chunk_id = f.chunk_id
WHERE f.rank <= :depth
UNION ALL
SELECT 'hypothesis', rank, chunk_id, score, elapsed_ms
FROM hypothesis
UNION ALL
SELECT 'question', rank, chunk_id, score, elapsed_ms
FROM question
ORDER BY leg, rank, chunk_id;
