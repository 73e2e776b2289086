-- From answers to numbers to a decision.

-- One row an (answer, judge, prompt version, sample): several judges side by side. A failed judgment is a row with a
-- status and no score. fallback: another judge's scale in place of a failed judgment. repair: what was done to read the
-- reply, empty for nothing. round: how often the same judgment had failed before. retry_of: the call whose reply could
-- not be used and was shown to the model again.
CREATE TABLE judgments (
  judgment_id      INTEGER PRIMARY KEY,
  answer_id        INTEGER NOT NULL REFERENCES answers (answer_id) ON DELETE CASCADE,
  judge            TEXT    NOT NULL CHECK (judge <> ''),
  prompt_version   TEXT    NOT NULL,
  sample           INTEGER NOT NULL DEFAULT 0 CHECK (sample >= 0),
  status           TEXT    NOT NULL CHECK (status IN ('ok', 'unparsed', 'error')),
  fallback         INTEGER NOT NULL DEFAULT 0 CHECK (fallback IN (0, 1)),
  correctness      REAL CHECK (correctness BETWEEN 0 AND 5),
  faithfulness     REAL CHECK (faithfulness BETWEEN 0 AND 5),
  completeness     REAL CHECK (completeness BETWEEN 0 AND 5),
  relevance        REAL CHECK (relevance BETWEEN 0 AND 5),
  citation_quality REAL CHECK (citation_quality BETWEEN 0 AND 5),
  supported        INTEGER CHECK (supported IN (0, 1)),
  hallucinated     INTEGER CHECK (hallucinated IN (0, 1)),
  reason           TEXT,
  repair           TEXT    NOT NULL DEFAULT '',
  round            INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  call_id          INTEGER REFERENCES model_calls (call_id),
  retry_of         INTEGER REFERENCES model_calls (call_id),
  UNIQUE (answer_id, judge, prompt_version, sample),
  CHECK (status = 'ok' OR coalesce(correctness, faithfulness, completeness, relevance, citation_quality) IS NULL)
) STRICT;

-- One number an (answer, metric), such as recall@5. A missing value is NULL with a reason, never 0.
CREATE TABLE scores (
  answer_id INTEGER NOT NULL REFERENCES answers (answer_id) ON DELETE CASCADE,
  metric    TEXT    NOT NULL CHECK (metric <> ''),
  value     REAL,
  reason    TEXT,
  PRIMARY KEY (answer_id, metric),
  CHECK ((value IS NULL) = (reason IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX scores_by_metric ON scores (metric, answer_id, value);

CREATE TABLE intervals (
  system_id  INTEGER NOT NULL REFERENCES systems (system_id) ON DELETE CASCADE,
  metric     TEXT    NOT NULL,
  method     TEXT    NOT NULL,
  n          INTEGER NOT NULL CHECK (n >= 0),
  mean       REAL,
  lo         REAL,
  hi         REAL,
  confidence REAL    NOT NULL CHECK (confidence > 0 AND confidence < 1),
  seed       INTEGER NOT NULL,
  warnings   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(warnings)),
  PRIMARY KEY (system_id, metric, method),
  CHECK (lo IS NULL OR hi IS NULL OR lo <= hi)
) STRICT, WITHOUT ROWID;

CREATE TABLE comparisons (
  run_id      INTEGER NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  metric      TEXT    NOT NULL,
  system_id   INTEGER NOT NULL REFERENCES systems (system_id) ON DELETE CASCADE,
  baseline_id INTEGER NOT NULL REFERENCES systems (system_id) ON DELETE CASCADE,
  n           INTEGER NOT NULL CHECK (n >= 0),
  mean_diff   REAL,
  lo          REAL,
  hi          REAL,
  p_value     REAL CHECK (p_value BETWEEN 0 AND 1),
  p_holm      REAL CHECK (p_holm BETWEEN 0 AND 1),
  wins        INTEGER NOT NULL CHECK (wins >= 0),
  ties        INTEGER NOT NULL CHECK (ties >= 0),
  losses      INTEGER NOT NULL CHECK (losses >= 0),
  verdict     TEXT    NOT NULL CHECK (verdict IN ('better', 'worse', 'no clear difference', 'not tested')),
  warnings    TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(warnings)),
  PRIMARY KEY (run_id, metric, system_id, baseline_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recommendations (
  run_id     INTEGER NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  profile    TEXT    NOT NULL,
  winner_id  INTEGER REFERENCES systems (system_id) ON DELETE CASCADE,
  closest_id INTEGER REFERENCES systems (system_id) ON DELETE CASCADE,
  body       TEXT    NOT NULL CHECK (json_valid(body)),
  created_at TEXT    NOT NULL,
  PRIMARY KEY (run_id, profile)
) STRICT, WITHOUT ROWID;
