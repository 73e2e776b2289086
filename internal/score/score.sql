-- Retrieval metrics, from leg final of hits and qrels to scores. The view retrieval_metrics says the same thing one
-- answer at a time; this is the form for a whole run, and a test holds the two equal.

-- name: run_exists :one
SELECT count(*)
FROM runs
WHERE run_id = :run_id;

-- name: count_pending :one
-- Answers of the run without retrieval metrics. num_retrieved stands for all of them: one statement writes the lot.
SELECT count(*)
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
WHERE s.run_id = :run_id
  AND NOT EXISTS (
    SELECT 1
    FROM scores AS c
    WHERE c.answer_id = a.answer_id
      AND c.metric = 'num_retrieved'
  );

-- name: clear :exec
-- Take out the retrieval metrics of the run, whatever their cut-off. names: a JSON array of metrics without cut-off.
DELETE FROM scores
WHERE answer_id IN (
    SELECT a.answer_id
    FROM systems AS s
    JOIN answers AS a ON a.system_id = s.system_id
    WHERE s.run_id = :run_id
  )
  AND substr(metric, 1, instr(metric || '@', '@') - 1) IN (SELECT value FROM json_each(:names));

-- name: fill :exec
-- Every retrieval metric of the pending answers of the run, at each k of runs.k_values and over the whole ranking.
WITH
-- The answers to score. blank says why a value is missing rather than 0.
cells AS MATERIALIZED (
  SELECT a.answer_id,
         a.question_id,
         CASE
           WHEN a.status = 'error' THEN 'error'
           WHEN a.ranked = 0 THEN 'nothing retrieved'
         END AS blank,
         CASE
           WHEN q.answerable = 1
            AND q.labelled = 0
            AND NOT EXISTS (SELECT 1 FROM qrels AS r WHERE r.question_id = a.question_id) THEN 'no labels'
         END AS blank_labels
  FROM systems AS s
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN questions AS q ON q.question_id = a.question_id
  WHERE s.run_id = :run_id
    AND NOT EXISTS (
      SELECT 1
      FROM scores AS c
      WHERE c.answer_id = a.answer_id
        AND c.metric = 'num_retrieved'
    )
),
-- The cut-offs, and one beyond every ranking for the metrics that have none.
cutoffs (k, suffix) AS MATERIALIZED (
  SELECT DISTINCT j.value, '@' || j.value
  FROM runs AS r, json_each(r.k_values) AS j
  WHERE r.run_id = :run_id
  UNION ALL
  SELECT 9223372036854775807, ''
),
-- The judged documents of each question in the best possible order. A grade below 0 gains nothing.
ideal_order AS MATERIALIZED (
  SELECT question_id,
         grade,
         row_number() OVER (PARTITION BY question_id ORDER BY grade DESC, doc_id) AS position
  FROM qrels
  WHERE question_id IN (SELECT question_id FROM cells)
    AND grade > 0
),
-- What each question offers at each cut-off.
offers AS MATERIALIZED (
  SELECT q.question_id,
         t.k,
         t.suffix,
         (SELECT count(*) FROM qrels AS r WHERE r.question_id = q.question_id AND r.relevant = 1) AS num_relevant,
         sum(i.grade / log2(i.position + 1)) AS ideal,
         sum((pow(2, i.grade) - 1) / log2(i.position + 1)) AS ideal_exp
  FROM (SELECT DISTINCT question_id FROM cells) AS q
  CROSS JOIN cutoffs AS t
  LEFT JOIN ideal_order AS i ON i.question_id = q.question_id AND i.position <= t.k
  GROUP BY q.question_id, t.suffix
),
-- The labelled documents that each answer's ranking holds, at the first place of each.
found AS MATERIALIZED (
  SELECT c.answer_id,
         h.doc_rank,
         r.relevant,
         max(r.grade, 0) AS grade,
         sum(r.relevant) OVER (PARTITION BY c.answer_id ORDER BY h.doc_rank) AS num_found
  FROM cells AS c
  CROSS JOIN hits AS h ON h.answer_id = c.answer_id AND h.leg = 'final'
  CROSS JOIN qrels AS r ON r.question_id = c.question_id AND r.doc_id = h.doc_id
  WHERE h.doc_rank IS NOT NULL
    AND (r.relevant = 1 OR r.grade > 0)
),
-- One row a cell and cut-off.
cuts AS (
  SELECT c.answer_id,
         coalesce(c.blank, c.blank_labels) AS blank,
         c.blank AS blank_list,
         o.k,
         o.suffix,
         o.num_relevant,
         coalesce(o.ideal, 0) AS ideal,
         coalesce(o.ideal_exp, 0) AS ideal_exp,
         coalesce(sum(f.relevant), 0) AS num_found,
         coalesce(sum(f.relevant = 1 AND f.doc_rank <= o.num_relevant), 0) AS num_found_r,
         min(CASE WHEN f.relevant = 1 THEN f.doc_rank END) AS first_rank,
         coalesce(sum(f.grade / log2(f.doc_rank + 1)), 0) AS gain,
         coalesce(sum((pow(2, f.grade) - 1) / log2(f.doc_rank + 1)), 0) AS gain_exp,
         coalesce(sum(f.relevant * f.num_found * 1.0 / f.doc_rank), 0) AS precisions
  FROM cells AS c
  JOIN offers AS o ON o.question_id = c.question_id
  LEFT JOIN found AS f ON f.answer_id = c.answer_id AND f.doc_rank <= o.k
  GROUP BY c.answer_id, o.suffix
),
metrics (name, cut, whole) AS (
  VALUES ('recall', 1, 0),
         ('precision', 1, 0),
         ('hit', 1, 0),
         ('mrr', 1, 1),
         ('ndcg', 1, 1),
         ('ndcg_exp', 1, 1),
         ('map', 1, 1),
         ('rprec', 0, 1),
         ('num_retrieved', 0, 1),
         ('num_relevant', 0, 1)
),
measured AS (
  SELECT t.answer_id,
         m.name || t.suffix AS metric,
         CASE WHEN m.name = 'num_retrieved' THEN t.blank_list ELSE t.blank END AS blank,
         CASE m.name
           WHEN 'recall' THEN coalesce(t.num_found * 1.0 / nullif(t.num_relevant, 0), 0)
           WHEN 'precision' THEN t.num_found * 1.0 / t.k
           WHEN 'hit' THEN t.num_found > 0
           WHEN 'mrr' THEN coalesce(1.0 / t.first_rank, 0)
           WHEN 'ndcg' THEN coalesce(t.gain / nullif(t.ideal, 0), 0)
           WHEN 'ndcg_exp' THEN coalesce(t.gain_exp / nullif(t.ideal_exp, 0), 0)
           WHEN 'map' THEN coalesce(t.precisions / nullif(t.num_relevant, 0), 0)
           WHEN 'rprec' THEN coalesce(t.num_found_r * 1.0 / nullif(t.num_relevant, 0), 0)
           WHEN 'num_retrieved' THEN (
             SELECT count(h.doc_rank)
             FROM hits AS h
             WHERE h.answer_id = t.answer_id
               AND h.leg = 'final'
           )
           WHEN 'num_relevant' THEN t.num_relevant
         END AS value
  FROM cuts AS t
  CROSS JOIN metrics AS m ON (t.suffix <> '' AND m.cut) OR (t.suffix = '' AND m.whole)
)
INSERT INTO scores (answer_id, metric, value, reason)
SELECT answer_id,
       metric,
       CASE WHEN blank IS NULL THEN value END,
       blank
FROM measured;
