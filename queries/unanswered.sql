-- The questions of a run that a system did not answer: missing, failed, refused, cut short or empty.
-- param: run null id, label or name of the run; null is the newest
-- param: system null one system; null is all
WITH chosen AS (
  SELECT run_id
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
outcomes AS (
  SELECT question_id, system_id, system, 'missing' AS outcome, NULL AS detail
  FROM missing_cells
  WHERE run_id = (SELECT run_id FROM chosen)
  UNION ALL
  SELECT question_id, system_id, system, kind, detail
  FROM failures
  WHERE run_id = (SELECT run_id FROM chosen)
    AND kind <> 'step_error'
  UNION ALL
  SELECT question_id, system_id, system, 'refused', NULL
  FROM cells
  WHERE run_id = (SELECT run_id FROM chosen)
    AND refused = 1
)
SELECT q.qid,
       q.answerable,
       o.system,
       o.outcome,
       o.detail,
       q.text AS question
FROM outcomes AS o
JOIN questions AS q ON q.question_id = o.question_id
WHERE :system IS NULL OR o.system = :system
ORDER BY q.position, o.system_id, o.outcome, o.detail;
