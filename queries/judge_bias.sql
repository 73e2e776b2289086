-- Whether scores go with what should not matter: length, place of the evidence, who wrote. Place 4 is 4 or further down.
-- param: run null id, label or name of the run; null is the newest
WITH rated AS MATERIALIZED (
  SELECT j.judge, j.answer_score, a.answer_id, a.question_id, length(a.text) AS chars, f.value AS token_f1,
         s.config ->> '$.models.generator' AS generator,
         ntile(4) OVER (PARTITION BY j.judge ORDER BY length(a.text), a.answer_id) AS quarter
  FROM systems AS s
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN judged AS j ON j.answer_id = a.answer_id
  LEFT JOIN scores AS f ON f.answer_id = a.answer_id AND f.metric = 'token_f1'
  WHERE s.run_id = (
      SELECT run_id
      FROM runs
      WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
      ORDER BY run_id DESC
      LIMIT 1
    )
    AND j.fallback = 0
    AND j.answer_score IS NOT NULL
),
placed AS (
  SELECT r.judge, r.answer_score, r.token_f1,
         'length' AS factor,
         'quarter ' || r.quarter || ' (' || min(r.chars) OVER q || ' to ' || max(r.chars) OVER q || ' characters)' AS bucket
  FROM rated AS r
  WINDOW q AS (PARTITION BY r.judge, r.quarter)
  UNION ALL
  SELECT r.judge, r.answer_score, r.token_f1,
         'position',
         coalesce('evidence at place ' || min(4, (
           SELECT min(h.doc_rank)
           FROM hits AS h
           JOIN qrels AS l ON l.question_id = r.question_id AND l.doc_id = h.doc_id AND l.relevant = 1
           WHERE h.answer_id = r.answer_id
             AND h.leg = 'final'
             AND h.in_context = 1
         )), 'no evidence read')
  FROM rated AS r
  UNION ALL
  SELECT r.judge, r.answer_score, r.token_f1,
         'family',
         CASE
           WHEN instr(r.judge, ':') = 0 THEN 'the judge is no model'
           WHEN r.generator IS NULL THEN 'generator unknown'
           WHEN r.generator = r.judge THEN 'the judge itself'
           WHEN substr(r.generator, 1, instr(r.generator, ':')) = substr(r.judge, 1, instr(r.judge, ':')) THEN 'same provider'
           ELSE 'another provider'
         END
  FROM rated AS r
)
SELECT judge,
       factor,
       bucket,
       count(*) AS n,
       round(avg(answer_score), 4) AS answer_score,
       round(avg(token_f1), 4) AS token_f1,
       round(avg(CASE WHEN token_f1 IS NOT NULL THEN answer_score / 5 - token_f1 END), 4) AS above_f1
FROM placed
GROUP BY judge, factor, bucket
ORDER BY judge, factor, bucket;
