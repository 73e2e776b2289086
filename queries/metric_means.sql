-- The mean of every metric for every system of a run, with the number of answers behind it and of those without a value.
-- param: run null id, label or name of the run; null is the newest
-- param: metric null one metric, such as recall@5; null is all
SELECT metric,
       system,
       n,
       n_missing,
       round(mean, 4) AS mean
FROM metric_means
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
  AND (:metric IS NULL OR metric = :metric)
ORDER BY metric, mean DESC NULLS LAST, system_id;
