-- Judgments: which answers a judge has to look at, what it is shown, and what becomes of its verdicts.

-- name: pending :many
-- The answers of a run that lack a judgment of this judge and version. failed: also those whose judgments all failed, or
-- were replaced by the heuristic's. Samples are counted, so that a judge asked for more of them gives the rest.
SELECT a.answer_id
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
WHERE s.run_id = :run_id
  AND s.type <> 'trec_run'
  AND a.status = 'ok'
  AND (
    SELECT count(*)
    FROM judgments AS j
    WHERE j.answer_id = a.answer_id
      AND j.judge = :judge
      AND j.prompt_version = :version
      AND (j.status = 'ok' OR NOT :failed)
  ) < :samples
ORDER BY a.answer_id;

-- name: case :one
SELECT q.question_id, q.text, q.answerable, coalesce(q.reference_answer, ''), a.text, coalesce(a.refused, 0), q.keywords,
       coalesce(q.category, ''), coalesce(q.answer_type, '')
FROM answers AS a
JOIN questions AS q ON q.question_id = a.question_id
WHERE a.answer_id = ?1;

-- name: relevant :many
SELECT doc_id
FROM qrels
WHERE question_id = ?1
  AND relevant = 1
ORDER BY doc_id;

-- name: context :many
-- The passages the generator read, in the order of the ranking.
SELECT h.doc_id, c.key, c.text
FROM hits AS h
JOIN chunks AS c ON c.chunk_id = h.chunk_id
WHERE h.answer_id = ?1
  AND h.leg = 'final'
  AND h.in_context = 1
ORDER BY h.rank;

-- name: rounds :many
-- The judgments that an answer has of a judge and version: what failed is asked again with the next number.
SELECT sample, status, round
FROM judgments
WHERE answer_id = ?1
  AND judge = ?2
  AND prompt_version = ?3
ORDER BY sample;

-- name: put :exec
-- A new judgment takes the place of a failed one of the same sample.
INSERT INTO judgments (answer_id, judge, prompt_version, sample, status, fallback, correctness, faithfulness, completeness, relevance, citation_quality, supported, hallucinated, reason, repair, round, call_id, retry_of)
VALUES (:answer_id, :judge, :version, :sample, :status, :fallback, :correctness, :faithfulness, :completeness, :relevance, :citation_quality, :supported, :hallucinated, :reason, :repair, :round, :call_id, :retry_of)
ON CONFLICT (answer_id, judge, prompt_version, sample) DO UPDATE
SET status = excluded.status,
    fallback = excluded.fallback,
    correctness = excluded.correctness,
    faithfulness = excluded.faithfulness,
    completeness = excluded.completeness,
    relevance = excluded.relevance,
    citation_quality = excluded.citation_quality,
    supported = excluded.supported,
    hallucinated = excluded.hallucinated,
    reason = excluded.reason,
    repair = excluded.repair,
    round = excluded.round,
    call_id = excluded.call_id,
    retry_of = excluded.retry_of;

-- name: drop_fallback :exec
DELETE FROM judgments
WHERE answer_id = ?1
  AND judge = ?2
  AND fallback = 1;

-- name: main_judge :one
SELECT coalesce(metadata ->> 'judge', '')
FROM runs
WHERE run_id = :run_id;

-- name: set_main_judge :exec
UPDATE runs
SET metadata = json_set(metadata, '$.judge', :judge)
WHERE run_id = :run_id;

-- name: clear_scores :exec
-- Take out the scores that judgments gave. names: a JSON array of metrics.
DELETE FROM scores
WHERE answer_id IN (
    SELECT a.answer_id
    FROM systems AS s
    JOIN answers AS a ON a.system_id = s.system_id
    WHERE s.run_id = :run_id
  )
  AND metric IN (SELECT value FROM json_each(:names));

-- name: fill_scores :exec
-- The run's scores from the judgments of one judge, as the view judged sums them up.
INSERT INTO scores (answer_id, metric, value, reason)
SELECT answer_id,
       metric,
       value,
       CASE
         WHEN value IS NOT NULL THEN NULL
         WHEN status = 'error' THEN 'error'
         WHEN judged_id IS NOT NULL THEN 'not said'
         WHEN EXISTS (SELECT 1 FROM judgments AS f WHERE f.answer_id = t.answer_id AND f.judge = :judge) THEN 'judgment failed'
         ELSE 'not judged'
       END
FROM (
  SELECT a.answer_id,
         a.status,
         j.answer_id AS judged_id,
         m.value AS metric,
         CASE m.value
           WHEN 'answer_score' THEN j.answer_score
           WHEN 'answer_score_variance' THEN j.answer_score_variance
           WHEN 'correctness' THEN j.correctness
           WHEN 'faithfulness' THEN j.faithfulness
           WHEN 'completeness' THEN j.completeness
           WHEN 'relevance' THEN j.relevance
           WHEN 'citation_quality' THEN j.citation_quality
           WHEN 'supported' THEN j.supported
           WHEN 'hallucinated' THEN j.hallucinated
         END AS value
  FROM systems AS s
  JOIN answers AS a ON a.system_id = s.system_id
  CROSS JOIN json_each(:names) AS m
  LEFT JOIN judged AS j ON j.answer_id = a.answer_id AND j.judge = :judge
  WHERE s.run_id = :run_id
    AND s.type <> 'trec_run'
) AS t;

-- name: systems :many
-- The systems and questions that an imported judgment may name.
SELECT s.name, q.qid, a.answer_id
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN questions AS q ON q.question_id = a.question_id
WHERE s.run_id = :run_id
ORDER BY a.answer_id;

-- name: own_models :many
-- The systems of a run whose generator is the judge, or comes from the same provider.
SELECT s.name, s.config ->> '$.models.generator' AS generator
FROM systems AS s
WHERE s.run_id = :run_id
  AND substr(s.config ->> '$.models.generator', 1, instr(s.config ->> '$.models.generator', ':')) = substr(:judge, 1, instr(:judge, ':'))
  AND s.config ->> '$.models.generator' NOT LIKE 'mock:%'
ORDER BY s.position;
