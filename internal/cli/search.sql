-- What search and ask look up in a file.

-- name: search_indexes :many
-- The chunks of a corpus that can be searched, the newest first, each with the vectors of every model it has; parts,
-- sentences and other rows that stand for something else are left out. Of several ways to score words FTS5's own comes
-- first.
SELECT i.index_id, i.num_chunks, i.recipe ->> 'chunker' AS chunker,
       coalesce((
         SELECT l.lexical_id
         FROM lexical_indexes AS l
         JOIN lexical_analyses AS a ON a.analysis_id = l.analysis_id
         WHERE a.index_id = i.index_id
         ORDER BY l.formula <> 'fts5', l.lexical_id
         LIMIT 1
       ), 0) AS lexical_id,
       coalesce(v.vector_id, 0) AS vector_id, coalesce(e.provider, ''), coalesce(e.model, ''), coalesce(e.dims, 0)
FROM indexes AS i
LEFT JOIN vector_indexes AS v ON v.index_id = i.index_id
LEFT JOIN embedders AS e ON e.embedder_id = v.embedder_id
WHERE i.corpus_sha256 = :corpus
  AND i.recipe ->> 'kind' IN ('chunk', 'document')
ORDER BY i.index_id DESC, v.vector_id DESC;

-- name: system_config :many
-- The configuration of the newest run that has a system of a name, and its dataset.
SELECT r.config, r.mode, r.dataset_id
FROM systems AS s
JOIN runs AS r ON r.run_id = s.run_id
WHERE s.name = :name
ORDER BY r.run_id DESC
LIMIT 1;
