-- Indexes and their chunks.

-- name: find_index :one
SELECT index_id, num_chunks
FROM indexes
WHERE key = :key;

-- name: put_index :one
INSERT INTO indexes (key, corpus_sha256, recipe, tokenizer, num_chunks, build_ms, created_at)
VALUES (:key, :corpus_sha256, :recipe, :tokenizer, 0, 0, :created_at)
RETURNING index_id;

-- name: finish_index :exec
UPDATE indexes
SET num_chunks = :num_chunks,
    build_ms = :build_ms
WHERE index_id = :index_id;

-- name: set_cut_tokens :exec
UPDATE indexes
SET metadata = json_set(metadata, '$.cut_tokens', :tokens)
WHERE index_id = :index_id;

-- name: cut_tokens :one
SELECT coalesce(metadata ->> 'cut_tokens', 0)
FROM indexes
WHERE index_id = :index_id;

-- name: put_chunk :exec
INSERT INTO chunks (index_id, document_id, key, kind, position, parent_id, start_char, end_char, prefix_chars, text, search_text, text_sha256, token_count, metadata)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);

-- name: get_chunks :many
-- Chunks by id, as a JSON array of ids in :ids.
SELECT c.chunk_id, c.key, d.doc_id, c.document_id, c.kind, c.position, c.start_char, c.end_char, c.prefix_chars, c.text, coalesce(c.search_text, ''), c.token_count
FROM json_each(:ids) AS j
JOIN chunks AS c ON c.chunk_id = j.value
JOIN documents AS d ON d.document_id = c.document_id
ORDER BY j.key;

-- name: vector_usage :one
-- How many chunks of an index have a vector and what embedding all of them costs in tokens: each distinct text once.
SELECT (SELECT count(*) FROM chunks AS c JOIN vector_slots AS s ON s.embedder_id = :embedder_id AND s.text_sha256 = c.text_sha256 WHERE c.index_id = :index_id),
       coalesce(sum(s.input_tokens), 0)
FROM (SELECT DISTINCT text_sha256 FROM chunks WHERE index_id = :index_id) AS t
JOIN vector_slots AS s ON s.embedder_id = :embedder_id AND s.text_sha256 = t.text_sha256;

-- name: count_built :one
-- How many lexical analyses an index has, and whether its vectors in a space are indexed.
SELECT (SELECT count(*) FROM lexical_analyses WHERE index_id = :index_id),
       (SELECT count(*) FROM vector_indexes WHERE index_id = :index_id AND embedder_id = :embedder_id);
