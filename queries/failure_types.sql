-- How the answers of each system failed, by the first rule that holds.
-- param: run null id, label or name of the run; null is the newest
SELECT system,
       failure_type,
       count(*) AS n,
       round(count(*) * 1.0 / sum(count(*)) OVER (PARTITION BY system_id), 4) AS share
FROM failure_types
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
GROUP BY system_id, system, failure_type
ORDER BY system_id, n DESC, failure_type;
