-- RAGLite's manual pipeline: hybrid search with the vectors weighing three times the words, under a filter on metadata;
-- after reranking, the best chunks and their neighbours are joined to spans.

-- name: search :many
-- The fused list and the two it was made from. :lexical 0 leaves words out, :vectors 0 vectors. A chunk is as near as
-- its nearest vector: its own or, with :parts above 0, that of one of its parts. :filter is JSON {field: [value, ...]}: a
-- document matches when, for every field, its metadata holds every value. With a filter :everything is ranked, so that
-- none that matches is missed. Reciprocal ranks count from 0 here. Ties go to the chunk seen first: words before vectors,
-- then by rank.
WITH
wanted AS MATERIALIZED (
  SELECT f.key AS field, v.value AS value
  FROM json_each(:filter) AS f, json_each(f.value) AS v
),
allowed AS MATERIALIZED (
  SELECT d.document_id
  FROM documents AS d
  WHERE :filter <> '{}'
    AND NOT EXISTS (
    SELECT 1
    FROM wanted AS w
    WHERE NOT EXISTS (
      SELECT 1
      FROM json_each(d.metadata) AS m, json_each(iif(json_valid(m.value), iif(json_type(m.value) = 'array', m.value, json_array(m.value)), json_array(m.value))) AS held
      WHERE m.key = w.field
        AND CAST(held.value AS TEXT) = w.value
    )
  )
),
text_query AS MATERIALIZED (
  SELECT :question AS text
  WHERE :lexical > 0
),
vector_query AS MATERIALIZED (
  SELECT :query_vector AS vector
  WHERE :vectors > 0
),
part_query AS MATERIALIZED (
  SELECT :query_vector AS vector
  WHERE :parts > 0
),
text_hits AS MATERIALIZED (
  SELECT s.chunk_id, s.score, s.elapsed_ms
  FROM text_query AS q, bm25_search(:lexical, q.text, iif(:filter = '{}', :pool, :everything)) AS s
),
vector_hits AS MATERIALIZED (
  SELECT s.chunk_id, s.score, s.elapsed_ms
  FROM vector_query AS q, vector_search(:vectors, q.vector, iif(:filter = '{}', :pool, :everything)) AS s
),
part_hits AS MATERIALIZED (
  SELECT s.chunk_id, s.score, s.elapsed_ms
  FROM part_query AS q, vector_search(:parts, q.vector, iif(:filter = '{}', 4 * :pool, :everything)) AS s
),
near AS (
  SELECT chunk_id, score, elapsed_ms
  FROM vector_hits
  UNION ALL
  SELECT c.chunk_id, h.score, h.elapsed_ms
  FROM part_hits AS h
  CROSS JOIN chunks AS p ON p.chunk_id = h.chunk_id
  CROSS JOIN chunks AS c ON c.index_id = :index AND c.key = p.metadata ->> 'chunk'
),
bm25 AS MATERIALIZED (
  SELECT h.chunk_id, row_number() OVER (ORDER BY h.score DESC, h.chunk_id) AS rank, h.score, h.elapsed_ms
  FROM text_hits AS h
  CROSS JOIN chunks AS c ON c.chunk_id = h.chunk_id
  WHERE :filter = '{}'
     OR c.document_id IN (SELECT document_id FROM allowed)
  ORDER BY rank
  LIMIT :pool
),
vector AS MATERIALIZED (
  SELECT h.chunk_id, row_number() OVER (ORDER BY max(h.score) DESC, h.chunk_id) AS rank, max(h.score) AS score, max(h.elapsed_ms) AS elapsed_ms
  FROM near AS h
  CROSS JOIN chunks AS c ON c.chunk_id = h.chunk_id
  WHERE :filter = '{}'
     OR c.document_id IN (SELECT document_id FROM allowed)
  GROUP BY h.chunk_id
  ORDER BY rank
  LIMIT :pool
),
votes AS (
  SELECT chunk_id, :bm25_weight / (:rrf_k + rank - 1) AS vote, 1 AS list, rank
  FROM bm25
  UNION ALL
  SELECT chunk_id, :vector_weight / (:rrf_k + rank - 1) AS vote, 2 AS list, rank
  FROM vector
),
fused AS (
  SELECT chunk_id, sum(vote) AS score, row_number() OVER (ORDER BY sum(vote) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM votes
  GROUP BY chunk_id
)
SELECT 'fused' AS leg, rank, chunk_id, score, 0.0 AS elapsed_ms
FROM fused
WHERE rank <= :candidates
UNION ALL
SELECT 'bm25', rank, chunk_id, score, elapsed_ms
FROM bm25
UNION ALL
SELECT 'vector', rank, chunk_id, score, elapsed_ms
FROM vector
ORDER BY leg, rank, chunk_id;

-- name: spans :many
-- Joins the chunks of :given, JSON [chunk, ...] best first, and their :before and :after neighbours to spans: maximal
-- runs of neighbours within one document. A span scores the sum over its given chunks of 1 / place; neighbours that were
-- not given add nothing. One row a given chunk, with its share of the span's text: up to the next given chunk, the
-- neighbours in between with it, verbatim from the document. Best span first, each in the order of the document.
WITH
given AS MATERIALIZED (
  SELECT j.key + 1 AS place, c.chunk_id, c.index_id, c.document_id, c.kind, c.position
  FROM json_each(:given) AS j
  JOIN chunks AS c ON c.chunk_id = j.value
),
members AS MATERIALIZED (
  SELECT DISTINCT c.chunk_id, c.document_id, c.position, c.start_char, c.end_char
  FROM given AS g
  JOIN chunks AS c ON c.document_id = g.document_id
    AND c.index_id = g.index_id
    AND c.position BETWEEN g.position - :before AND g.position + :after
    AND c.kind = g.kind
),
runs AS MATERIALIZED (
  SELECT m.chunk_id, m.document_id, m.position, m.start_char, m.end_char, g.place,
         m.position - row_number() OVER (PARTITION BY m.document_id ORDER BY m.position) AS run
  FROM members AS m
  LEFT JOIN given AS g ON g.chunk_id = m.chunk_id
),
spans AS MATERIALIZED (
  SELECT document_id, run, min(position) AS first, max(position) AS last, min(start_char) AS start_char, max(end_char) AS end_char,
         total(1.0 / place) AS score
  FROM runs
  GROUP BY document_id, run
),
ranked AS (
  SELECT s.document_id, s.run, s.first, s.last, s.start_char, s.end_char, s.score, row_number() OVER (ORDER BY s.score DESC, d.doc_id, s.first) AS span
  FROM spans AS s
  JOIN documents AS d ON d.document_id = s.document_id
),
shares AS (
  SELECT s.span, s.score, s.first, s.last, r.chunk_id, r.document_id, r.position,
         iif(row_number() OVER w = 1, s.start_char, r.start_char) AS start_char,
         lead(r.start_char, 1, s.end_char) OVER w AS end_char
  FROM runs AS r
  JOIN ranked AS s ON s.document_id = r.document_id AND s.run = r.run
  WHERE r.place IS NOT NULL
  WINDOW w AS (PARTITION BY s.span ORDER BY r.position)
)
SELECT h.span, h.score, h.first, h.last, h.chunk_id, h.start_char, h.end_char, substr(d.text, h.start_char + 1, h.end_char - h.start_char) AS text, d.title
FROM shares AS h
JOIN documents AS d ON d.document_id = h.document_id
ORDER BY h.span, h.position;

-- name: recipe :one
-- What an index was made by, for the key of the parts of its chunks.
SELECT key, recipe, tokenizer, corpus_sha256
FROM indexes
WHERE index_id = :index;

-- name: chunk_texts :many
-- The chunks of an index with their text as the document has it.
SELECT c.key, c.document_id, d.doc_id, c.position, c.start_char, substr(c.text, c.prefix_chars + 1)
FROM chunks AS c
JOIN documents AS d ON d.document_id = c.document_id
WHERE c.index_id = :index
ORDER BY c.chunk_id;

-- name: labels :many
-- The labelled questions of a dataset with each relevant document.
SELECT q.question_id, q.text, r.doc_id
FROM questions AS q
JOIN qrels AS r ON r.question_id = q.question_id
WHERE q.dataset_id = :dataset
  AND r.relevant = 1
ORDER BY q.position, r.doc_id;

-- name: chunk_documents :many
-- The document of each chunk of :chunk_ids, JSON [chunk, ...], in that order.
SELECT d.doc_id
FROM json_each(:chunk_ids) AS j
JOIN chunks AS c ON c.chunk_id = j.value
JOIN documents AS d ON d.document_id = c.document_id
ORDER BY j.key;

-- name: set_adapter :exec
-- Keeps the query adapter of an index in a vector space beside the index.
UPDATE indexes
SET metadata = json_set(metadata, '$.query_adapter', json_set(coalesce(metadata -> '$.query_adapter', '{}'), '$.v' || :vectors, json(:adapter)))
WHERE index_id = :index;

-- name: adapter :one
SELECT metadata -> ('$.query_adapter.v' || :vectors)
FROM indexes
WHERE index_id = :index;
