-- Parent documents: small children are searched, and the large parents they were cut from are what is retrieved.

-- name: retrieve :many
-- The parents of the :children nearest children (final), and those children. A parent scores the largest, the sum or the
-- mean of the scores of its children among them; ties go to the parent of the better child.
WITH
child AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM vector_search(:vectors, :query_vector, :children)
),
rolled AS (
  SELECT c.parent_id AS chunk_id,
         CASE :aggregation
           WHEN 'max' THEN max(s.score)
           WHEN 'sum' THEN sum(s.score ORDER BY s.rank)
           WHEN 'mean' THEN avg(s.score ORDER BY s.rank)
         END AS score,
         min(s.rank) AS best,
         json_group_array(c.key ORDER BY s.rank) AS matched
  FROM child AS s
  CROSS JOIN chunks AS c ON c.chunk_id = s.chunk_id
  GROUP BY c.parent_id
),
ranked AS (
  SELECT chunk_id, score, matched, row_number() OVER (ORDER BY score DESC, best, chunk_id) AS rank
  FROM rolled
)
SELECT 'final' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms, json_object('matched_children', CAST(matched AS TEXT)) AS metadata
FROM ranked
WHERE rank <= :parents
UNION ALL
SELECT 'child_vector', rank, chunk_id, score, elapsed_ms, NULL
FROM child
ORDER BY leg, rank, chunk_id;

-- name: parent_texts :many
-- The parents of an index, to cut children from, in the order of their documents.
SELECT c.chunk_id, c.key, c.document_id, d.doc_id, c.start_char, c.end_char, c.text, c.token_count
FROM chunks AS c
JOIN documents AS d ON d.document_id = c.document_id
WHERE c.index_id = :index
ORDER BY c.chunk_id;
