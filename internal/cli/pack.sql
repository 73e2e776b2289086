-- What pack takes out of a copy.

-- name: drop_messages :exec
DELETE FROM call_parts;

-- name: drop_unused_prompts :exec
DELETE FROM prompts;

-- name: drop_vector_slots :exec
DELETE FROM vector_slots;

-- name: drop_vector_blocks :exec
DELETE FROM vector_blocks;

-- name: drop_call_vectors :exec
DELETE FROM call_vectors;

-- name: hide_chunks :exec
-- The text of a chunk becomes its key: a text cannot be empty.
UPDATE chunks
SET text = key,
    search_text = NULL,
    prefix_chars = 0,
    metadata = '{}';

-- name: hide_documents :exec
UPDATE documents
SET text = '',
    title = '',
    metadata = '{}';

-- name: hide_evidence :exec
UPDATE evidence
SET quote = '';

-- name: hide_replies :exec
-- Replies hold what models made of the documents; the answers have their own column.
UPDATE model_calls
SET response = '{}'
WHERE kind = 'chat';

-- name: hide_steps :exec
UPDATE steps
SET input = '',
    output = '';

-- name: indexes :many
SELECT index_id
FROM indexes
ORDER BY index_id;
