-- Span metrics, from the offsets of leg final of hits and from evidence to scores: how much of the passages that answer
-- a question was retrieved, and how much else.

-- name: fill_spans :exec
-- The span metrics of every answer of the run whose question has evidence with offsets, at each k of runs.k_values.
INSERT INTO scores (answer_id, metric, value, reason)
WITH
-- The labelled passages of each question, cut so that none overlaps another: a passage begins where those before it end.
labelled AS MATERIALIZED (
  SELECT e.question_id,
         e.doc_id,
         e.end_char AS until,
         max(e.start_char, coalesce(max(e.end_char) OVER (
           PARTITION BY e.question_id, e.doc_id
           ORDER BY e.start_char, e.end_char, e.position
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ), 0)) AS begins
  FROM runs AS r
  JOIN questions AS q ON q.dataset_id = r.dataset_id
  JOIN evidence AS e ON e.question_id = q.question_id
  WHERE r.run_id = :run_id
    AND e.start_char >= 0
    AND e.end_char > e.start_char
),
passages AS MATERIALIZED (
  SELECT question_id, doc_id, begins, until
  FROM labelled
  WHERE until > begins
),
wanted AS MATERIALIZED (
  SELECT question_id, sum(until - begins) AS chars
  FROM passages
  GROUP BY question_id
),
cells AS MATERIALIZED (
  SELECT a.answer_id,
         a.question_id,
         w.chars,
         CASE
           WHEN a.status = 'error' THEN 'error'
           WHEN a.ranked = 0 THEN 'nothing retrieved'
         END AS blank
  FROM systems AS s
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN wanted AS w ON w.question_id = a.question_id
  WHERE s.run_id = :run_id
),
cutoffs AS MATERIALIZED (
  SELECT DISTINCT CAST(j.value AS INTEGER) AS k
  FROM runs AS r, json_each(r.k_values) AS j
  WHERE r.run_id = :run_id
),
-- What each answer retrieved at each cut-off. A hit without offsets, such as a summary, is text that holds no passage.
retrieved AS MATERIALIZED (
  SELECT c.answer_id,
         c.question_id,
         t.k,
         h.doc_id,
         h.rank,
         ch.start_char,
         ch.end_char,
         coalesce(ch.end_char - ch.start_char, length(ch.text), 0) AS chars
  FROM cells AS c
  JOIN cutoffs AS t
  JOIN hits AS h ON h.answer_id = c.answer_id AND h.leg = 'final' AND h.rank <= t.k
  LEFT JOIN chunks AS ch ON ch.chunk_id = h.chunk_id
  WHERE c.blank IS NULL
),
spread AS MATERIALIZED (
  SELECT answer_id, k, sum(chars) AS chars
  FROM retrieved
  GROUP BY answer_id, k
),
-- The same text retrieved twice counts once as found.
apart AS MATERIALIZED (
  SELECT answer_id,
         question_id,
         k,
         doc_id,
         end_char AS until,
         max(start_char, coalesce(max(end_char) OVER (
           PARTITION BY answer_id, k, doc_id
           ORDER BY start_char, end_char, rank
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ), 0)) AS begins
  FROM retrieved
  WHERE start_char IS NOT NULL
),
found AS MATERIALIZED (
  SELECT r.answer_id, r.k, sum(min(r.until, p.until) - max(r.begins, p.begins)) AS chars
  FROM apart AS r
  JOIN passages AS p ON p.question_id = r.question_id
                    AND p.doc_id = r.doc_id
                    AND p.begins < r.until
                    AND p.until > r.begins
  WHERE r.until > r.begins
  GROUP BY r.answer_id, r.k
),
counted AS MATERIALIZED (
  SELECT c.answer_id,
         c.blank,
         t.k,
         c.chars AS wanted,
         coalesce(s.chars, 0) AS retrieved,
         coalesce(f.chars, 0) AS found
  FROM cells AS c
  JOIN cutoffs AS t
  LEFT JOIN spread AS s ON s.answer_id = c.answer_id AND s.k = t.k
  LEFT JOIN found AS f ON f.answer_id = c.answer_id AND f.k = t.k
)
SELECT answer_id, 'span_recall@' || k, CASE WHEN blank IS NULL THEN 1.0 * found / wanted END, blank
FROM counted
UNION ALL
SELECT answer_id, 'span_precision@' || k, CASE WHEN blank IS NULL THEN coalesce(1.0 * found / nullif(retrieved, 0), 0.0) END, blank
FROM counted
UNION ALL
SELECT answer_id, 'span_iou@' || k, CASE WHEN blank IS NULL THEN 1.0 * found / (retrieved + wanted - found) END, blank
FROM counted
WHERE true -- tells the parser that ON CONFLICT is no join
ON CONFLICT (answer_id, metric) DO UPDATE
SET value = excluded.value,
    reason = excluded.reason;
