-- What if a system had run with other settings: rankings anew from the stored legs. The tables made here are temporary
-- and bear the names of the file's, so that the statements that score a run score what is in them; the file is not
-- changed.

-- name: shadow :script
CREATE TEMP TABLE answers AS
SELECT answer_id, system_id, question_id, status, ranked
FROM main.answers
WHERE system_id = :system_id;

CREATE TEMP TABLE hits (
  answer_id  INTEGER NOT NULL,
  leg        TEXT    NOT NULL,
  rank       INTEGER NOT NULL,
  chunk_id   INTEGER NOT NULL,
  doc_id     TEXT    NOT NULL,
  doc_rank   INTEGER,
  score      REAL    NOT NULL,
  in_context INTEGER NOT NULL,
  PRIMARY KEY (answer_id, leg, rank)
) WITHOUT ROWID;

CREATE TEMP TABLE scores (
  answer_id INTEGER NOT NULL,
  metric    TEXT    NOT NULL,
  value     REAL,
  reason    TEXT,
  PRIMARY KEY (answer_id, metric)
) WITHOUT ROWID;

-- name: find_system :many
-- The systems of a run, those of the name given first. depth is what every retrieval of the run was asked for.
SELECT s.system_id, s.name, s.type, s.config,
       (SELECT max(r.retrieval_depth, max(CAST(o.config ->> 'context_k' AS INTEGER))) FROM systems AS o WHERE o.run_id = s.run_id) AS depth,
       coalesce((
         SELECT CAST(substr(p.value, 9) AS INTEGER)
         FROM ingestions AS i, json_each(json_array(json(i.built), json(i.reused))) AS l, json_each(l.value) AS p
         WHERE i.system_id = s.system_id
           AND p.value LIKE 'vectors %'
         ORDER BY p.value
         LIMIT 1
       ), 0) AS vector_id
FROM systems AS s
JOIN runs AS r ON r.run_id = s.run_id
WHERE s.run_id = :run_id
ORDER BY s.name = :system DESC, s.position;

-- name: fuse :many
-- The lists of hybrid search, fused by weighted reciprocal rank as hybrid.sql does.
WITH
legs AS MATERIALIZED (
  SELECT h.answer_id, h.chunk_id, h.doc_id, h.rank,
         substr(h.leg, 1, instr(h.leg || '#', '#') - 1) AS search,
         CAST(substr(h.leg, instr(h.leg || '#', '#') + 1) AS INTEGER) AS wording
  FROM main.answers AS a
  CROSS JOIN main.hits AS h ON h.answer_id = a.answer_id AND h.leg <> 'final'
  WHERE a.system_id = :system_id
),
lists AS (
  SELECT answer_id, chunk_id, doc_id, rank, 2 * wording AS list, :bm25_weight AS weight
  FROM legs
  WHERE search = 'bm25'
    AND rank <= :bm25_depth
  UNION ALL
  SELECT answer_id, chunk_id, doc_id, rank, 2 * wording + 1, :vector_weight
  FROM legs
  WHERE search = 'vector'
    AND rank <= :vector_depth
),
fused AS (
  SELECT answer_id, chunk_id, doc_id, sum(weight / (:rrf_k + rank) ORDER BY list, rank) AS score,
         row_number() OVER (PARTITION BY answer_id ORDER BY sum(weight / (:rrf_k + rank) ORDER BY list, rank) DESC, min(list * 1000000 + rank), chunk_id) AS rank
  FROM lists
  GROUP BY answer_id, chunk_id
)
SELECT answer_id, rank, chunk_id, doc_id, score
FROM fused
WHERE rank <= :pool
ORDER BY answer_id, rank;

-- name: merge :many
-- The vector searches of one wording or several, merged by each chunk's best score as rerank.sql does.
WITH
lists AS MATERIALIZED (
  SELECT h.answer_id, h.chunk_id, h.doc_id, h.rank, h.score, CAST(substr(h.leg, instr(h.leg || '#', '#') + 1) AS INTEGER) AS wording
  FROM main.answers AS a
  CROSS JOIN main.hits AS h ON h.answer_id = a.answer_id AND h.leg <> 'final'
  WHERE a.system_id = :system_id
    AND (h.leg = 'vector' OR h.leg LIKE 'vector#%')
    AND h.rank <= :vector_depth
),
merged AS (
  SELECT answer_id, chunk_id, doc_id, max(score) AS score,
         row_number() OVER (PARTITION BY answer_id ORDER BY max(score) DESC, min(wording * 1000000 + rank), chunk_id) AS rank
  FROM lists
  GROUP BY answer_id, chunk_id
)
SELECT answer_id, rank, chunk_id, doc_id, score
FROM merged
WHERE rank <= :pool
ORDER BY answer_id, rank;

-- name: roll_up :many
-- The children found, rolled up to their parents as parent_doc.sql does.
WITH
rolled AS (
  SELECT h.answer_id, c.parent_id AS chunk_id, h.doc_id,
         CASE :aggregation
           WHEN 'max' THEN max(h.score)
           WHEN 'sum' THEN sum(h.score ORDER BY h.rank)
           WHEN 'mean' THEN avg(h.score ORDER BY h.rank)
         END AS score,
         min(h.rank) AS best
  FROM main.answers AS a
  CROSS JOIN main.hits AS h ON h.answer_id = a.answer_id AND h.leg = 'child_vector'
  CROSS JOIN chunks AS c ON c.chunk_id = h.chunk_id
  WHERE a.system_id = :system_id
  GROUP BY h.answer_id, c.parent_id
),
ranked AS (
  SELECT answer_id, chunk_id, doc_id, score, row_number() OVER (PARTITION BY answer_id ORDER BY score DESC, best, chunk_id) AS rank
  FROM rolled
)
SELECT answer_id, rank, chunk_id, doc_id, score
FROM ranked
WHERE rank <= :pool
ORDER BY answer_id, rank;

-- name: question_texts :many
SELECT a.answer_id, q.text
FROM main.answers AS a
JOIN questions AS q ON q.question_id = a.question_id
WHERE a.system_id = :system_id
ORDER BY a.answer_id;

-- name: put_hit :exec
INSERT INTO temp.hits (answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context)
VALUES (?1, 'final', ?2, ?3, ?4, ?5, ?6, ?7);

-- name: compare :many
-- The retrieval metrics as stored and as they would be, over the answers that have both.
SELECT w.metric,
       count(*) AS n,
       avg(s.value) AS stored,
       avg(w.value) AS what_if,
       avg(w.value - s.value) AS difference,
       sum(w.value > s.value) AS wins,
       sum(w.value < s.value) AS losses
FROM temp.scores AS w
JOIN main.scores AS s ON s.answer_id = w.answer_id AND s.metric = w.metric
WHERE w.value IS NOT NULL
  AND s.value IS NOT NULL
GROUP BY w.metric
ORDER BY w.metric;

-- name: contexts :many
-- What each answer read and would have read: chunks in order, and documents with their number of chunks there.
WITH
both AS (
  SELECT answer_id, 0 AS anew, rank, chunk_id, doc_id
  FROM main.hits
  WHERE answer_id IN (SELECT answer_id FROM temp.answers WHERE status = 'ok')
    AND leg = 'final'
    AND in_context = 1
  UNION ALL
  SELECT answer_id, 1, rank, chunk_id, doc_id
  FROM temp.hits
  WHERE in_context = 1
),
contexts AS MATERIALIZED (
  SELECT answer_id, anew,
         json_group_array(chunk_id ORDER BY rank) AS chunks,
         json_group_array(chunk_id ORDER BY chunk_id) AS sorted,
         json_group_array(doc_id ORDER BY rank) AS docs
  FROM both
  GROUP BY answer_id, anew
)
SELECT q.qid, q.text AS question,
       coalesce(o.chunks, '[]') <> coalesce(n.chunks, '[]') AS other_order,
       coalesce(o.sorted, '[]') <> coalesce(n.sorted, '[]') AS other_chunks,
       coalesce(o.docs, '[]') AS read, coalesce(n.docs, '[]') AS would_read
FROM temp.answers AS a
JOIN questions AS q ON q.question_id = a.question_id
LEFT JOIN contexts AS o ON o.answer_id = a.answer_id AND o.anew = 0
LEFT JOIN contexts AS n ON n.answer_id = a.answer_id AND n.anew = 1
WHERE a.status = 'ok'
ORDER BY a.answer_id;

-- name: unshadow :script
DROP TABLE temp.scores;
DROP TABLE temp.hits;
DROP TABLE temp.answers;
