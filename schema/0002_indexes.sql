-- What retrieval searches. An index is the set of chunks that one recipe makes of one corpus, keyed by the SHA-256 of
-- both: two systems with the same recipe share it, and building it again costs nothing. Each is built in one
-- transaction, so a crash leaves none. Ids of indexes are never used twice (AUTOINCREMENT): another process may have the
-- old one in memory.

CREATE TABLE indexes (
  index_id      INTEGER PRIMARY KEY AUTOINCREMENT,
  key           TEXT    NOT NULL UNIQUE CHECK (length(key) = 64),
  corpus_sha256 TEXT    NOT NULL CHECK (length(corpus_sha256) = 64),
  recipe        TEXT    NOT NULL CHECK (json_valid(recipe)),
  tokenizer     TEXT    NOT NULL,               -- what chunks.token_count was counted with
  num_chunks    INTEGER NOT NULL CHECK (num_chunks >= 0),
  build_ms      REAL    NOT NULL CHECK (build_ms >= 0),
  metadata      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at    TEXT    NOT NULL
) STRICT;

-- Everything that can be retrieved is a chunk. text is what the generator reads; search_text (NULL: the same) is what
-- is indexed and embedded. substr(text, prefix_chars + 1) = substr(document's text, start_char + 1, end_char - start_char).
CREATE TABLE chunks (
  chunk_id     INTEGER PRIMARY KEY,
  index_id     INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  document_id  INTEGER REFERENCES documents (document_id),
  key          TEXT    NOT NULL CHECK (key <> ''),
  kind         TEXT    NOT NULL CHECK (kind = 'chunk' OR kind = 'document' OR kind = 'parent' OR kind = 'child' OR kind = 'sentence' OR kind = 'card' OR kind = 'entity' OR kind = 'community' OR kind = 'summary' OR kind = 'external'),
  position     INTEGER NOT NULL CHECK (position >= 0),  -- within its document
  parent_id    INTEGER REFERENCES chunks (chunk_id),
  start_char   INTEGER CHECK (start_char >= 0),
  end_char     INTEGER CHECK (end_char > start_char),
  prefix_chars INTEGER NOT NULL DEFAULT 0 CHECK (prefix_chars >= 0),
  text         TEXT    NOT NULL CHECK (text <> ''),
  search_text  TEXT    CHECK (search_text <> ''),
  text_sha256  BLOB    NOT NULL CHECK (length(text_sha256) = 32),  -- of coalesce(search_text, text)
  token_count  INTEGER NOT NULL CHECK (token_count >= 0),
  metadata     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  UNIQUE (index_id, key)
) STRICT;

CREATE INDEX chunks_by_document ON chunks (document_id, index_id, position);
CREATE INDEX chunks_by_parent ON chunks (parent_id) WHERE parent_id IS NOT NULL;

-- Links between chunks: tree edges, mentions, neighbours.
CREATE TABLE chunk_edges (
  from_chunk_id INTEGER NOT NULL REFERENCES chunks (chunk_id) ON DELETE CASCADE,
  kind          TEXT    NOT NULL CHECK (kind <> ''),
  to_chunk_id   INTEGER NOT NULL REFERENCES chunks (chunk_id) ON DELETE CASCADE,
  weight        REAL    NOT NULL DEFAULT 1,
  PRIMARY KEY (from_chunk_id, kind, to_chunk_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX chunk_edges_by_target ON chunk_edges (to_chunk_id, kind);

-- How the chunks of an index are cut into terms. For each there is an FTS5 table fts_N (N = analysis_id) that anyone
-- can query, and postings with the same terms for speed.
CREATE TABLE lexical_analyses (
  analysis_id INTEGER PRIMARY KEY AUTOINCREMENT,
  index_id    INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  tokenizer   TEXT    NOT NULL CHECK (tokenizer <> ''),   -- as FTS5's tokenize option has it
  bigrams     INTEGER NOT NULL CHECK (bigrams IN (0, 1)), -- runs of scripts without spaces are indexed as bigrams
  stop_words  TEXT    NOT NULL CHECK (stop_words IN ('none', 'english')),
  num_rows    INTEGER NOT NULL CHECK (num_rows >= 0),
  num_tokens  INTEGER NOT NULL CHECK (num_tokens >= 0),
  num_terms   INTEGER NOT NULL CHECK (num_terms >= 0),
  build_ms    REAL    NOT NULL CHECK (build_ms >= 0),
  UNIQUE (index_id, tokenizer, bigrams, stop_words)
) STRICT;

-- A way of scoring an analysis: the argument of bm25_search(lexical_id, question, k).
CREATE TABLE lexical_indexes (
  lexical_id  INTEGER PRIMARY KEY AUTOINCREMENT,
  analysis_id INTEGER NOT NULL REFERENCES lexical_analyses (analysis_id) ON DELETE CASCADE,
  formula     TEXT    NOT NULL CHECK (formula IN ('fts5', 'okapi', 'lucene')),
  k1          REAL    NOT NULL CHECK (k1 >= 0),
  b           REAL    NOT NULL CHECK (b BETWEEN 0 AND 1),
  UNIQUE (analysis_id, formula, k1, b)
) STRICT;

-- The text fts_N really holds for a chunk, where analysis changed it (bigrams inserted, stop words taken out).
CREATE TABLE lexical_texts (
  analysis_id INTEGER NOT NULL REFERENCES lexical_analyses (analysis_id) ON DELETE CASCADE,
  chunk_id    INTEGER NOT NULL,
  text        TEXT    NOT NULL,
  PRIMARY KEY (analysis_id, chunk_id)
) STRICT, WITHOUT ROWID;

-- One row a term. data: for each row holding it, ascending, the gap to the row before (varint) and the count (varint).
-- Rows are numbered from 0 in the order of chunk_id, as lexical_rows has them.
CREATE TABLE postings (
  analysis_id INTEGER NOT NULL REFERENCES lexical_analyses (analysis_id) ON DELETE CASCADE,
  term        BLOB    NOT NULL,
  df          INTEGER NOT NULL CHECK (df > 0),
  data        BLOB    NOT NULL,
  PRIMARY KEY (analysis_id, term)
) STRICT, WITHOUT ROWID;

-- The rows of an analysis, in blocks: chunk ids as varint gaps, then lengths in tokens as varints.
CREATE TABLE lexical_rows (
  analysis_id INTEGER NOT NULL REFERENCES lexical_analyses (analysis_id) ON DELETE CASCADE,
  first_row   INTEGER NOT NULL CHECK (first_row >= 0),
  num_rows    INTEGER NOT NULL CHECK (num_rows > 0),
  data        BLOB    NOT NULL,
  PRIMARY KEY (analysis_id, first_row)
) STRICT, WITHOUT ROWID;

-- A vector space. Vectors of different embedders are never compared.
CREATE TABLE embedders (
  embedder_id  INTEGER PRIMARY KEY,
  provider     TEXT    NOT NULL CHECK (provider <> ''),
  model        TEXT    NOT NULL CHECK (model <> ''),
  revision     TEXT    NOT NULL,
  dims         INTEGER NOT NULL CHECK (dims > 0),
  normalised   INTEGER NOT NULL CHECK (normalised IN (0, 1)),
  prefix       TEXT    NOT NULL,
  query_prefix TEXT    NOT NULL,
  UNIQUE (provider, model, revision, dims, normalised, prefix, query_prefix)
) STRICT;

-- Vectors as float32, little-endian, many to a row, so that all of them load in one pass. Nothing is stored twice:
-- the view embeddings slices one vector a row.
CREATE TABLE vector_blocks (
  embedder_id INTEGER NOT NULL REFERENCES embedders (embedder_id),
  block       INTEGER NOT NULL CHECK (block >= 0),
  dims        INTEGER NOT NULL CHECK (dims > 0),
  num_vectors INTEGER NOT NULL CHECK (num_vectors > 0),
  data        BLOB    NOT NULL CHECK (length(data) = 4 * dims * num_vectors),
  PRIMARY KEY (embedder_id, block)
) STRICT;

-- Where the vector of a text is, by the SHA-256 of the text.
CREATE TABLE vector_slots (
  embedder_id  INTEGER NOT NULL REFERENCES embedders (embedder_id),
  text_sha256  BLOB    NOT NULL CHECK (length(text_sha256) = 32),
  block        INTEGER NOT NULL,
  slot         INTEGER NOT NULL CHECK (slot >= 0),
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  truncated    INTEGER NOT NULL CHECK (truncated IN (0, 1)),
  PRIMARY KEY (embedder_id, text_sha256),
  FOREIGN KEY (embedder_id, block) REFERENCES vector_blocks (embedder_id, block)
) STRICT, WITHOUT ROWID;

-- The chunks of an index in a vector space: the argument of vector_search(vector_id, vector, k).
CREATE TABLE vector_indexes (
  vector_id   INTEGER PRIMARY KEY AUTOINCREMENT,
  index_id    INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  embedder_id INTEGER NOT NULL REFERENCES embedders (embedder_id),
  num_vectors INTEGER NOT NULL CHECK (num_vectors >= 0),
  build_ms    REAL    NOT NULL CHECK (build_ms >= 0),
  UNIQUE (index_id, embedder_id)
) STRICT;
