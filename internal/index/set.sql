-- What a Set reads.

-- name: lexical :one
SELECT analysis_id, formula, k1, b
FROM lexical_indexes
WHERE lexical_id = :lexical_id;

-- name: analysis :one
SELECT tokenizer, stop_words, num_rows, num_tokens, num_terms
FROM lexical_analyses
WHERE analysis_id = :analysis_id;

-- name: rows :many
SELECT num_rows, data
FROM lexical_rows
WHERE analysis_id = :analysis_id
ORDER BY first_row;

-- name: term :one
SELECT df, data
FROM postings
WHERE analysis_id = :analysis_id
  AND term = :term;

-- name: document_frequencies :many
SELECT df, count(*)
FROM postings
WHERE analysis_id = :analysis_id
GROUP BY df
ORDER BY df;

-- name: vector :one
SELECT v.index_id, v.embedder_id, e.dims, v.num_vectors
FROM vector_indexes AS v
JOIN embedders AS e ON e.embedder_id = v.embedder_id
WHERE v.vector_id = :vector_id;

-- name: slots :many
-- Where the vectors of an index are, a row a chunk that has one, block by block.
SELECT s.block, s.slot, c.chunk_id
FROM chunks AS c
JOIN vector_slots AS s ON s.embedder_id = :embedder_id AND s.text_sha256 = c.text_sha256
WHERE c.index_id = :index_id
ORDER BY s.block, s.slot, c.chunk_id;

-- name: block :one
SELECT data
FROM vector_blocks
WHERE embedder_id = :embedder_id
  AND block = :block;
