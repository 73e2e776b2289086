-- Copying, checking and reading through a whole file.

-- name: vacuum_into :exec
VACUUM INTO :path;

-- name: vacuum :exec
VACUUM;

-- name: integrity :many
SELECT integrity_check
FROM pragma_integrity_check
ORDER BY rowid;

-- name: broken_keys :many
PRAGMA foreign_key_check;

-- name: text_columns :many
-- Every column of every table. Shadow tables of the search index hold parts of words, and views no row of their own.
SELECT t.name, c.name
FROM pragma_table_list AS t
JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main'
  AND t.type = 'table'
  AND t.name NOT LIKE 'sqlite_%'
ORDER BY t.name, c.cid;

-- name: texts :many
-- A template: another table and column take the place of this one.
SELECT file_info.value
FROM file_info
WHERE typeof(file_info.value) = 'text'
  AND length(file_info.value) >= 8;
