-- Building and dropping the lexical index of the chunks of an index. Statements of kind script are templates: fts_0 and the
-- number 0 in "analysis_id = 0" stand for the analysis, 'unicode61' for its tokenizer.

-- name: chunk_span :one
-- Chunks are read in one pass over this range of ids.
SELECT i.num_chunks, count(c.chunk_id), coalesce(min(c.chunk_id), 0), coalesce(max(c.chunk_id), -1)
FROM indexes AS i
LEFT JOIN chunks AS c ON c.index_id = i.index_id
WHERE i.index_id = :index_id
GROUP BY i.index_id;

-- name: chunk_texts :many
-- The plus keeps SQLite from sorting: the range of ids is scanned in order.
SELECT chunk_id, coalesce(search_text, text)
FROM chunks
WHERE chunk_id BETWEEN :first AND :last
  AND +index_id = :index_id
ORDER BY chunk_id;

-- name: find_analysis :one
SELECT analysis_id
FROM lexical_analyses
WHERE index_id = :index_id
  AND tokenizer = :tokenizer
  AND stop_words = :stop_words;

-- name: put_analysis :exec
INSERT INTO lexical_analyses (index_id, tokenizer, bigrams, stop_words, num_rows, num_tokens, num_terms, build_ms)
VALUES (:index_id, :tokenizer, 0, :stop_words, 0, 0, 0, 0);

-- name: finish_analysis :exec
UPDATE lexical_analyses
SET bigrams = :bigrams,
    num_rows = :num_rows,
    num_tokens = :num_tokens,
    num_terms = :num_terms,
    build_ms = :build_ms
WHERE analysis_id = :analysis_id;

-- name: put_text :exec
INSERT INTO lexical_texts (analysis_id, chunk_id, text)
VALUES (:analysis_id, :chunk_id, :text);

-- name: put_rows :exec
INSERT INTO lexical_rows (analysis_id, first_row, num_rows, data)
VALUES (:analysis_id, :first_row, :num_rows, :data);

-- name: put_term :exec
INSERT INTO postings (analysis_id, term, df, data)
VALUES (:analysis_id, :term, :df, :data);

-- name: create_content :script
-- What fts_0 indexes, a row a chunk: the chunk's text, or what the analysis made of it.
CREATE VIEW fts_0_content AS
SELECT c.chunk_id,
       coalesce(t.text, c.search_text, c.text) AS text
FROM lexical_analyses AS a
JOIN chunks AS c ON c.index_id = a.index_id
LEFT JOIN lexical_texts AS t ON t.analysis_id = a.analysis_id AND t.chunk_id = c.chunk_id
WHERE a.analysis_id = 0;

-- name: create_fts :script
CREATE VIRTUAL TABLE fts_0 USING fts5(
  text,
  content = 'fts_0_content',
  content_rowid = 'chunk_id',
  tokenize = 'unicode61'
);

-- name: set_hash_size :script
-- 32 MB of terms in memory before FTS5 writes a segment, in place of 1 MB: fewer segments to merge.
INSERT INTO fts_0 (fts_0, rank)
VALUES ('hashsize', 33554432);

-- name: fill_fts :script
-- The rows of fts_0_content. The plus keeps SQLite from sorting: the range of ids is scanned in order.
INSERT INTO fts_0 (rowid, text)
SELECT c.chunk_id, coalesce(t.text, c.search_text, c.text)
FROM chunks AS c
LEFT JOIN lexical_texts AS t ON t.chunk_id = c.chunk_id AND t.analysis_id = 0
WHERE c.chunk_id BETWEEN :first AND :last
  AND +c.index_id = :index_id
ORDER BY c.chunk_id;

-- name: reset_hash_size :script
-- Back to the default, which the table keeps for whoever writes to it.
INSERT INTO fts_0 (fts_0, rank)
VALUES ('hashsize', 1048576);

-- name: check_fts :script
-- Fails when the FTS5 table does not hold what its content says.
INSERT INTO fts_0 (fts_0, rank)
VALUES ('integrity-check', 1);

-- name: count_fts :script
SELECT count(*)
FROM fts_0_docsize;

-- name: create_vocabulary :script
CREATE VIRTUAL TABLE temp.fts_0_vocabulary USING fts5vocab('main', 'fts_0', 'row');

-- name: compare_vocabulary :script
-- The terms and occurrences of the FTS5 table, and how many of the terms the postings count differently.
SELECT count(*),
       coalesce(sum(v.cnt), 0),
       coalesce(sum(p.df IS NOT v.doc), 0)
FROM temp.fts_0_vocabulary AS v
LEFT JOIN postings AS p ON p.analysis_id = 0 AND p.term = CAST(v.term AS BLOB);

-- name: drop_vocabulary :script
DROP TABLE temp.fts_0_vocabulary;

-- name: put_lexical :exec
INSERT INTO lexical_indexes (analysis_id, formula, k1, b)
VALUES (:analysis_id, :formula, :k1, :b)
ON CONFLICT (analysis_id, formula, k1, b) DO NOTHING;

-- name: find_lexical :one
SELECT lexical_id
FROM lexical_indexes
WHERE analysis_id = :analysis_id
  AND formula = :formula
  AND k1 = :k1
  AND b = :b;

-- name: analyses_of :many
SELECT analysis_id
FROM lexical_analyses
WHERE index_id = :index_id
ORDER BY analysis_id;

-- name: drop_fts :script
DROP TABLE fts_0;

-- name: drop_content :script
DROP VIEW fts_0_content;

-- name: drop_analysis :exec
DELETE FROM lexical_analyses
WHERE analysis_id = :analysis_id;

-- name: drop_vectors :exec
DELETE FROM vector_indexes
WHERE index_id = :index_id;
