-- The call log. Values are bound in the order in which their names first appear. Conflicts are named, never ignored
-- wholesale: a row that breaks a CHECK is an error.

-- name: lookup_call :one
-- The call whose reply is kept under a key; failed calls have none.
SELECT
  call_id, status, response, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, latency_ms
FROM model_calls
WHERE key = :key
  AND status <> 'error';

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
  key, kind, purpose, requested, used, request, response, status, error, attempts,
  prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, latency_ms, price_id, cost_usd, created_at
)
VALUES (
  :key, :kind, :purpose, :requested, :used, :request, :response, :status, :error, :attempts,
  :prompt_tokens, :completion_tokens, :cached_tokens, :reasoning_tokens, :latency_ms, :price_id, :cost_usd, :created_at
)
ON CONFLICT (key) WHERE status <> 'error' DO NOTHING;

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
