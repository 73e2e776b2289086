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

-- key: SHA-256 of everything that decides the reply. request: the parameters as sent, without the messages. run_id: the
-- run that paid for the call; NULL outside runs and for a call copied from a shared cache. context_length: the prompt was
-- longer than the model takes, which is charged nothing.
CREATE TABLE model_calls (
  call_id           INTEGER PRIMARY KEY,
  key               BLOB    NOT NULL CHECK (length(key) = 32),
  kind              TEXT    NOT NULL CHECK (kind = 'chat' OR kind = 'embedding' OR kind = 'decision' OR kind = 'tokens'),
  purpose           TEXT    NOT NULL,
  requested         TEXT    NOT NULL,  -- model reference asked for
  used              TEXT    NOT NULL,  -- model reference that answered
  base_url          TEXT    NOT NULL DEFAULT '',  -- where it was reached, without credentials; empty: in this process
  request           TEXT    NOT NULL CHECK (json_valid(request)),
  response          TEXT    NOT NULL CHECK (json_valid(response)),
  status            TEXT    NOT NULL CHECK (status = 'ok' OR status = 'length' OR status = 'content_filter' OR status = 'refusal' OR status = 'empty' OR status = 'tool_calls' OR status = 'context_length' OR status = 'error'),
  error             TEXT,
  attempts          INTEGER NOT NULL DEFAULT 1 CHECK (attempts > 0),
  prompt_tokens     INTEGER NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
  completion_tokens INTEGER NOT NULL DEFAULT 0 CHECK (completion_tokens >= 0),
  cached_tokens     INTEGER NOT NULL DEFAULT 0 CHECK (cached_tokens >= 0),
  reasoning_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (reasoning_tokens >= 0),
  latency_ms        REAL    NOT NULL CHECK (latency_ms >= 0),
  price_id          INTEGER REFERENCES prices (price_id),
  cost_usd          REAL    CHECK (cost_usd >= 0),
  run_id            INTEGER REFERENCES runs (run_id) ON DELETE SET NULL,
  created_at        TEXT    NOT NULL,
  CHECK (requested = used OR error IS NOT NULL),
  CHECK ((status = 'error' OR status = 'context_length') = (error IS NOT NULL))
) STRICT;

-- A reply is stored once: the same request again is answered from the log. A failed call is never reused, but a replay
-- repeats it.
CREATE UNIQUE INDEX model_calls_by_key ON model_calls (key) WHERE error IS NULL;
CREATE INDEX model_calls_failed ON model_calls (key) WHERE error IS NOT NULL;
CREATE INDEX model_calls_by_run ON model_calls (run_id, cost_usd) WHERE run_id IS NOT NULL;

-- The vectors of an embedding call that a replay needs: those of questions, and of a single text. float32, little-endian;
-- vectors of passages are in vector_blocks alone.
CREATE TABLE call_vectors (
  call_id INTEGER PRIMARY KEY REFERENCES model_calls (call_id) ON DELETE CASCADE,
  dims    INTEGER NOT NULL CHECK (dims > 0),
  tokens  TEXT    NOT NULL CHECK (json_valid(tokens)),  -- one number a text, as charged
  data    BLOB    NOT NULL CHECK (length(data) = 4 * dims * json_array_length(tokens))
) STRICT;

-- What a model's own errors have taught about the parameters it takes: used instead of the parameter, or nothing.
CREATE TABLE learned_parameters (
  model      TEXT NOT NULL CHECK (model <> ''),  -- full reference
  base_url   TEXT NOT NULL,
  parameter  TEXT NOT NULL CHECK (parameter <> ''),
  instead    TEXT CHECK (instead <> ''),
  message    TEXT NOT NULL,
  learned_at TEXT NOT NULL,
  PRIMARY KEY (model, base_url, parameter)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_parts (
  call_id   INTEGER NOT NULL REFERENCES model_calls (call_id) ON DELETE CASCADE,
  position  INTEGER NOT NULL CHECK (position >= 0),
  message   INTEGER NOT NULL CHECK (message >= 0),
  role      TEXT    NOT NULL CHECK (role = 'system' OR role = 'user' OR role = 'assistant' OR role = 'tool'),
  prompt_id INTEGER NOT NULL REFERENCES prompts (prompt_id),
  PRIMARY KEY (call_id, position)
) STRICT, WITHOUT ROWID;
