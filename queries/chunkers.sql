-- How each system's chunks suit labelled passages: their number and size, what a perfect search could reach, what was found.
-- param: run null id, label or name of the run; null is the newest
-- param: k null cut-off; null is the run's primary k
WITH chosen AS (
  SELECT run_id, dataset_id, coalesce(:k, primary_k) + 0 AS k
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
used AS MATERIALIZED (
  SELECT s.system_id, min(h.index_id) AS index_id
  FROM chosen AS c
  JOIN systems AS s ON s.run_id = c.run_id
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN hits AS t ON t.answer_id = a.answer_id AND t.leg = 'final' AND t.rank = 1
  JOIN chunks AS h ON h.chunk_id = t.chunk_id
  GROUP BY s.system_id
),
sizes AS MATERIALIZED (
  SELECT index_id, count(*) AS chunks, avg(token_count) AS tokens
  FROM chunks
  WHERE index_id IN (SELECT index_id FROM used)
  GROUP BY index_id
),
-- A perfect search returns the chunks that hold any of the passages, and no other.
wanted AS MATERIALIZED (
  SELECT e.question_id, d.document_id, e.start_char, e.end_char
  FROM chosen AS c
  JOIN questions AS q ON q.dataset_id = c.dataset_id
  JOIN evidence AS e ON e.question_id = q.question_id
  JOIN dataset_documents AS m ON m.dataset_id = c.dataset_id
  JOIN documents AS d ON d.document_id = m.document_id AND d.doc_id = e.doc_id
  WHERE e.start_char >= 0
),
holding AS MATERIALIZED (
  SELECT h.index_id,
         w.question_id,
         h.chunk_id,
         h.end_char - h.start_char AS chars,
         sum(min(h.end_char, w.end_char) - max(h.start_char, w.start_char)) AS held
  FROM wanted AS w
  JOIN chunks AS h ON h.document_id = w.document_id
                  AND h.index_id IN (SELECT index_id FROM used)
                  AND h.start_char < w.end_char
                  AND h.end_char > w.start_char
  GROUP BY h.index_id, w.question_id, h.chunk_id
),
best AS MATERIALIZED (
  SELECT index_id, avg(purity) AS purity, avg(chunks) AS chunks
  FROM (
    SELECT index_id, question_id, min(1.0, 1.0 * sum(held) / sum(chars)) AS purity, count(*) AS chunks
    FROM holding
    GROUP BY index_id, question_id
  )
  GROUP BY index_id
),
means AS MATERIALIZED (
  SELECT a.system_id,
         avg(p.value) FILTER (WHERE p.metric = 'span_recall@' || c.k) AS recall,
         avg(p.value) FILTER (WHERE p.metric = 'span_precision@' || c.k) AS precision,
         avg(p.value) FILTER (WHERE p.metric = 'span_iou@' || c.k) AS iou
  FROM chosen AS c
  JOIN systems AS s ON s.run_id = c.run_id
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN scores AS p ON p.answer_id = a.answer_id
  GROUP BY a.system_id
)
SELECT s.name AS system,
       x.recipe ->> 'chunker' AS chunker,
       x.recipe ->> 'chunk_size' AS size,
       x.recipe ->> 'chunk_overlap' AS overlap,
       z.chunks,
       round(z.tokens, 1) AS tokens,
       c.k,
       round(m.recall, 4) AS recall,
       round(m.precision, 4) AS precision,
       round(m.iou, 4) AS iou,
       round(b.purity, 4) AS best_precision,
       round(b.chunks, 2) AS best_chunks
FROM chosen AS c
JOIN systems AS s ON s.run_id = c.run_id
JOIN used AS u ON u.system_id = s.system_id
JOIN indexes AS x ON x.index_id = u.index_id
JOIN sizes AS z ON z.index_id = u.index_id
LEFT JOIN best AS b ON b.index_id = u.index_id
LEFT JOIN means AS m ON m.system_id = s.system_id
ORDER BY s.position, s.system_id;
