-- How well the systems of a run know when not to answer.
-- param: run null id, label or name of the run; null is the newest
SELECT system,
       n,
       n_unanswerable,
       n_refused,
       round(abstain_precision, 4) AS abstain_precision,
       round(abstain_recall, 4) AS abstain_recall,
       round(false_refusal_rate, 4) AS false_refusal_rate
FROM abstention
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
ORDER BY system_id;
