-- Which system of a run finds relevant documents that the others miss: found, found by it alone, found only by others.
-- param: run null id, label or name of the run; null is the newest
-- param: k null cut-off; null is the run's primary k
WITH chosen AS (
  SELECT run_id, dataset_id, coalesce(:k, primary_k) + 0 AS k
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
found AS (
  SELECT DISTINCT l.system_id, l.question_id, l.qid, l.doc_id
  FROM chosen AS c
  JOIN ranked_lists AS l ON l.run_id = c.run_id
  WHERE l.leg = 'final'
    AND l.relevant = 1
    AND l.doc_rank <= c.k
),
shared AS (
  SELECT question_id, doc_id, count(*) AS n
  FROM found
  GROUP BY question_id, doc_id
)
SELECT s.name AS system,
       c.k,
       (SELECT count(*) FROM questions AS q JOIN qrels AS r ON r.question_id = q.question_id
         WHERE q.dataset_id = c.dataset_id AND r.relevant = 1) AS relevant,
       count(f.doc_id) AS found,
       coalesce(sum(h.n = 1), 0) AS only_here,
       (SELECT count(*) FROM shared) - count(f.doc_id) AS only_elsewhere,
       min(CASE WHEN h.n = 1 THEN f.qid || ' ' || f.doc_id END) AS example
FROM chosen AS c
JOIN systems AS s ON s.run_id = c.run_id
LEFT JOIN found AS f ON f.system_id = s.system_id
LEFT JOIN shared AS h ON h.question_id = f.question_id AND h.doc_id = f.doc_id
GROUP BY s.system_id
ORDER BY only_here DESC, found DESC, s.system_id;
