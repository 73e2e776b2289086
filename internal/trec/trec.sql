-- Run files into the file and out of it.

-- name: dataset_exists :one
SELECT count(*)
FROM datasets
WHERE dataset_id = :dataset_id;

-- name: run_dataset :one
SELECT dataset_id
FROM runs
WHERE run_id = :run_id;

-- name: label_taken :one
SELECT count(*)
FROM runs
WHERE label = :label;

-- name: add_run :one
INSERT INTO runs (name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k,
                  retrieval_depth, context_k, ndcg_gain, code_version, started_at, finished_at)
VALUES (:name, :label, :dataset_id, 'import', 'done', '', :config_sha256, 0, :k_values, :primary_k,
        :depth, :primary_k, 'linear', :code_version, :now, :now)
RETURNING run_id;

-- name: system_taken :one
SELECT count(*)
FROM systems
WHERE run_id = :run_id
  AND name = :name;

-- name: add_system :one
INSERT INTO systems (run_id, position, name, type, config, config_sha256, sql)
SELECT :run_id, coalesce(max(position) + 1, 0), :name, 'trec_run', :config, :config_sha256, ''
FROM systems
WHERE run_id = :run_id
RETURNING system_id;

-- name: add_answers :exec
-- Every question gets a row: one that the file lacks has retrieved nothing and scores 0, as with trec_eval -c.
INSERT INTO answers (system_id, question_id, status, ranked, latency_ms)
SELECT :system_id, question_id, 'ok', 1, 0
FROM questions
WHERE dataset_id = :dataset_id
ORDER BY position, question_id;

-- name: answers :many
SELECT q.qid, a.answer_id
FROM answers AS a
JOIN questions AS q ON q.question_id = a.question_id
WHERE a.system_id = :system_id;

-- name: questions :many
SELECT qid
FROM questions
WHERE dataset_id = :dataset_id;

-- name: documents :many
SELECT d.doc_id
FROM dataset_documents AS m
JOIN documents AS d ON d.document_id = m.document_id
WHERE m.dataset_id = :dataset_id;

-- name: add_hit :exec
INSERT INTO hits (answer_id, leg, rank, doc_id, doc_rank, score)
VALUES (:answer_id, 'final', :rank, :doc_id, :rank, :score);

-- name: find_system :one
SELECT system_id
FROM systems
WHERE run_id = :run_id
  AND name = :name;

-- name: ranking :many
-- The documents of a system, question by question, each at its first place.
SELECT q.qid, h.doc_id, h.doc_rank, h.score
FROM answers AS a
JOIN questions AS q ON q.question_id = a.question_id
JOIN hits AS h ON h.answer_id = a.answer_id
WHERE a.system_id = :system_id
  AND a.repeat = 0
  AND a.status = 'ok'
  AND h.leg = 'final'
  AND h.doc_rank IS NOT NULL
ORDER BY q.position, q.question_id, h.doc_rank, h.doc_id;

-- name: judgments :many
SELECT q.qid, l.doc_id, l.grade
FROM questions AS q
JOIN qrels AS l ON l.question_id = q.question_id
WHERE q.dataset_id = :dataset_id
ORDER BY q.position, q.question_id, l.doc_id;
