-- Answer metrics: what the answers and their contexts say, before any judge.

-- name: pending_answers :many
-- The next answers of a run without answer metrics, with what these need. refused stands for all of them: one pass
-- writes the lot. A context is counted in documents, as labels name documents.
SELECT a.answer_id,
       a.status,
       a.text,
       a.refused,
       a.ranked,
       q.dataset_id,
       q.question_id,
       q.answerable,
       q.reference_answer,
       q.metadata ->> 'answers' AS answers,
       q.keywords,
       (SELECT count(*) FROM qrels AS l WHERE l.question_id = q.question_id AND l.relevant = 1) AS num_relevant,
       (SELECT count(DISTINCT h.doc_id)
        FROM hits AS h
        WHERE h.answer_id = a.answer_id
          AND h.leg = 'final'
          AND h.in_context = 1) AS num_context,
       (SELECT count(DISTINCT h.doc_id)
        FROM hits AS h
        JOIN qrels AS l ON l.question_id = a.question_id AND l.doc_id = h.doc_id AND l.relevant = 1
        WHERE h.answer_id = a.answer_id
          AND h.leg = 'final'
          AND h.in_context = 1) AS num_context_relevant
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN questions AS q ON q.question_id = a.question_id
WHERE s.run_id = :run_id
  AND s.type <> 'trec_run'
  AND a.answer_id > :after
  AND NOT EXISTS (
    SELECT 1
    FROM scores AS c
    WHERE c.answer_id = a.answer_id
      AND c.metric = 'refused'
  )
ORDER BY a.answer_id
LIMIT 1000;

-- name: cited :one
-- What is known of a cited document id: whether the dataset has it, the generator read it, and a label or a labelled
-- span says that it holds evidence.
SELECT EXISTS (
         SELECT 1
         FROM documents AS d
         CROSS JOIN dataset_documents AS m ON m.document_id = d.document_id
         WHERE d.doc_id = ?1
           AND m.dataset_id = ?2
       ) AS known,
       EXISTS (
         SELECT 1
         FROM hits AS h
         WHERE h.answer_id = ?3
           AND h.leg = 'final'
           AND h.in_context = 1
           AND h.doc_id = ?1
       ) AS in_context,
       EXISTS (SELECT 1 FROM qrels AS l WHERE l.question_id = ?4 AND l.doc_id = ?1 AND l.relevant = 1)
       OR EXISTS (SELECT 1 FROM evidence AS e WHERE e.question_id = ?4 AND e.doc_id = ?1) AS relevant;

-- name: known :one
-- Whether the dataset has a document of this id.
SELECT EXISTS (
    SELECT 1
    FROM documents AS d
    CROSS JOIN dataset_documents AS m ON m.document_id = d.document_id
    WHERE d.doc_id = ?1
      AND m.dataset_id = ?2
  );

-- name: put_score :exec
INSERT INTO scores (answer_id, metric, value, reason)
VALUES (?1, ?2, ?3, ?4);

-- name: clear_answers :exec
-- Take out the answer metrics of the run. names: a JSON array of metrics.
DELETE FROM scores
WHERE answer_id IN (
    SELECT a.answer_id
    FROM systems AS s
    JOIN answers AS a ON a.system_id = s.system_id
    WHERE s.run_id = :run_id
  )
  AND metric IN (SELECT value FROM json_each(:names));
