-- What a reader of a run should know: counts of what went wrong, warnings about its dataset and about imported rankings.
-- param: run null id, label or name of the run; null is the newest
WITH chosen AS (
  SELECT run_id, dataset_id
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
doubts AS MATERIALIZED (
  SELECT cells_missing, errors, truncated_answers, unpriced_answers, unpriced_calls, unjudged_answers, failed_judgments,
         fallbacks, unlabelled_questions
  FROM trust
  WHERE run_id = (SELECT run_id FROM chosen)
),
lines (source, line, code, subject, message) AS (
  SELECT 'run', 1, 'cells_missing', '', cells_missing || ' cells have no row' FROM doubts WHERE cells_missing > 0
  UNION ALL SELECT 'run', 2, 'errors', '', errors || ' answers failed' FROM doubts WHERE errors > 0
  UNION ALL SELECT 'run', 3, 'truncated_answers', '', truncated_answers || ' answers were cut at the token limit' FROM doubts WHERE truncated_answers > 0
  UNION ALL SELECT 'run', 4, 'unpriced_answers', '', unpriced_answers || ' answers have an unknown cost' FROM doubts WHERE unpriced_answers > 0
  UNION ALL SELECT 'run', 5, 'unpriced_calls', '', unpriced_calls || ' model calls have an unknown price' FROM doubts WHERE unpriced_calls > 0
  UNION ALL SELECT 'run', 6, 'unjudged_answers', '', unjudged_answers || ' answers have no judgment' FROM doubts WHERE unjudged_answers > 0
  UNION ALL SELECT 'run', 7, 'failed_judgments', '', failed_judgments || ' judgments failed' FROM doubts WHERE failed_judgments > 0
  UNION ALL SELECT 'run', 8, 'fallbacks', '', fallbacks || ' judgments are a fallback' FROM doubts WHERE fallbacks > 0
  UNION ALL SELECT 'run', 9, 'unlabelled_questions', '', unlabelled_questions || ' answerable questions have no labels' FROM doubts WHERE unlabelled_questions > 0
  UNION ALL
  SELECT 'dataset', w.position, w.code, w.subject, w.message
  FROM chosen AS c
  JOIN dataset_warnings AS w ON w.dataset_id = c.dataset_id
  UNION ALL
  SELECT 'system ' || s.name, w.key, json_extract(w.value, '$.code'), json_extract(w.value, '$.subject'), json_extract(w.value, '$.message')
  FROM chosen AS c
  JOIN systems AS s ON s.run_id = c.run_id
  JOIN json_each(s.config, '$.warnings') AS w
  WHERE s.type = 'trec_run'
)
SELECT source, code, subject, message
FROM lines
ORDER BY source = 'run' DESC, source = 'dataset' DESC, source, line;
