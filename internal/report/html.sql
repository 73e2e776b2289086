-- What the HTML page of a run reads. Every statement is bound to one run, and every list has a total order, so that the
-- same file gives the same page.

-- name: newest_run :one
SELECT max(run_id)
FROM runs;

-- name: run :one
SELECT r.run_id, r.name, r.label, r.mode, r.status, r.seed, r.k_values, r.primary_k,
       (SELECT max(value) FROM json_each(r.k_values)) AS deepest_k,
       r.retrieval_depth, r.context_k, r.ndcg_gain, r.code_version, r.started_at, r.finished_at, r.config, r.config_sha256,
       d.name AS dataset, d.source, d.sha256, d.corpus_sha256, d.num_documents, d.num_questions,
       (SELECT count(*) FROM questions AS q WHERE q.dataset_id = d.dataset_id AND q.answerable = 0) AS num_unanswerable
FROM runs AS r
JOIN datasets AS d ON d.dataset_id = r.dataset_id
WHERE r.run_id = :run_id;

-- name: trust :one
SELECT cells_missing, errors, truncated_answers, unpriced_answers, unpriced_calls, unjudged_answers, failed_judgments,
       fallbacks, unlabelled_questions, dataset_warnings, import_warnings,
       (SELECT count(*) FROM cells AS c JOIN judgments AS j ON j.answer_id = c.answer_id
         WHERE c.run_id = :run_id) AS judgments
FROM trust
WHERE run_id = :run_id;

-- name: warnings :many
-- What ingestion and imports warned of, in the order of their rows.
SELECT w.code, w.subject, w.message
FROM runs AS r
JOIN dataset_warnings AS w ON w.dataset_id = r.dataset_id
WHERE r.run_id = :run_id
ORDER BY w.position
LIMIT 50;

-- name: systems :many
SELECT s.system_id, s.name, s.type, s.config, s.config_sha256, s.sql,
       i.num_chunks, i.num_vectors, i.built, i.reused, i.wall_ms, i.embedding_tokens, i.llm_tokens, i.cost_usd,
       i.warnings
FROM systems AS s
LEFT JOIN ingestions AS i ON i.system_id = s.system_id
WHERE s.run_id = :run_id
ORDER BY s.position, s.system_id;

-- name: board :many
SELECT system_id, n_ok, n_error, avg_llm_tokens, avg_embedding_tokens, avg_cost, latency_p50_ms, latency_p95_ms,
       latency_mean_ms
FROM leaderboard
WHERE run_id = :run_id
ORDER BY system_id;

-- name: means :many
SELECT system_id, metric, n, mean
FROM metric_means
WHERE run_id = :run_id
ORDER BY system_id, metric;

-- name: missing_reasons :many
-- Why values are missing, one row a system, metric and reason.
SELECT system_id, metric, reason, count(*) AS n
FROM question_scores
WHERE run_id = :run_id
  AND value IS NULL
GROUP BY system_id, metric, reason
ORDER BY system_id, metric, n DESC, reason;

-- name: categories :many
-- Two metrics by category of question.
SELECT coalesce(category, '') AS category, system_id, metric, count(value) AS n, avg(value) AS mean
FROM question_scores
WHERE run_id = :run_id
  AND metric IN (:first, :second)
GROUP BY coalesce(category, ''), system_id, metric
ORDER BY category, system_id, metric;

-- name: stages :many
SELECT system_id, stage, n_steps, n_answers, latency_ms, embedding_tokens, prompt_tokens, completion_tokens, cost_usd
FROM costs_by_stage
WHERE run_id = :run_id
ORDER BY system_id, stage;

-- name: overlap :many
-- For each pair of systems, how many relevant documents both rank within the primary k; a system with itself is all it
-- found. alone counts those of the first that no other system found.
WITH found AS MATERIALIZED (
  SELECT DISTINCT l.system_id, l.question_id, l.doc_id
  FROM ranked_lists AS l
  WHERE l.run_id = :run_id
    AND l.leg = 'final'
    AND l.relevant = 1
    AND l.doc_rank <= (SELECT primary_k FROM runs WHERE run_id = :run_id)
),
finders AS MATERIALIZED (
  SELECT question_id, doc_id, count(*) AS n
  FROM found
  GROUP BY question_id, doc_id
)
SELECT a.system_id, b.system_id AS other_id, count(*) AS n, sum(f.n = 1) AS alone
FROM found AS a
JOIN found AS b ON b.question_id = a.question_id AND b.doc_id = a.doc_id
JOIN finders AS f ON f.question_id = a.question_id AND f.doc_id = a.doc_id
GROUP BY a.system_id, b.system_id
ORDER BY a.system_id, b.system_id;

-- name: relevant :one
-- The labels that say relevant, and how many of them some system ranks within the primary k.
SELECT (SELECT count(*)
        FROM runs AS r
        JOIN questions AS q ON q.dataset_id = r.dataset_id
        JOIN qrels AS l ON l.question_id = q.question_id
        WHERE r.run_id = :run_id AND l.relevant = 1) AS labels,
       (SELECT count(*)
        FROM (
          SELECT DISTINCT question_id, doc_id
          FROM ranked_lists
          WHERE run_id = :run_id
            AND leg = 'final'
            AND relevant = 1
            AND doc_rank <= (SELECT primary_k FROM runs WHERE run_id = :run_id)
        )) AS found;

-- name: failure_counts :many
SELECT kind, system_id, count(*) AS n
FROM (
  SELECT kind, system_id FROM failures WHERE run_id = :run_id
  UNION ALL
  SELECT 'missing', system_id FROM missing_cells WHERE run_id = :run_id
)
GROUP BY kind, system_id
ORDER BY kind, system_id;

-- name: failures :many
-- The first failures, those of the answers before those of their steps.
SELECT kind, system, qid, substr(detail, 1, 261) AS detail
FROM failures
WHERE run_id = :run_id
ORDER BY kind = 'step_error', kind, question_id, system_id, answer_id, detail
LIMIT 40;

-- name: questions :many
-- The questions that have an answer, in the order of the dataset.
SELECT q.question_id, q.qid, substr(q.text, 1, 1001) AS text, coalesce(q.category, '') AS category,
       coalesce(q.difficulty, '') AS difficulty, q.answerable,
       substr(coalesce(q.reference_answer, ''), 1, 1001) AS reference_answer,
       (SELECT count(*) FROM qrels AS l WHERE l.question_id = q.question_id AND l.relevant = 1) AS num_relevant
FROM runs AS r
JOIN questions AS q ON q.dataset_id = r.dataset_id
WHERE r.run_id = :run_id
  AND EXISTS (
    SELECT 1
    FROM systems AS s
    JOIN answers AS a ON a.system_id = s.system_id
    WHERE s.run_id = r.run_id AND a.question_id = q.question_id
  )
ORDER BY q.position, q.question_id
LIMIT :limit;

-- name: question_cells :many
-- One row a question and system: the mean over repeats of the primary metric, and the answers that failed.
SELECT a.question_id, a.system_id, avg(m.value) AS value, sum(a.status = 'error') AS errors, sum(a.refused = 1) AS refused
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
LEFT JOIN scores AS m ON m.answer_id = a.answer_id AND m.metric = :metric
WHERE s.run_id = :run_id
GROUP BY a.question_id, a.system_id
ORDER BY a.question_id, a.system_id;

-- name: labels :many
SELECT doc_id, grade, relevant
FROM qrels
WHERE question_id = :question_id
ORDER BY relevant DESC, grade DESC, doc_id
LIMIT 40;

-- name: answers :many
SELECT a.answer_id, a.system_id, a.repeat, coalesce(a.error, '') AS error, substr(coalesce(a.text, ''), 1, 1001) AS text,
       coalesce(a.refused, 0) AS refused, coalesce(a.finish, '') AS finish, a.ranked, a.latency_ms,
       (SELECT value FROM scores AS m WHERE m.answer_id = a.answer_id AND m.metric = :ndcg) AS ndcg,
       (SELECT count(*) FROM hits AS h WHERE h.answer_id = a.answer_id AND h.leg = 'final') AS num_hits,
       (SELECT min(h.doc_rank)
        FROM hits AS h
        JOIN qrels AS l ON l.question_id = a.question_id AND l.doc_id = h.doc_id
        WHERE h.answer_id = a.answer_id AND h.leg = 'final' AND l.relevant = 1) AS first_relevant,
       (SELECT count(*) FROM hits AS h WHERE h.answer_id = a.answer_id AND h.leg = 'final' AND h.in_context = 1) AS num_context
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
WHERE s.run_id = :run_id
  AND a.question_id = :question_id
ORDER BY s.position, a.system_id, a.repeat, a.answer_id;

-- name: hits :many
-- The first places of the final ranking.
SELECT h.answer_id, h.rank, h.doc_rank, h.doc_id, h.score, h.in_context, l.grade, l.relevant,
       coalesce(substr(k.text, 1, 261), (
         SELECT substr(d.text, 1, 261)
         FROM documents AS d
         JOIN dataset_documents AS m ON m.document_id = d.document_id
         WHERE d.doc_id = h.doc_id AND m.dataset_id = r.dataset_id
       ), '') AS text
FROM runs AS r
JOIN systems AS s ON s.run_id = r.run_id
JOIN answers AS a ON a.system_id = s.system_id
JOIN hits AS h ON h.answer_id = a.answer_id
LEFT JOIN chunks AS k ON k.chunk_id = h.chunk_id
LEFT JOIN qrels AS l ON l.question_id = a.question_id AND l.doc_id = h.doc_id
WHERE r.run_id = :run_id
  AND a.question_id = :question_id
  AND h.leg = 'final'
  AND h.rank <= :depth
ORDER BY h.answer_id, h.rank;

-- name: steps :many
SELECT answer_id, step, start_ms, latency_ms, prompt_tokens + completion_tokens AS llm_tokens, cost_usd,
       substr(input, 1, 261) AS input, substr(output, 1, 261) AS output, substr(coalesce(error, ''), 1, 261) AS error
FROM trace
WHERE run_id = :run_id
  AND question_id = :question_id
ORDER BY answer_id, position;

-- name: example_board :many
SELECT system, recall, ndcg, latency_p50_ms
FROM leaderboard
WHERE run_id = :run_id
ORDER BY ndcg DESC, system_id;

-- name: example_lists :many
SELECT qid, system, rank, doc_id, relevant, in_context
FROM ranked_lists
WHERE run_id = :run_id
  AND leg = 'final'
  AND rank <= 5
ORDER BY question_id, system_id, rank
LIMIT 40;

-- name: example_schema :many
SELECT type, name
FROM sqlite_schema
WHERE type IN ('view', 'table')
ORDER BY type DESC, name;
