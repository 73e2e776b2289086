-- What commands read beside the stored analyses.

-- name: newest_run :one
SELECT max(run_id)
FROM runs;

-- name: find_run :many
-- A run by number, label or name, or by a fragment of its label; the newest first. A number is never a fragment: labels
-- hold the time, and the number of a run that was removed would be found in another's.
SELECT run_id, label
FROM runs
WHERE CAST(run_id AS TEXT) = :name
   OR label = :name
   OR name = :name
   OR :name GLOB '*[^0-9]*' AND instr(label, :name) > 0
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

-- name: runs :many
SELECT run_id, run, mode, status, dataset, num_questions, num_systems, num_answers, num_errors, cost_usd, started_at
FROM runs_overview
ORDER BY run_id DESC;

-- name: trust :many
SELECT o.run_id, o.run, o.mode, o.status, o.dataset, o.num_documents, o.num_questions, o.num_systems, o.num_answers, o.cost_usd, o.primary_k, o.k_values,
       o.started_at, o.finished_at, t.cells_missing, t.errors, t.truncated_answers, t.unpriced_answers, t.unpriced_calls, t.unjudged_answers,
       t.failed_judgments, t.fallbacks, t.unlabelled_questions, t.dataset_warnings, t.import_warnings
FROM runs_overview AS o
JOIN trust AS t ON t.run_id = o.run_id
WHERE o.run_id = :run_id;
