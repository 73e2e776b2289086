-- What a dataset holds: documents and their lengths, questions, labels.
-- param: dataset null id or name of the dataset; null is the newest
WITH chosen AS (
  SELECT dataset_id, name, num_documents, num_questions
  FROM datasets
  WHERE :dataset IS NULL OR dataset_id = :dataset OR name = :dataset
  ORDER BY dataset_id DESC
  LIMIT 1
),
lengths AS (
  SELECT d.num_chars,
         row_number() OVER (ORDER BY d.num_chars, d.document_id) AS n,
         count(*) OVER () AS total
  FROM chosen AS c
  JOIN dataset_documents AS m ON m.dataset_id = c.dataset_id
  JOIN documents AS d ON d.document_id = m.document_id
),
asked AS (
  SELECT q.question_id, q.answerable, q.category, q.reference_answer,
         (SELECT count(*) FROM qrels AS r WHERE r.question_id = q.question_id) AS judged,
         (SELECT count(*) FROM qrels AS r WHERE r.question_id = q.question_id AND r.relevant = 1) AS relevant
  FROM chosen AS c
  JOIN questions AS q ON q.dataset_id = c.dataset_id
),
profile (line, property, value) AS (
  SELECT 1, 'dataset', name FROM chosen
  UNION ALL SELECT 2, 'documents', count(*) FROM lengths
  UNION ALL SELECT 3, 'documents without text', coalesce(sum(num_chars = 0), 0) FROM lengths
  UNION ALL SELECT 4, 'characters', coalesce(sum(num_chars), 0) FROM lengths
  UNION ALL SELECT 5, 'shortest document', min(num_chars) FROM lengths
  UNION ALL SELECT 6, 'median document', max(CASE WHEN n = (total + 1) / 2 THEN num_chars END) FROM lengths
  UNION ALL SELECT 7, 'longest document', max(num_chars) FROM lengths
  UNION ALL SELECT 8, 'questions', count(*) FROM asked
  UNION ALL SELECT 9, 'unanswerable questions', coalesce(sum(answerable = 0), 0) FROM asked
  UNION ALL SELECT 10, 'answerable questions without labels', coalesce(sum(answerable = 1 AND judged = 0), 0) FROM asked
  UNION ALL SELECT 11, 'questions with a reference answer', count(reference_answer) FROM asked
  UNION ALL SELECT 12, 'categories of questions', count(DISTINCT category) FROM asked
  UNION ALL SELECT 13, 'judgments', coalesce(sum(judged), 0) FROM asked
  UNION ALL SELECT 14, 'relevant documents a labelled question', round(avg(CASE WHEN judged > 0 THEN relevant END), 3) FROM asked
  UNION ALL SELECT 15, 'labels that name no document', count(*)
    FROM asked AS a
    JOIN qrels AS r ON r.question_id = a.question_id
    WHERE NOT EXISTS (
      SELECT 1
      FROM chosen AS c
      JOIN dataset_documents AS m ON m.dataset_id = c.dataset_id
      JOIN documents AS d ON d.document_id = m.document_id
      WHERE d.doc_id = r.doc_id
    )
)
SELECT property, value
FROM profile
ORDER BY line;
