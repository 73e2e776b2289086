-- Retrieval quality, time a question and size of the indexes of the systems of a run, the best nDCG@10 first.
-- param: run null id, label or name of the run; null is the newest
WITH
chosen AS (
  SELECT run_id
  FROM runs
  WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
  ORDER BY run_id DESC
  LIMIT 1
),
parts AS (
  SELECT s.system_id, p.value AS part
  FROM systems AS s
  JOIN ingestions AS n ON n.system_id = s.system_id
  JOIN json_each(n.built) AS p
  WHERE s.run_id = (SELECT run_id FROM chosen)
  UNION
  SELECT s.system_id, p.value
  FROM systems AS s
  JOIN ingestions AS n ON n.system_id = s.system_id
  JOIN json_each(n.reused) AS p
  WHERE s.run_id = (SELECT run_id FROM chosen)
),
sizes AS (
  SELECT p.system_id,
         total((SELECT total(length(t.term) + length(t.data)) FROM postings AS t WHERE p.part = 'lexical ' || t.analysis_id)) +
         total((SELECT total(4 * e.dims * v.num_vectors) FROM vector_indexes AS v JOIN embedders AS e ON e.embedder_id = v.embedder_id WHERE p.part = 'vectors ' || v.vector_id)) AS bytes
  FROM parts AS p
  GROUP BY p.system_id
)
SELECT s.name AS system,
       round(max(CASE WHEN m.metric = 'ndcg@10' THEN m.mean END), 4) AS ndcg_10,
       round(max(CASE WHEN m.metric = 'recall@10' THEN m.mean END), 4) AS recall_10,
       (SELECT round(avg(a.retrieval_ms), 2) FROM answers AS a WHERE a.system_id = s.system_id AND a.status = 'ok') AS retrieval_ms,
       round(z.bytes / 1e6, 1) AS index_mb
FROM systems AS s
LEFT JOIN metric_means AS m ON m.system_id = s.system_id
LEFT JOIN sizes AS z ON z.system_id = s.system_id
WHERE s.run_id = (SELECT run_id FROM chosen)
GROUP BY s.system_id
ORDER BY 2 DESC NULLS LAST, s.system_id;
