-- Sentence windows: single sentences are searched, and a hit is read with its neighbours. A window is no chunk of its own:
-- it stands under its best sentence, its text is cut from the document.

-- name: retrieve :many
-- The windows around the :depth best places (final), and the sentences searched. A place is a sentence that lies in the
-- window of no better one of its document. Windows of a document that touch or overlap are one, with the rank and the
-- score of its best sentence. metadata has the span of the document, in characters, and its text.
WITH RECURSIVE
sentence AS MATERIALIZED (
  SELECT chunk_id, rank, score, elapsed_ms
  FROM vector_search(:vectors, :query_vector, :pool)
),
found AS MATERIALIZED (
  SELECT c.document_id, c.position, s.rank, row_number() OVER (PARTITION BY c.document_id ORDER BY s.rank) AS n
  FROM sentence AS s
  CROSS JOIN chunks AS c ON c.chunk_id = s.chunk_id
),
-- The hits of each document, best first, with the positions of the places so far; a hit that is one comes last among them.
walk AS (
  SELECT document_id, position, rank, n, json_array(position) AS places
  FROM found
  WHERE n = 1
  UNION ALL
  SELECT f.document_id, f.position, f.rank, f.n,
         iif(EXISTS (SELECT 1 FROM json_each(w.places) AS p WHERE abs(p.value - f.position) <= :window),
             w.places,
             json_insert(w.places, '$[#]', f.position))
  FROM walk AS w
  CROSS JOIN found AS f ON f.document_id = w.document_id AND f.n = w.n + 1
),
seeds AS (
  SELECT document_id, position, rank, row_number() OVER (ORDER BY rank) AS place
  FROM walk
  WHERE places ->> '$[#-1]' = position
),
windows AS (
  SELECT document_id, rank,
         max(position - :window, 0) AS first,
         min(position + :window, (SELECT max(c.position) FROM chunks AS c WHERE c.document_id = s.document_id AND c.index_id = :index)) AS last
  FROM seeds AS s
  WHERE place <= :depth
),
edges AS (
  SELECT document_id, rank, first, last,
         coalesce(first > 1 + max(last) OVER (PARTITION BY document_id ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1) AS opens
  FROM windows
),
islands AS (
  SELECT document_id, rank, first, last, sum(opens) OVER (PARTITION BY document_id ORDER BY first) AS island
  FROM edges
),
merged AS MATERIALIZED (
  SELECT document_id, min(rank) AS best, min(first) AS first, max(last) AS last, count(*) AS places
  FROM islands
  GROUP BY document_id, island
),
cut AS (
  SELECT m.best, m.document_id, m.first, m.last, m.places, f.start_char, l.end_char
  FROM merged AS m
  CROSS JOIN chunks AS f ON f.document_id = m.document_id AND f.index_id = :index AND f.position = m.first
  CROSS JOIN chunks AS l ON l.document_id = m.document_id AND l.index_id = :index AND l.position = m.last
)
SELECT 'final' AS leg, row_number() OVER (ORDER BY w.best) AS rank, s.chunk_id, s.score, 0.0 AS elapsed_ms,
       json_object(
         'start_char', CAST(w.start_char AS TEXT),
         'end_char', CAST(w.end_char AS TEXT),
         'first_sentence', CAST(w.first AS TEXT),
         'last_sentence', CAST(w.last AS TEXT),
         'places', CAST(w.places AS TEXT),
         'text', substr(d.text, w.start_char + 1, w.end_char - w.start_char)
       ) AS metadata
FROM cut AS w
JOIN sentence AS s ON s.rank = w.best
JOIN documents AS d ON d.document_id = w.document_id
UNION ALL
SELECT 'sentence', rank, chunk_id, score, elapsed_ms, NULL
FROM sentence
ORDER BY leg, rank, chunk_id;
