-- The steps of a run that took longest, with their share of the answer's time.
-- param: run null id, label or name of the run; null is the newest
-- param: limit 20 steps to show
SELECT t.system,
       t.qid,
       t.step,
       round(t.latency_ms, 3) AS latency_ms,
       round(t.latency_ms / nullif(a.latency_ms, 0), 4) AS share,
       t.num_calls,
       t.input
FROM trace AS t
JOIN answers AS a ON a.answer_id = t.answer_id
WHERE t.run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
ORDER BY t.latency_ms DESC, t.answer_id, t.position
LIMIT coalesce(:limit, 20);
