-- Every model call: log, cache and replay in one. A prompt is stored as its parts, each once, however many prompts
-- hold the same passage; the view call_messages puts them together again.
-- Lists of three values or more are spelt out with OR here and in other tables of many rows: for IN (...) SQLite builds a
-- temporary tree at every insert.

-- Price per million tokens, from a date on. A model without a row has an unknown price, which is NULL and never 0.
CREATE TABLE prices (
  price_id        INTEGER PRIMARY KEY,
  model           TEXT    NOT NULL CHECK (model <> ''),
  as_of           TEXT    NOT NULL,
  input_usd       REAL    NOT NULL CHECK (input_usd >= 0),
  output_usd      REAL    NOT NULL CHECK (output_usd >= 0),
  cached_usd      REAL    CHECK (cached_usd >= 0),
  reasoning_usd   REAL    CHECK (reasoning_usd >= 0),
  source          TEXT    NOT NULL,
  UNIQUE (model, as_of, source)
) STRICT;

CREATE TABLE prompts (
  prompt_id INTEGER PRIMARY KEY,
  sha256    BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
  text      TEXT    NOT NULL
) STRICT;

-- key: SHA-256 of everything that decides the reply. request: the parameters as sent, without the messages.
CREATE TABLE model_calls (
  call_id           INTEGER PRIMARY KEY,
  key               BLOB    NOT NULL CHECK (length(key) = 32),
  kind              TEXT    NOT NULL CHECK (kind = 'chat' OR kind = 'embedding' OR kind = 'decision' OR kind = 'tokens'),
  purpose           TEXT    NOT NULL,
  requested         TEXT    NOT NULL,  -- model reference asked for
  used              TEXT    NOT NULL,  -- model reference that answered
  request           TEXT    NOT NULL CHECK (json_valid(request)),
  response          TEXT    NOT NULL CHECK (json_valid(response)),
  status            TEXT    NOT NULL CHECK (status = 'ok' OR status = 'length' OR status = 'content_filter' OR status = 'refusal' OR status = 'empty' OR status = 'tool_calls' OR status = 'error'),
  error             TEXT,
  attempts          INTEGER NOT NULL DEFAULT 1 CHECK (attempts > 0),
  prompt_tokens     INTEGER NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
  completion_tokens INTEGER NOT NULL DEFAULT 0 CHECK (completion_tokens >= 0),
  cached_tokens     INTEGER NOT NULL DEFAULT 0 CHECK (cached_tokens >= 0),
  reasoning_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (reasoning_tokens >= 0),
  latency_ms        REAL    NOT NULL CHECK (latency_ms >= 0),
  price_id          INTEGER REFERENCES prices (price_id),
  cost_usd          REAL    CHECK (cost_usd >= 0),
  created_at        TEXT    NOT NULL,
  CHECK (requested = used OR status = 'error'),
  CHECK ((status = 'error') = (error IS NOT NULL))
) STRICT;

-- A reply is stored once: the same request again is answered from the log.
CREATE UNIQUE INDEX model_calls_by_key ON model_calls (key) WHERE status <> 'error';

CREATE TABLE call_parts (
  call_id   INTEGER NOT NULL REFERENCES model_calls (call_id) ON DELETE CASCADE,
  position  INTEGER NOT NULL CHECK (position >= 0),
  message   INTEGER NOT NULL CHECK (message >= 0),
  role      TEXT    NOT NULL CHECK (role = 'system' OR role = 'user' OR role = 'assistant' OR role = 'tool'),
  prompt_id INTEGER NOT NULL REFERENCES prompts (prompt_id),
  PRIMARY KEY (call_id, position)
) STRICT, WITHOUT ROWID;
