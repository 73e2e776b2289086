-- What commands read beside the stored analyses.

-- name: newest_run :one
SELECT max(run_id)
FROM runs;

-- name: find_run :many
-- A run by number, label or name, or by a fragment of its label; the newest first.
SELECT run_id, label
FROM runs
WHERE CAST(run_id AS TEXT) = :name
   OR label = :name
   OR name = :name
   OR instr(label, :name) > 0
ORDER BY CAST(run_id AS TEXT) = :name DESC, label = :name DESC, name = :name DESC, run_id DESC;

-- name: means :many
SELECT system, metric, mean
FROM metric_means
WHERE run_id = :run_id
ORDER BY system, metric;

-- name: drop_run :exec
DELETE FROM runs
WHERE run_id = :run_id;

-- name: run_systems :many
-- The systems of a run, or the one that is named, with the run's dataset.
SELECT s.name, r.dataset_id
FROM systems AS s
JOIN runs AS r ON r.run_id = s.run_id
WHERE s.run_id = :run_id
  AND (:system = '' OR s.name = :system)
ORDER BY s.position;
