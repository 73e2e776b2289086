-- The knowledge graph of an index (GraphRAG). Entities and community reports are chunks too, so BM25 and vectors
-- search them like anything else; these tables hold what makes them a graph.

CREATE TABLE graph_communities (
  community_id INTEGER PRIMARY KEY,
  index_id     INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  level        INTEGER NOT NULL CHECK (level >= 0),
  title        TEXT    NOT NULL,
  chunk_id     INTEGER REFERENCES chunks (chunk_id)  -- its report
) STRICT;

CREATE TABLE graph_entities (
  entity_id    INTEGER PRIMARY KEY,
  index_id     INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  name         TEXT    NOT NULL CHECK (name <> ''),  -- merged form: case, spacing and a leading "the" do not count
  label        TEXT    NOT NULL,                     -- as first written
  type         TEXT    NOT NULL,
  description  TEXT    NOT NULL,
  community_id INTEGER REFERENCES graph_communities (community_id),
  chunk_id     INTEGER REFERENCES chunks (chunk_id),
  UNIQUE (index_id, name)
) STRICT;

-- Undirected: the smaller entity_id comes first. weight counts how often the relation was found.
CREATE TABLE graph_relations (
  relation_id INTEGER PRIMARY KEY,
  index_id    INTEGER NOT NULL REFERENCES indexes (index_id) ON DELETE CASCADE,
  source_id   INTEGER NOT NULL REFERENCES graph_entities (entity_id),
  target_id   INTEGER NOT NULL REFERENCES graph_entities (entity_id),
  description TEXT    NOT NULL,
  weight      REAL    NOT NULL CHECK (weight > 0),
  CHECK (source_id < target_id),
  UNIQUE (index_id, source_id, target_id)
) STRICT;

CREATE TABLE graph_mentions (
  entity_id INTEGER NOT NULL REFERENCES graph_entities (entity_id),
  chunk_id  INTEGER NOT NULL REFERENCES chunks (chunk_id),
  PRIMARY KEY (entity_id, chunk_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX graph_mentions_by_chunk ON graph_mentions (chunk_id, entity_id);

CREATE INDEX graph_entities_by_chunk ON graph_entities (chunk_id);
CREATE INDEX graph_communities_by_chunk ON graph_communities (chunk_id);
