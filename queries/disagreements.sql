-- The questions on which the systems of a run differ most in one metric, with the best and the worst system of each.
-- param: run null id, label or name of the run; null is the newest
-- param: metric null such as recall@5; null is nDCG at the run's deepest k
-- param: limit 20 questions to show
WITH chosen AS (
  SELECT run_id,
         coalesce(:metric, 'ndcg@' || (SELECT max(value) FROM json_each(k_values))) AS metric
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
means AS (
  SELECT s.question_id, s.qid, s.question, s.metric, s.system_id, s.system, avg(s.value) AS value
  FROM chosen AS c
  JOIN question_scores AS s ON s.run_id = c.run_id AND s.metric = c.metric
  WHERE s.value IS NOT NULL
  GROUP BY s.question_id, s.system_id
),
placed AS (
  SELECT question_id, qid, question, metric, system, value,
         row_number() OVER (PARTITION BY question_id ORDER BY value DESC, system_id) AS from_best,
         row_number() OVER (PARTITION BY question_id ORDER BY value, system_id) AS from_worst
  FROM means
)
SELECT qid,
       metric,
       count(*) AS systems,
       round(max(value) - min(value), 4) AS spread,
       max(CASE WHEN from_best = 1 THEN system END) AS best,
       round(max(value), 4) AS best_value,
       max(CASE WHEN from_worst = 1 THEN system END) AS worst,
       round(min(value), 4) AS worst_value,
       question
FROM placed
GROUP BY question_id
HAVING max(value) > min(value)
ORDER BY max(value) - min(value) DESC, question_id
LIMIT coalesce(:limit, 20);
