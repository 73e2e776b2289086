-- A run: one configuration over one dataset. One answers row a (system, question) cell, always with a status: missing
-- is not zero and not gone.

CREATE TABLE runs (
  run_id          INTEGER PRIMARY KEY,
  name            TEXT    NOT NULL CHECK (name <> ''),
  label           TEXT    NOT NULL UNIQUE CHECK (label <> ''),  -- name and start time, unique in the file
  dataset_id      INTEGER NOT NULL REFERENCES datasets (dataset_id),
  mode            TEXT    NOT NULL CHECK (mode IN ('mock', 'live', 'replay', 'import')),
  status          TEXT    NOT NULL CHECK (status IN ('running', 'done', 'stopped', 'failed')),
  config          TEXT    NOT NULL,                             -- the YAML, verbatim
  config_sha256   TEXT    NOT NULL CHECK (length(config_sha256) = 64),
  seed            INTEGER NOT NULL,
  k_values        TEXT    NOT NULL CHECK (json_valid(k_values)),
  primary_k       INTEGER NOT NULL CHECK (primary_k > 0),
  retrieval_depth INTEGER NOT NULL CHECK (retrieval_depth > 0),
  context_k       INTEGER NOT NULL CHECK (context_k > 0),
  ndcg_gain       TEXT    NOT NULL CHECK (ndcg_gain IN ('linear', 'exponential')),
  code_version    TEXT    NOT NULL,
  started_at      TEXT    NOT NULL,
  finished_at     TEXT,
  metadata        TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata))
) STRICT;

CREATE TABLE systems (
  system_id     INTEGER PRIMARY KEY,
  run_id        INTEGER NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  position      INTEGER NOT NULL CHECK (position >= 0),
  name          TEXT    NOT NULL CHECK (name <> ''),
  type          TEXT    NOT NULL CHECK (type <> ''),
  config        TEXT    NOT NULL CHECK (json_valid(config)),  -- every option with its value, defaults filled in
  config_sha256 TEXT    NOT NULL CHECK (length(config_sha256) = 64),
  sql           TEXT    NOT NULL,                             -- the statements that ran, to read and to repeat
  UNIQUE (run_id, name)
) STRICT;

-- What ingestion made for a system and what that would cost alone. NULL cost: an unknown price.
CREATE TABLE ingestions (
  system_id        INTEGER PRIMARY KEY REFERENCES systems (system_id) ON DELETE CASCADE,
  num_chunks       INTEGER NOT NULL CHECK (num_chunks >= 0),
  num_vectors      INTEGER NOT NULL CHECK (num_vectors >= 0),
  built            TEXT    NOT NULL CHECK (json_valid(built)),
  reused           TEXT    NOT NULL CHECK (json_valid(reused)),
  wall_ms          REAL    NOT NULL CHECK (wall_ms >= 0),
  embedding_tokens INTEGER NOT NULL CHECK (embedding_tokens >= 0),
  llm_tokens       INTEGER NOT NULL CHECK (llm_tokens >= 0),
  output_tokens    INTEGER NOT NULL DEFAULT 0 CHECK (output_tokens BETWEEN 0 AND llm_tokens),  -- those of llm_tokens the models wrote
  cost_usd         REAL    CHECK (cost_usd >= 0),
  warnings         TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(warnings))
) STRICT;

CREATE TABLE answers (
  answer_id          INTEGER PRIMARY KEY,
  system_id          INTEGER NOT NULL REFERENCES systems (system_id) ON DELETE CASCADE,
  question_id        INTEGER NOT NULL REFERENCES questions (question_id),
  repeat             INTEGER NOT NULL DEFAULT 0 CHECK (repeat >= 0),
  status             TEXT    NOT NULL CHECK (status IN ('ok', 'error')),
  error              TEXT,
  text               TEXT,
  refused            INTEGER CHECK (refused IN (0, 1)),
  finish             TEXT,
  citations          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(citations)),
  ranked             INTEGER NOT NULL CHECK (ranked IN (0, 1)),  -- 0: nothing was retrieved, retrieval metrics are blank
  latency_ms         REAL    CHECK (latency_ms >= 0),
  retrieval_ms       REAL    CHECK (retrieval_ms >= 0),
  embedding_tokens   INTEGER NOT NULL DEFAULT 0 CHECK (embedding_tokens >= 0),
  prompt_tokens      INTEGER NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
  completion_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (completion_tokens >= 0),
  embedding_cost     REAL CHECK (embedding_cost >= 0),
  llm_cost           REAL CHECK (llm_cost >= 0),
  rerank_cost        REAL CHECK (rerank_cost >= 0),
  query_rewrite_cost REAL CHECK (query_rewrite_cost >= 0),
  tool_cost          REAL CHECK (tool_cost >= 0),
  decision_cost      REAL CHECK (decision_cost >= 0),
  total_cost         REAL CHECK (total_cost >= 0),  -- NULL when any part is unknown
  metadata           TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  UNIQUE (system_id, question_id, repeat),
  CHECK ((status = 'error') = (error IS NOT NULL)),
  CHECK (status = 'error' OR latency_ms IS NOT NULL)
) STRICT;

CREATE INDEX answers_by_question ON answers (question_id, system_id);

-- The final ranking (leg final) and every list it was made from, to depth. doc_rank counts distinct documents and is
-- NULL for a document seen higher up: retrieval is scored on documents, at their first place.
CREATE TABLE hits (
  answer_id  INTEGER NOT NULL REFERENCES answers (answer_id) ON DELETE CASCADE,
  leg        TEXT    NOT NULL CHECK (leg <> ''),
  rank       INTEGER NOT NULL CHECK (rank > 0),
  chunk_id   INTEGER REFERENCES chunks (chunk_id),  -- NULL: an imported ranking of documents
  doc_id     TEXT    NOT NULL CHECK (doc_id <> ''),
  doc_rank   INTEGER CHECK (doc_rank BETWEEN 1 AND rank),
  score      REAL    NOT NULL,
  in_context INTEGER NOT NULL DEFAULT 0 CHECK (in_context IN (0, 1)),
  metadata   TEXT    CHECK (json_valid(metadata)),
  PRIMARY KEY (answer_id, leg, rank)
) STRICT, WITHOUT ROWID;

CREATE INDEX hits_by_chunk ON hits (chunk_id);

CREATE TABLE steps (
  answer_id          INTEGER NOT NULL REFERENCES answers (answer_id) ON DELETE CASCADE,
  position           INTEGER NOT NULL CHECK (position >= 0),
  kind               TEXT    NOT NULL CHECK (kind = 'retrieve' OR kind = 'rerank' OR kind = 'llm' OR kind = 'tool' OR kind = 'embed' OR kind = 'route' OR kind = 'grade' OR kind = 'generate' OR kind = 'external'),
  name               TEXT    NOT NULL CHECK (name <> ''),
  start_ms           REAL    NOT NULL CHECK (start_ms >= 0),
  latency_ms         REAL    NOT NULL CHECK (latency_ms >= 0),
  input              TEXT    NOT NULL CHECK (length(input) <= 300),
  output             TEXT    NOT NULL CHECK (length(output) <= 300),
  embedding_tokens   INTEGER NOT NULL DEFAULT 0 CHECK (embedding_tokens >= 0),
  prompt_tokens      INTEGER NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
  completion_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (completion_tokens >= 0),
  cost_usd           REAL    CHECK (cost_usd >= 0),
  error              TEXT,
  metadata           TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  PRIMARY KEY (answer_id, position)
) STRICT, WITHOUT ROWID;

-- The model calls of a step. cached: answered from the log, so that nothing was paid; the step is charged all the same.
-- booked: the cost of the answer that the call counts towards.
CREATE TABLE step_calls (
  answer_id INTEGER NOT NULL,
  position  INTEGER NOT NULL,
  call_id   INTEGER NOT NULL REFERENCES model_calls (call_id),
  cached    INTEGER NOT NULL DEFAULT 0 CHECK (cached = 0 OR cached = 1),
  booked    TEXT    NOT NULL DEFAULT 'llm' CHECK (booked = 'embedding' OR booked = 'llm' OR booked = 'rerank' OR booked = 'query_rewrite' OR booked = 'tool' OR booked = 'decision'),
  PRIMARY KEY (answer_id, position, call_id),
  FOREIGN KEY (answer_id, position) REFERENCES steps (answer_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX step_calls_by_call ON step_calls (call_id);

-- Latencies of questions asked again one at a time after the run, without stored replies: what a person would wait.
CREATE TABLE latency_probes (
  system_id   INTEGER NOT NULL REFERENCES systems (system_id) ON DELETE CASCADE,
  question_id INTEGER NOT NULL REFERENCES questions (question_id),
  latency_ms  REAL    NOT NULL CHECK (latency_ms >= 0),
  num_calls   INTEGER NOT NULL CHECK (num_calls >= 0),
  cost_usd    REAL    CHECK (cost_usd >= 0),
  PRIMARY KEY (system_id, question_id)
) STRICT, WITHOUT ROWID;

-- Typed probabilities of decision models. NULL is unknown, with a reason; unknown is not no.
CREATE TABLE decisions (
  decision_id INTEGER PRIMARY KEY,
  answer_id   INTEGER NOT NULL REFERENCES answers (answer_id) ON DELETE CASCADE,
  predicate   TEXT    NOT NULL CHECK (predicate <> ''),
  chunk_id    INTEGER REFERENCES chunks (chunk_id),
  probability REAL    CHECK (probability BETWEEN 0 AND 1),
  reason      TEXT,
  wording     BLOB    NOT NULL CHECK (length(wording) = 32),  -- SHA-256 of the instructions
  call_id     INTEGER REFERENCES model_calls (call_id),
  CHECK ((probability IS NULL) = (reason IS NOT NULL))
) STRICT;

CREATE INDEX decisions_by_answer ON decisions (answer_id, predicate, chunk_id);
CREATE INDEX decisions_by_chunk ON decisions (chunk_id);
