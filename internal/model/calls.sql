-- The call log. Values are bound in the order in which their names first appear. Conflicts are named, never ignored
-- wholesale: a row that breaks a CHECK is an error.

-- name: lookup_call :one
-- The call whose reply is kept under a key; failed calls have none.
SELECT
  c.call_id, c.status, c.response, c.error, c.attempts, c.prompt_tokens, c.completion_tokens, c.cached_tokens, c.reasoning_tokens,
  c.latency_ms, v.dims, v.tokens, v.data
FROM model_calls AS c
LEFT JOIN call_vectors AS v ON v.call_id = c.call_id
WHERE c.key = :key
  AND c.error IS NULL;

-- name: lookup_failure :one
-- The newest failure of a request, for a replay.
SELECT
  call_id, status, response, error, attempts, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens,
  latency_ms, NULL, NULL, NULL
FROM model_calls
WHERE key = :key
  AND error IS NOT NULL
ORDER BY call_id DESC
LIMIT 1;

-- name: learned :many
SELECT model, base_url, parameter, coalesce(instead, ''), message
FROM learned_parameters
ORDER BY model, base_url, parameter;

-- name: insert_learned :exec
INSERT INTO learned_parameters (model, base_url, parameter, instead, message, learned_at)
VALUES (:model, :base_url, :parameter, nullif(:instead, ''), :message, :learned_at)
ON CONFLICT (model, base_url, parameter) DO NOTHING;

-- name: insert_vectors :exec
INSERT INTO call_vectors (call_id, dims, tokens, data)
VALUES (:call_id, :dims, :tokens, :data)
ON CONFLICT (call_id) DO NOTHING;

-- name: insert_price :exec
INSERT INTO prices (model, as_of, source, input_usd, output_usd, cached_usd, reasoning_usd)
VALUES (:model, :as_of, :source, :input_usd, :output_usd, :cached_usd, :reasoning_usd)
ON CONFLICT (model, as_of, source) DO NOTHING;

-- name: find_price :one
-- No row: another price is stored under the same model, date and source.
SELECT price_id
FROM prices
WHERE model = :model
  AND as_of = :as_of
  AND source = :source
  AND input_usd = :input_usd
  AND output_usd = :output_usd
  AND cached_usd IS :cached_usd
  AND reasoning_usd IS :reasoning_usd;

-- name: insert_call :exec
-- Changes no row when a reply is stored under the key already. (RETURNING would cost a temporary table each time.)
INSERT INTO model_calls (
  key, kind, purpose, requested, used, base_url, request, response, status, error, attempts,
  prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, latency_ms, price_id, cost_usd, run_id, created_at
)
VALUES (
  :key, :kind, :purpose, :requested, :used, :base_url, :request, :response, :status, :error, :attempts,
  :prompt_tokens, :completion_tokens, :cached_tokens, :reasoning_tokens, :latency_ms, :price_id, :cost_usd, :run_id, :created_at
)
ON CONFLICT (key) WHERE error IS NULL DO NOTHING;

-- name: insert_part :exec
-- Changes no row when the text is not in prompts yet.
INSERT INTO call_parts (call_id, position, message, role, prompt_id)
SELECT :call_id, :position, :message, :role, prompt_id
FROM prompts
WHERE sha256 = :sha256;

-- name: insert_prompt :exec
INSERT INTO prompts (sha256, text)
VALUES (:sha256, :text)
ON CONFLICT (sha256) DO NOTHING;
