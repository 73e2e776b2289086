-- One metric question by question, a row a system, with the reason where it has no value.
-- param: run null id, label or name of the run; null is the newest
-- param: metric null such as ndcg@10; null is recall at the run's primary k
-- param: system null one system; null is all
WITH chosen AS (
  SELECT run_id, coalesce(:metric, 'recall@' || primary_k) AS metric
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
)
SELECT s.qid,
       s.system,
       s.metric,
       round(s.value, 4) AS value,
       s.reason,
       s.category,
       s.question
FROM chosen AS c
JOIN question_scores AS s ON s.run_id = c.run_id AND s.metric = c.metric
JOIN questions AS q ON q.question_id = s.question_id
WHERE :system IS NULL OR s.system = :system
ORDER BY q.position, s.system_id, s.repeat, s.answer_id;
