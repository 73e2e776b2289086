-- Full context: whole documents into the prompt, in BM25's order, then those that share no word with the question by id,
-- until the token budget is full.

-- name: retrieve :many
-- Documents to the depth of the metrics or to the end of the budget, whichever is further. used counts the tokens before
-- a document: it is in the prompt when used < :budget, and cut when used + token_count > :budget.
WITH
matched AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM bm25_search(:lexical, :question, :rows)
),
ordered AS (
  SELECT c.chunk_id, c.token_count, s.score, s.elapsed_ms,
         row_number() OVER (ORDER BY s.rank IS NULL, s.rank, c.chunk_id) AS rank
  FROM chunks AS c
  LEFT JOIN matched AS s ON s.chunk_id = c.chunk_id
  WHERE c.index_id = :index
),
filled AS (
  SELECT rank, chunk_id, token_count, elapsed_ms,
         coalesce(score, min(0.0, min(score) OVER ()), 0.0) AS score,
         sum(token_count) OVER (ORDER BY rank) - token_count AS used
  FROM ordered
)
SELECT 'final' AS leg, rank, chunk_id, score, coalesce(elapsed_ms, 0.0) AS elapsed_ms, token_count, used
FROM filled
WHERE used < :budget
   OR rank <= :depth
ORDER BY rank, chunk_id;
