-- What the file says of itself.

-- name: get_info :one
SELECT value
FROM file_info
WHERE key = :key;

-- name: put_info :exec
INSERT INTO file_info (key, value)
VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: count_objects :one
SELECT count(*)
FROM sqlite_schema;
