-- Datasets, documents, questions and labels.

-- name: put_document :one
-- Inserts a text under its name, or finds the row that is there.
INSERT INTO documents (doc_id, sha256, title, text, source_path, media_type, encoding, metadata, num_chars, num_bytes)
VALUES (:doc_id, :sha256, :title, :text, :source_path, :media_type, :encoding, :metadata, :num_chars, :num_bytes)
ON CONFLICT (doc_id, sha256) DO NOTHING
RETURNING document_id;

-- name: find_document :one
SELECT document_id
FROM documents
WHERE doc_id = :doc_id
  AND sha256 = :sha256;

-- name: find_dataset :one
SELECT dataset_id
FROM datasets
WHERE name = :name
  AND sha256 = :sha256;

-- name: put_dataset :one
INSERT INTO datasets (name, sha256, corpus_sha256, source, num_documents, num_questions, created_at)
VALUES (:name, :sha256, :corpus_sha256, :source, :num_documents, :num_questions, :created_at)
RETURNING dataset_id;

-- name: put_dataset_document :exec
INSERT INTO dataset_documents (dataset_id, position, document_id)
VALUES (:dataset_id, :position, :document_id);

-- name: put_question :one
INSERT INTO questions (dataset_id, position, qid, text, answerable, labelled, reference_answer, category, difficulty, answer_type, keywords, required_tools, routing_hint, metadata)
VALUES (:dataset_id, :position, :qid, :text, :answerable, :labelled, :reference_answer, :category, :difficulty, :answer_type, :keywords, :required_tools, :routing_hint, :metadata)
RETURNING question_id;

-- name: put_qrel :exec
INSERT INTO qrels (question_id, doc_id, grade, relevant)
VALUES (:question_id, :doc_id, :grade, :relevant);

-- name: put_evidence :exec
INSERT INTO evidence (question_id, position, doc_id, start_char, end_char, quote)
VALUES (:question_id, :position, :doc_id, :start_char, :end_char, :quote);

-- name: put_warning :exec
INSERT INTO dataset_warnings (dataset_id, position, code, subject, message)
VALUES (:dataset_id, :position, :code, :subject, :message);

-- name: previous_documents :many
-- The documents of the newest dataset of a name, to tell what changed.
SELECT d.doc_id, d.sha256
FROM dataset_documents AS m
JOIN documents AS d ON d.document_id = m.document_id
WHERE m.dataset_id = (SELECT max(dataset_id) FROM datasets WHERE name = :name);

-- name: get_dataset :one
SELECT dataset_id, name, sha256, corpus_sha256, source, num_documents, num_questions
FROM datasets
WHERE dataset_id = :dataset_id;

-- name: newest_dataset :one
SELECT dataset_id
FROM datasets
WHERE name = :name OR :name = ''
ORDER BY dataset_id DESC
LIMIT 1;

-- name: documents :many
-- The documents of a dataset in the order of their ids.
SELECT d.document_id, d.doc_id, d.title, d.text, d.source_path, d.media_type, d.encoding, d.metadata
FROM dataset_documents AS m
JOIN documents AS d ON d.document_id = m.document_id
WHERE m.dataset_id = :dataset_id
ORDER BY m.position;

-- name: evidence_text :one
SELECT d.text
FROM dataset_documents AS m
JOIN documents AS d ON d.document_id = m.document_id
WHERE d.doc_id = :doc_id
  AND m.dataset_id = :dataset_id;

-- name: questions :many
SELECT question_id, qid, text, answerable, coalesce(reference_answer, ''), coalesce(category, ''), coalesce(difficulty, ''), coalesce(answer_type, ''), keywords, required_tools, coalesce(routing_hint, ''), metadata
FROM questions
WHERE dataset_id = :dataset_id
ORDER BY position;

-- name: warnings :many
SELECT code, subject, message
FROM dataset_warnings
WHERE dataset_id = :dataset_id
ORDER BY position;

-- name: stale_datasets :exec
-- Drops the snapshots of a name that a newer one replaces and no run refers to.
DELETE FROM datasets
WHERE name = :name
  AND dataset_id < :dataset_id
  AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.dataset_id = datasets.dataset_id);

-- name: stale_indexes :many
-- Indexes of a corpus that no dataset holds any more, with their full-text tables; the newest first, as children refer to
-- parents of an older index.
SELECT i.index_id, a.analysis_id
FROM indexes AS i
LEFT JOIN lexical_analyses AS a ON a.index_id = i.index_id
WHERE NOT EXISTS (SELECT 1 FROM datasets AS d WHERE d.corpus_sha256 = i.corpus_sha256)
ORDER BY i.index_id DESC, a.analysis_id;

-- name: drop_index :exec
DELETE FROM indexes
WHERE index_id = :index_id;

-- name: drop_stale_documents :exec
DELETE FROM documents
WHERE NOT EXISTS (SELECT 1 FROM dataset_documents AS m WHERE m.document_id = documents.document_id)
  AND NOT EXISTS (SELECT 1 FROM chunks AS c WHERE c.document_id = documents.document_id);
