-- What prices, replays and packing read and write.

-- name: base_urls :many
-- Where each model was last reached.
SELECT c.requested, c.base_url
FROM model_calls AS c
JOIN (
  SELECT max(call_id) AS call_id
  FROM model_calls
  GROUP BY requested
) AS newest ON newest.call_id = c.call_id
ORDER BY c.requested;

-- name: spend :one
SELECT charged_usd, paid_usd, saved_usd
FROM spend
WHERE run_id = :run_id;

-- name: unpriced :many
SELECT model, num_calls
FROM unpriced_models
WHERE run_id = :run_id
ORDER BY model;

-- name: newest_original :one
-- The newest run that made its own calls.
SELECT max(run_id)
FROM runs
WHERE mode = 'live'
   OR mode = 'mock';

-- name: run_of_config :one
-- The newest run of a configuration.
SELECT max(run_id)
FROM runs
WHERE config_sha256 = :digest;

-- name: missing_calls :one
-- Answers that failed because the file lacks a call.
SELECT count(*), min(a.error)
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
WHERE s.run_id = :run_id
  AND instr(a.error, :words) > 0;

-- name: recorded_answers :exec
-- A replay takes over the times of the run it repeats: its own say nothing about models.
UPDATE answers
SET latency_ms = o.latency_ms,
    retrieval_ms = o.retrieval_ms
FROM systems AS s
JOIN systems AS w ON w.run_id = :original AND w.name = s.name
JOIN answers AS o ON o.system_id = w.system_id
WHERE s.run_id = :run_id
  AND answers.system_id = s.system_id
  AND o.question_id = answers.question_id
  AND o.repeat = answers.repeat
  AND o.status = answers.status;

-- name: recorded_steps :exec
UPDATE steps
SET start_ms = t.start_ms,
    latency_ms = t.latency_ms
FROM answers AS a
JOIN systems AS s ON s.system_id = a.system_id
JOIN systems AS w ON w.run_id = :original AND w.name = s.name
JOIN answers AS o ON o.system_id = w.system_id AND o.question_id = a.question_id AND o.repeat = a.repeat
JOIN steps AS t ON t.answer_id = o.answer_id
WHERE s.run_id = :run_id
  AND steps.answer_id = a.answer_id
  AND t.position = steps.position
  AND t.kind = steps.kind
  AND t.name = steps.name;

-- name: recorded_calls :exec
UPDATE step_calls
SET cached = t.cached
FROM answers AS a
JOIN systems AS s ON s.system_id = a.system_id
JOIN systems AS w ON w.run_id = :original AND w.name = s.name
JOIN answers AS o ON o.system_id = w.system_id AND o.question_id = a.question_id AND o.repeat = a.repeat
JOIN step_calls AS t ON t.answer_id = o.answer_id
WHERE s.run_id = :run_id
  AND step_calls.answer_id = a.answer_id
  AND t.position = step_calls.position
  AND t.call_id = step_calls.call_id;

-- name: recorded_ingestions :exec
UPDATE ingestions
SET built = i.built,
    reused = i.reused,
    wall_ms = i.wall_ms,
    warnings = i.warnings
FROM systems AS s
JOIN systems AS w ON w.run_id = :original AND w.name = s.name
JOIN ingestions AS i ON i.system_id = w.system_id
WHERE s.run_id = :run_id
  AND ingestions.system_id = s.system_id;

-- name: recorded_probes :exec
INSERT INTO latency_probes (system_id, question_id, latency_ms, num_calls, cost_usd)
SELECT s.system_id, p.question_id, p.latency_ms, p.num_calls, p.cost_usd
FROM systems AS s
JOIN systems AS w ON w.run_id = :original AND w.name = s.name
JOIN latency_probes AS p ON p.system_id = w.system_id
WHERE s.run_id = :run_id
ON CONFLICT (system_id, question_id) DO NOTHING;

-- name: differing_answers :one
-- How many answers of a replay differ from those of the run it repeats, times apart.
SELECT count(*)
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
LEFT JOIN systems AS w ON w.run_id = :original AND w.name = s.name
LEFT JOIN answers AS o ON o.system_id = w.system_id AND o.question_id = a.question_id AND o.repeat = a.repeat
WHERE s.run_id = :run_id
  AND (o.answer_id IS NULL
    OR (a.status, a.error, a.text, a.refused, a.finish, a.citations, a.ranked, a.embedding_tokens, a.prompt_tokens, a.completion_tokens, a.total_cost, a.metadata)
      IS NOT (o.status, o.error, o.text, o.refused, o.finish, o.citations, o.ranked, o.embedding_tokens, o.prompt_tokens, o.completion_tokens, o.total_cost, o.metadata)
    OR EXISTS (
      SELECT 1
      FROM hits AS h
      LEFT JOIN hits AS g ON g.answer_id = o.answer_id AND g.leg = h.leg AND g.rank = h.rank
      WHERE h.answer_id = a.answer_id
        AND (h.chunk_id, h.score, h.in_context) IS NOT (g.chunk_id, g.score, g.in_context)
    ));

-- name: estimate :many
-- What a question takes in each system of a run on mock models that are billed as the configured ones.
SELECT s.name,
       count(*) AS n,
       sum(a.status = 'error') AS n_failed,
       CASE WHEN count(a.total_cost) = count(*) THEN avg(a.total_cost) END AS usd,
       avg(a.prompt_tokens) AS prompt_tokens,
       avg(a.completion_tokens) AS completion_tokens,
       avg(k.chats) AS chats,
       min(k.chats) <> max(k.chats) AS varies,
       avg(k.embeddings) AS embeddings,
       coalesce(i.embedding_tokens, 0) AS ingest_tokens,
       coalesce(i.llm_tokens, 0) AS ingest_llm_tokens,
       i.cost_usd AS ingest_usd
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN (
  SELECT o.answer_id,
         coalesce(sum(m.kind = 'chat' OR m.kind = 'decision'), 0) AS chats,
         coalesce(sum(m.kind = 'embedding'), 0) AS embeddings
  FROM answers AS o
  LEFT JOIN step_calls AS t ON t.answer_id = o.answer_id
  LEFT JOIN model_calls AS m ON m.call_id = t.call_id
  GROUP BY o.answer_id
) AS k ON k.answer_id = a.answer_id
LEFT JOIN ingestions AS i ON i.system_id = s.system_id
WHERE s.run_id = :run_id
GROUP BY s.system_id
ORDER BY s.position;

-- name: cache_stats :many
SELECT m.kind,
       m.used AS model,
       sum(m.error IS NULL) AS stored,
       sum(m.error IS NOT NULL) AS failed,
       sum(m.prompt_tokens) AS prompt_tokens,
       sum(m.completion_tokens) AS completion_tokens,
       round(total(m.cost_usd), 6) AS cost_usd,
       sum(m.error IS NULL AND m.cost_usd IS NULL) AS unpriced,
       (SELECT count(*) FROM step_calls AS t JOIN model_calls AS c ON c.call_id = t.call_id
         WHERE t.cached = 1 AND c.kind = m.kind AND c.used = m.used) AS reused,
       min(m.created_at) AS oldest,
       max(m.created_at) AS newest
FROM model_calls AS m
GROUP BY m.kind, m.used
ORDER BY m.kind, m.used;

-- name: clear_calls :exec
DELETE FROM model_calls
WHERE created_at < :before
  AND NOT EXISTS (SELECT 1 FROM step_calls AS t WHERE t.call_id = model_calls.call_id)
  AND NOT EXISTS (SELECT 1 FROM decisions AS d WHERE d.call_id = model_calls.call_id)
  AND NOT EXISTS (SELECT 1 FROM judgments AS j WHERE j.call_id = model_calls.call_id);

-- name: clear_prompts :exec
DELETE FROM prompts
WHERE prompt_id NOT IN (SELECT prompt_id FROM call_parts);

-- name: mean_costs :many
SELECT s.name,
       (SELECT CASE WHEN count(a.total_cost) = count(*) THEN avg(a.total_cost) END FROM answers AS a
         WHERE a.system_id = s.system_id AND a.status = 'ok') AS usd,
       i.cost_usd AS ingest_usd
FROM systems AS s
LEFT JOIN ingestions AS i ON i.system_id = s.system_id
WHERE s.run_id = :run_id
ORDER BY s.position;

-- name: price_rows :many
SELECT model, as_of, input_usd, output_usd, cached_usd, reasoning_usd, source
FROM prices
ORDER BY model, as_of, price_id;

-- name: priced_steps :many
SELECT t.answer_id, t.position, t.name, t.embedding_tokens, t.cost_usd,
       (SELECT count(*) FROM step_calls AS k WHERE k.answer_id = t.answer_id AND k.position = t.position) AS calls,
       coalesce(s.config ->> '$.models.embedding', '') AS embedder
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN steps AS t ON t.answer_id = a.answer_id
WHERE s.run_id = :run_id
ORDER BY t.answer_id, t.position;

-- name: priced_calls :many
SELECT k.answer_id, k.position, k.booked, m.used, m.prompt_tokens, m.completion_tokens, m.cached_tokens, m.reasoning_tokens
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN step_calls AS k ON k.answer_id = a.answer_id
JOIN model_calls AS m ON m.call_id = k.call_id
WHERE s.run_id = :run_id
  AND m.kind <> 'embedding'
ORDER BY k.answer_id, k.position, k.call_id;

-- name: priced_ingestions :many
SELECT i.system_id, i.embedding_tokens, i.llm_tokens - i.output_tokens AS input_tokens, i.output_tokens,
       coalesce(s.config ->> '$.models.embedding', '') AS embedder,
       coalesce(s.config ->> '$.models.generator', '') AS generator
FROM systems AS s
JOIN ingestions AS i ON i.system_id = s.system_id
WHERE s.run_id = :run_id
ORDER BY i.system_id;

-- name: put_step_cost :exec
UPDATE steps
SET cost_usd = ?1
WHERE answer_id = ?2
  AND position = ?3;

-- name: put_costs :exec
UPDATE answers
SET embedding_cost = ?1,
    llm_cost = ?2,
    rerank_cost = ?3,
    query_rewrite_cost = ?4,
    tool_cost = ?5,
    decision_cost = ?6,
    total_cost = ?7
WHERE answer_id = ?8;

-- name: put_ingestion_cost :exec
UPDATE ingestions
SET cost_usd = ?1
WHERE system_id = ?2;

-- name: note_repriced :exec
UPDATE runs
SET metadata = json_set(metadata, '$.repriced', json(:note))
WHERE run_id = :run_id;
