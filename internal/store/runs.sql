-- Runs, their systems and their cells.

-- name: put_run :one
INSERT INTO runs (name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k, retrieval_depth, context_k, ndcg_gain, code_version, started_at)
VALUES (:name, :label, :dataset_id, :mode, 'running', :config, :config_sha256, :seed, :k_values, :primary_k, :retrieval_depth, :context_k, :ndcg_gain, :code_version, :started_at)
RETURNING run_id;

-- name: label_taken :one
SELECT count(*)
FROM runs
WHERE label = :label;

-- name: unfinished_run :one
-- The newest run of the same configuration, dataset and mode that has not come to its end.
SELECT run_id
FROM runs
WHERE config_sha256 = :config_sha256
  AND dataset_id = :dataset_id
  AND mode = :mode
  AND status <> 'done'
ORDER BY run_id DESC
LIMIT 1;

-- name: set_status :exec
UPDATE runs
SET status = :status,
    finished_at = :finished_at
WHERE run_id = :run_id;

-- name: put_system :one
INSERT INTO systems (run_id, position, name, type, config, config_sha256, sql)
VALUES (:run_id, :position, :name, :type, :config, :config_sha256, :sql)
RETURNING system_id;

-- name: systems :many
SELECT system_id, name, config_sha256
FROM systems
WHERE run_id = :run_id
ORDER BY position;

-- name: put_ingestion :exec
INSERT INTO ingestions (system_id, num_chunks, num_vectors, built, reused, wall_ms, embedding_tokens, llm_tokens, output_tokens, cost_usd, warnings)
VALUES (:system_id, :num_chunks, :num_vectors, :built, :reused, :wall_ms, :embedding_tokens, :llm_tokens, :output_tokens, :cost_usd, :warnings)
ON CONFLICT (system_id) DO NOTHING;

-- name: next_answer :one
SELECT coalesce(max(last_id), 0) + 1
FROM (
  SELECT max(answer_id) AS last_id
  FROM answers
  UNION ALL
  SELECT max(CAST(metadata ->> 'last_answer_id' AS INTEGER))
  FROM runs
);

-- name: reserve_answers :exec
-- Ids of answers are reserved for the whole run, by system and question, so that they do not depend on who finishes first.
UPDATE runs
SET metadata = json_set(metadata, '$.first_answer_id', :first, '$.last_answer_id', :last, '$.questions', :questions)
WHERE run_id = :run_id;

-- name: first_answer :one
SELECT CAST(metadata ->> 'first_answer_id' AS INTEGER)
FROM runs
WHERE run_id = :run_id;

-- name: good_cells :many
-- What a resumed run need not do again.
SELECT a.system_id, a.question_id
FROM answers AS a
JOIN systems AS s ON s.system_id = a.system_id
WHERE s.run_id = :run_id
  AND a.status = 'ok';

-- name: drop_answer :exec
DELETE FROM answers
WHERE answer_id = :answer_id;

-- name: put_answer :exec
INSERT INTO answers (answer_id, system_id, question_id, status, error, text, refused, finish, citations, ranked, latency_ms, retrieval_ms, embedding_tokens, prompt_tokens, completion_tokens, embedding_cost, llm_cost, rerank_cost, query_rewrite_cost, tool_cost, decision_cost, total_cost, metadata)
VALUES (:answer_id, :system_id, :question_id, :status, :error, :text, :refused, :finish, :citations, :ranked, :latency_ms, :retrieval_ms, :embedding_tokens, :prompt_tokens, :completion_tokens, :embedding_cost, :llm_cost, :rerank_cost, :query_rewrite_cost, :tool_cost, :decision_cost, :total_cost, :metadata);

-- name: put_hit :exec
INSERT INTO hits (answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context, metadata)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: put_step :exec
INSERT INTO steps (answer_id, position, kind, name, start_ms, latency_ms, input, output, embedding_tokens, prompt_tokens, completion_tokens, cost_usd, error, metadata)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);

-- name: put_step_call :exec
INSERT INTO step_calls (answer_id, position, call_id, cached, booked)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (answer_id, position, call_id) DO NOTHING;

-- name: note :exec
-- Keeps a JSON value in the metadata of a run.
UPDATE runs
SET metadata = json_set(metadata, :path, json(:value))
WHERE run_id = :run_id;

-- name: run_config :one
SELECT name, mode, config, dataset_id, metadata
FROM runs
WHERE run_id = :run_id;

-- name: put_probe :exec
INSERT INTO latency_probes (system_id, question_id, latency_ms, num_calls, cost_usd)
VALUES (:system_id, :question_id, :latency_ms, :num_calls, :cost_usd)
ON CONFLICT (system_id, question_id) DO UPDATE
SET latency_ms = excluded.latency_ms,
    num_calls = excluded.num_calls,
    cost_usd = excluded.cost_usd;
