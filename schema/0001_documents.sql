-- The corpus: documents as loaded, the datasets that hold them, questions and labels.
-- A dataset is a snapshot. Ingesting changed input makes a new one that shares the rows of every unchanged document,
-- so that results of an earlier run keep the very texts they were made from.

-- What the file says of itself: the version that made it, the digest of the views it holds.
CREATE TABLE file_info (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One text under one stable name. Offsets of chunks and evidence are code points of text, as substr() counts them.
CREATE TABLE documents (
  document_id INTEGER PRIMARY KEY,
  doc_id      TEXT    NOT NULL CHECK (doc_id <> ''),
  sha256      TEXT    NOT NULL CHECK (length(sha256) = 64),
  title       TEXT    NOT NULL,
  text        TEXT    NOT NULL,
  source_path TEXT    NOT NULL,
  media_type  TEXT    NOT NULL,
  encoding    TEXT    NOT NULL,
  metadata    TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  num_chars   INTEGER NOT NULL CHECK (num_chars >= 0),
  num_bytes   INTEGER NOT NULL CHECK (num_bytes >= num_chars),
  UNIQUE (doc_id, sha256)
) STRICT;

-- corpus_sha256 covers the documents alone: indexes hang on it, so new questions rebuild nothing.
CREATE TABLE datasets (
  dataset_id    INTEGER PRIMARY KEY,
  name          TEXT    NOT NULL CHECK (name <> ''),
  sha256        TEXT    NOT NULL CHECK (length(sha256) = 64),
  corpus_sha256 TEXT    NOT NULL CHECK (length(corpus_sha256) = 64),
  source        TEXT    NOT NULL,
  num_documents INTEGER NOT NULL CHECK (num_documents >= 0),
  num_questions INTEGER NOT NULL CHECK (num_questions >= 0),
  created_at    TEXT    NOT NULL,
  UNIQUE (name, sha256)
) STRICT;

-- Which documents a dataset holds, in the order of their ids.
CREATE TABLE dataset_documents (
  dataset_id  INTEGER NOT NULL REFERENCES datasets (dataset_id) ON DELETE CASCADE,
  position    INTEGER NOT NULL CHECK (position >= 0),
  document_id INTEGER NOT NULL REFERENCES documents (document_id),
  PRIMARY KEY (dataset_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX dataset_documents_by_document ON dataset_documents (document_id, dataset_id);

CREATE TABLE questions (
  question_id      INTEGER PRIMARY KEY,
  dataset_id       INTEGER NOT NULL REFERENCES datasets (dataset_id) ON DELETE CASCADE,
  position         INTEGER NOT NULL CHECK (position >= 0),
  qid              TEXT    NOT NULL CHECK (qid <> ''),
  text             TEXT    NOT NULL,
  answerable       INTEGER NOT NULL DEFAULT 1 CHECK (answerable IN (0, 1)),
  labelled         INTEGER NOT NULL DEFAULT 0 CHECK (labelled IN (0, 1)),
  reference_answer TEXT,
  category         TEXT,
  difficulty       TEXT,
  answer_type      TEXT,
  keywords         TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(keywords)),
  required_tools   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(required_tools)),
  routing_hint     TEXT,
  metadata         TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  UNIQUE (dataset_id, qid)
) STRICT;

-- Relevance labels by document id, which may name a document the corpus lacks. relevant is the binary label that
-- recall, precision, hit and MRR use; grade is the gain that nDCG uses. They differ only where a question has both a
-- list of relevant documents and graded judgments.
CREATE TABLE qrels (
  question_id INTEGER NOT NULL REFERENCES questions (question_id) ON DELETE CASCADE,
  doc_id      TEXT    NOT NULL CHECK (doc_id <> ''),
  grade       INTEGER NOT NULL,
  relevant    INTEGER NOT NULL CHECK (relevant IN (0, 1)),
  PRIMARY KEY (question_id, doc_id)
) STRICT, WITHOUT ROWID;

-- Labels on spans of documents: they survive re-chunking. A span of -1 is one whose words were not found.
CREATE TABLE evidence (
  question_id INTEGER NOT NULL REFERENCES questions (question_id) ON DELETE CASCADE,
  position    INTEGER NOT NULL CHECK (position >= 0),
  doc_id      TEXT    NOT NULL CHECK (doc_id <> ''),
  start_char  INTEGER NOT NULL CHECK (start_char >= -1),
  end_char    INTEGER NOT NULL CHECK (end_char >= start_char),
  quote       TEXT    NOT NULL,
  PRIMARY KEY (question_id, position)
) STRICT, WITHOUT ROWID;

-- What a reader of the results should know about the input, such as an empty document or a label for a missing one.
CREATE TABLE dataset_warnings (
  dataset_id INTEGER NOT NULL REFERENCES datasets (dataset_id) ON DELETE CASCADE,
  position   INTEGER NOT NULL CHECK (position >= 0),
  code       TEXT    NOT NULL CHECK (code <> ''),
  subject    TEXT    NOT NULL,
  message    TEXT    NOT NULL,
  PRIMARY KEY (dataset_id, position)
) STRICT, WITHOUT ROWID;
