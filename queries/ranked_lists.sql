-- What the systems of a run ranked for one question, with the labels.
-- param: run null id, label or name of the run; null is the newest
-- param: question null question id; null is the first of the dataset
-- param: system null one system; null is all
-- param: leg final the list: final, or one that it was made from, such as bm25
-- param: depth 10 places to show
WITH chosen AS (
  SELECT r.run_id,
         coalesce(:question, (
           SELECT q.qid
           FROM questions AS q
           WHERE q.dataset_id = r.dataset_id
           ORDER BY q.position, q.question_id
           LIMIT 1
         )) AS qid
  FROM runs AS r
  WHERE :run IS NULL OR r.run_id = :run OR r.label = :run OR r.name = :run
  ORDER BY r.run_id DESC
  LIMIT 1
)
SELECT l.qid,
       l.system,
       l.rank,
       l.doc_rank,
       l.doc_id,
       round(l.score, 6) AS score,
       l.grade,
       l.relevant,
       l.in_context,
       l.chunk,
       l.preview
FROM chosen AS c
JOIN ranked_lists AS l ON l.run_id = c.run_id AND l.qid = c.qid
WHERE l.leg = coalesce(:leg, 'final')
  AND l.rank <= coalesce(:depth, 10)
  AND (:system IS NULL OR l.system = :system)
ORDER BY l.system_id, l.repeat, l.answer_id, l.rank;
