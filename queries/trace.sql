-- The steps that the systems of a run took for one question, with the time so far.
-- param: run null id, label or name of the run; null is the newest
-- param: question null question id; null is the first of the dataset
-- param: system null one system; null is all
WITH chosen AS (
  SELECT r.run_id,
         coalesce(:question, (
           SELECT q.qid
           FROM questions AS q
           WHERE q.dataset_id = r.dataset_id
           ORDER BY q.position, q.question_id
           LIMIT 1
         )) AS qid
  FROM runs AS r
  WHERE :run IS NULL OR r.run_id = :run OR r.label = :run OR r.name = :run
  ORDER BY r.run_id DESC
  LIMIT 1
)
SELECT t.qid,
       t.system,
       t.position,
       t.step,
       round(t.latency_ms, 3) AS latency_ms,
       round(t.cumulative_ms, 3) AS cumulative_ms,
       t.prompt_tokens + t.completion_tokens AS llm_tokens,
       t.cost_usd,
       t.num_calls,
       t.input,
       t.output,
       t.error
FROM chosen AS c
JOIN trace AS t ON t.run_id = c.run_id AND t.qid = c.qid
WHERE :system IS NULL OR t.system = :system
ORDER BY t.system_id, t.repeat, t.answer_id, t.position;
