-- Where the time, the tokens and the money of each system of a run went, stage by stage; untracked is what no step holds.
-- param: run null id, label or name of the run; null is the newest
SELECT system,
       stage,
       n_steps,
       n_answers,
       round(latency_ms, 3) AS latency_ms,
       embedding_tokens,
       prompt_tokens,
       completion_tokens,
       round(cost_usd, 8) AS cost_usd
FROM costs_by_stage
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
ORDER BY system_id, stage = 'untracked', latency_ms DESC, stage;
