-- Writing vectors.

-- name: put_embedder :exec
INSERT INTO embedders (provider, model, revision, dims, normalised, prefix, query_prefix)
VALUES (:provider, :model, :revision, :dims, :normalised, :prefix, :query_prefix)
ON CONFLICT (provider, model, revision, dims, normalised, prefix, query_prefix) DO NOTHING;

-- name: find_embedder :one
SELECT embedder_id
FROM embedders
WHERE provider = :provider
  AND model = :model
  AND revision = :revision
  AND dims = :dims
  AND normalised = :normalised
  AND prefix = :prefix
  AND query_prefix = :query_prefix;

-- name: embedder :one
SELECT dims
FROM embedders
WHERE embedder_id = :embedder_id;

-- name: missing_texts :many
-- Each distinct text of an index without a vector, at the first chunk that has it.
SELECT c.text_sha256, coalesce(c.search_text, c.text), c.key
FROM (
  SELECT min(chunk_id) AS chunk_id
  FROM chunks
  WHERE index_id = :index_id
  GROUP BY text_sha256
) AS distinct_texts
JOIN chunks AS c ON c.chunk_id = distinct_texts.chunk_id
WHERE NOT EXISTS (
  SELECT 1
  FROM vector_slots AS s
  WHERE s.embedder_id = :embedder_id
    AND s.text_sha256 = c.text_sha256
)
ORDER BY c.chunk_id;

-- name: has_vector :one
SELECT EXISTS (
  SELECT 1
  FROM vector_slots
  WHERE embedder_id = :embedder_id
    AND text_sha256 = :text_sha256
);

-- name: last_block :one
SELECT block, num_vectors
FROM vector_blocks
WHERE embedder_id = :embedder_id
ORDER BY block DESC
LIMIT 1;

-- name: put_block :exec
INSERT INTO vector_blocks (embedder_id, block, dims, num_vectors, data)
VALUES (:embedder_id, :block, :dims, :num_vectors, :data);

-- name: extend_block :exec
UPDATE vector_blocks
SET data = CAST(data || :data AS BLOB),
    num_vectors = num_vectors + :num_vectors
WHERE embedder_id = :embedder_id
  AND block = :block;

-- name: put_slot :exec
INSERT INTO vector_slots (embedder_id, text_sha256, block, slot, input_tokens, truncated)
VALUES (:embedder_id, :text_sha256, :block, :slot, :input_tokens, :truncated);

-- name: count_vectors :one
-- How many chunks of an index have a vector, and how many have none.
SELECT count(s.text_sha256), count(*) - count(s.text_sha256)
FROM chunks AS c
LEFT JOIN vector_slots AS s ON s.embedder_id = :embedder_id AND s.text_sha256 = c.text_sha256
WHERE c.index_id = :index_id;

-- name: put_vector_index :exec
INSERT INTO vector_indexes (index_id, embedder_id, num_vectors, build_ms)
VALUES (:index_id, :embedder_id, :num_vectors, :build_ms)
ON CONFLICT (index_id, embedder_id) DO UPDATE
SET num_vectors = excluded.num_vectors;

-- name: find_vector_index :one
SELECT vector_id
FROM vector_indexes
WHERE index_id = :index_id
  AND embedder_id = :embedder_id;
