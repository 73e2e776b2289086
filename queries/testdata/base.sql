-- A small file that every golden starts from: one dataset, an older and a newer run, four systems of different kinds.
INSERT INTO documents (document_id, doc_id, sha256, title, text, source_path, media_type, encoding, num_chars, num_bytes)
VALUES (1, 'ferry.md', printf('%064d', 1), 'Ferries', 'Ferries leave at nine.' || char(10) || 'Bicycles travel free.', 'ferry.md', 'text/markdown', 'utf-8', 44, 44),
       (2, 'fares.md', printf('%064d', 2), 'Fares', 'A crossing costs 4 €.', 'fares.md', 'text/markdown', 'utf-8', 21, 23),
       (3, 'crew.md', printf('%064d', 3), 'Crew', 'The crew rests ten hours.', 'crew.md', 'text/markdown', 'utf-8', 25, 25),
       (4, 'empty.md', printf('%064d', 4), '', '', 'empty.md', 'text/markdown', 'utf-8', 0, 0);
INSERT INTO datasets VALUES (1, 'harbour', printf('%064d', 1), printf('%064d', 1), 'testdata', 4, 4, '2026-01-01T00:00:00Z');
INSERT INTO dataset_documents VALUES (1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 3, 4);
INSERT INTO dataset_warnings VALUES (1, 0, 'empty_document', 'empty.md', 'the document holds no text');
INSERT INTO questions (question_id, dataset_id, position, qid, text, answerable, labelled, reference_answer, category)
VALUES (1, 1, 0, 'q1', 'When do ferries leave?', 1, 1, 'At nine.', 'fact'),
       (2, 1, 1, 'q2', 'What does a crossing cost?', 1, 1, '4 €', 'number'),
       (3, 1, 2, 'q3', 'Who built the pier?', 0, 0, NULL, 'unanswerable'),
       (4, 1, 3, 'q4', 'How long does the crew rest?', 1, 0, NULL, 'number');
INSERT INTO qrels VALUES (1, 'ferry.md', 3, 1), (1, 'fares.md', 1, 1), (2, 'fares.md', 2, 1), (2, 'gone.md', 1, 1), (2, 'crew.md', 0, 0);
INSERT INTO indexes VALUES (1, printf('%064d', 1), printf('%064d', 1), '{"chunker":"word","chunk_size":5}', 'o200k_base', 4, 12.34, '{}', '2026-01-01T00:00:00Z');
INSERT INTO chunks (chunk_id, index_id, document_id, key, kind, position, start_char, end_char, text, text_sha256, token_count)
VALUES (1, 1, 1, 'ferry.md::0', 'chunk', 0, 0, 22, 'Ferries leave at nine.', zeroblob(32), 5),
       (2, 1, 1, 'ferry.md::1', 'chunk', 1, 23, 44, 'Bicycles travel free.', zeroblob(32), 4),
       (3, 1, 2, 'fares.md::0', 'chunk', 0, 0, 21, 'A crossing costs 4 €.', zeroblob(32), 7),
       (4, 1, 3, 'crew.md::0', 'chunk', 0, 0, 25, 'The crew rests ten hours.', zeroblob(32), 6);
INSERT INTO lexical_analyses VALUES (1, 1, 'unicode61', 0, 'none', 4, 16, 14, 1.5);
INSERT INTO postings VALUES (1, CAST('ferries' AS BLOB), 1, x'0001'), (1, CAST('crossing' AS BLOB), 1, x'0201');
INSERT INTO embedders VALUES (1, 'mock', 'hash', '', 2, 1, '', '');
INSERT INTO vector_blocks VALUES (1, 0, 2, 2, x'0000803f000000000000000000008040');
INSERT INTO vector_slots VALUES (1, zeroblob(32), 0, 1, 5, 0);
INSERT INTO vector_indexes VALUES (1, 1, 1, 4, 2.5);

INSERT INTO prompts VALUES (1, zeroblob(32), 'Answer from the documents.' || char(10)), (2, randomblob(32), 'Ferries leave at nine.'), (3, randomblob(32), 'When do ferries leave?');
INSERT INTO model_calls (call_id, key, kind, purpose, requested, used, request, response, status, prompt_tokens, completion_tokens, latency_ms, cost_usd, created_at)
VALUES (1, zeroblob(32), 'chat', 'answer', 'mock:chat', 'mock:chat', '{}', '{}', 'ok', 20, 4, 3, 0.002, '2026-01-02T00:00:00Z'),
       (2, randomblob(32), 'chat', 'answer', 'mock:new', 'mock:new', '{}', '{}', 'ok', 30, 6, 4, NULL, '2026-01-02T00:00:00Z');
-- The parts are stored out of order on purpose.
INSERT INTO call_parts VALUES (1, 3, 1, 'user', 3), (1, 2, 1, 'user', 2), (1, 1, 0, 'system', 1), (1, 0, 0, 'system', 2), (2, 0, 0, 'user', 3);

INSERT INTO runs (run_id, name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k, retrieval_depth, context_k, ndcg_gain, code_version, started_at, finished_at)
VALUES (1, 'old', 'old_20260101_000000', 1, 'mock', 'stopped', '', printf('%064d', 1), 0, '[1,2]', 2, 2, 2, 'linear', 'v0', '2026-01-01T00:00:00Z', NULL),
       (2, 'new', 'new_20260102_000000', 1, 'mock', 'done', '', printf('%064d', 1), 0, '[1,2,3]', 2, 3, 2, 'linear', 'v0', '2026-01-02T00:00:00Z', '2026-01-02T00:01:00Z');
INSERT INTO systems VALUES
  (1, 1, 0, 'bm25', 'bm25', '{}', printf('%064d', 1), ''),
  (2, 2, 0, 'bm25', 'bm25', '{}', printf('%064d', 1), ''),
  (3, 2, 1, 'vector', 'vector', '{}', printf('%064d', 2), ''),
  (4, 2, 2, 'no_retrieval', 'no_retrieval', '{}', printf('%064d', 3), ''),
  (5, 2, 3, 'peer', 'trec_run', '{"file":"peer.run","tag":"peer","warnings":[{"code":"unknown_document","subject":"pier.md","message":"1 documents of the run are not in the dataset: pier.md"}]}', printf('%064d', 4), '');
INSERT INTO ingestions (system_id, num_chunks, num_vectors, built, reused, wall_ms, embedding_tokens, llm_tokens, cost_usd) VALUES (2, 4, 0, '[]', '["a"]', 5, 0, 0, 0), (3, 4, 4, '[]', '["a"]', 6, 22, 0, 0.0001);
INSERT INTO answers (answer_id, system_id, question_id, status, error, text, refused, finish, ranked, latency_ms, retrieval_ms, embedding_tokens, prompt_tokens, completion_tokens, total_cost)
VALUES (1, 1, 1, 'ok', NULL, 'At nine.', 0, 'stop', 1, 9, 1, 0, 20, 4, 0.002),
       (2, 2, 1, 'ok', NULL, 'At nine. [ferry.md]', 0, 'stop', 1, 10, 2, 0, 20, 4, 0.003),
       (3, 2, 2, 'ok', NULL, '4 € [fares.md]', 0, 'length', 1, 20, 3, 0, 21, 5, 0.002),
       (4, 2, 3, 'ok', NULL, 'I could not find the answer in the provided documents.', 1, 'stop', 1, 30, 4, 0, 22, 6, 0.002),
       (5, 2, 4, 'error', 'model: 500', NULL, NULL, NULL, 1, NULL, NULL, 0, 0, 0, NULL),
       (6, 3, 1, 'ok', NULL, 'At nine.', 0, 'stop', 1, 11, 2, 5, 20, 4, 0.002),
       (7, 3, 2, 'ok', NULL, '', 0, 'stop', 1, 12, 2, 5, 30, 6, NULL),
       (8, 3, 3, 'ok', NULL, 'A mason.', 0, 'stop', 1, 13, 2, 5, 20, 4, 0.002),
       (9, 4, 1, 'ok', NULL, 'At noon.', 0, 'stop', 0, 5, 0, 0, 8, 3, 0.001),
       (10, 4, 2, 'ok', NULL, '5 €', 0, 'stop', 0, 6, 0, 0, 8, 3, 0.001),
       (11, 4, 3, 'ok', NULL, 'A king.', 0, 'stop', 0, 7, 0, 0, 8, 3, 0.001),
       (12, 4, 4, 'ok', NULL, 'A day.', 0, 'stop', 0, 8, 0, 0, 8, 3, 0.001),
       (13, 5, 1, 'ok', NULL, NULL, NULL, NULL, 1, 0, NULL, 0, 0, 0, NULL),
       (14, 5, 2, 'ok', NULL, NULL, NULL, NULL, 1, 0, NULL, 0, 0, 0, NULL),
       (15, 5, 3, 'ok', NULL, NULL, NULL, NULL, 1, 0, NULL, 0, 0, 0, NULL),
       (16, 5, 4, 'ok', NULL, NULL, NULL, NULL, 1, 0, NULL, 0, 0, 0, NULL);
INSERT INTO hits (answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context)
VALUES (1, 'final', 1, 1, 'ferry.md', 1, 2.5, 1),
       (2, 'final', 1, 1, 'ferry.md', 1, 2.5, 1), (2, 'final', 2, 2, 'ferry.md', NULL, 1.5, 1), (2, 'final', 3, 3, 'fares.md', 2, 0.5, 0),
       (2, 'bm25', 1, 1, 'ferry.md', 1, 2.5, 0),
       (3, 'final', 1, 4, 'crew.md', 1, 1.25, 1), (3, 'final', 2, 3, 'fares.md', 2, 1, 1),
       (4, 'final', 1, 4, 'crew.md', 1, 0.125, 1),
       (6, 'final', 1, 4, 'crew.md', 1, 0.75, 1), (6, 'final', 2, 1, 'ferry.md', 2, 0.5, 1),
       (7, 'final', 1, 4, 'crew.md', 1, 0.75, 1), (7, 'final', 2, 1, 'ferry.md', 2, 0.5, 1), (7, 'final', 3, 3, 'fares.md', 3, 0.25, 0),
       (8, 'final', 1, 1, 'ferry.md', 1, 0.5, 1),
       (13, 'final', 1, NULL, 'ferry.md', 1, 9, 0), (13, 'final', 2, NULL, 'fares.md', 2, 8, 0),
       (14, 'final', 1, NULL, 'pier.md', 1, 9, 0);
INSERT INTO steps (answer_id, position, kind, name, start_ms, latency_ms, input, output, prompt_tokens, completion_tokens, embedding_tokens, cost_usd, error)
VALUES (2, 0, 'retrieve', 'bm25', 0, 2, 'When do ferries leave?', '3 chunks from 2 docs', 0, 0, 0, 0, NULL),
       (2, 1, 'generate', 'answer', 2, 7, 'When do ferries leave?', 'At nine. [ferry.md]', 20, 4, 0, 0.002, NULL),
       (3, 0, 'retrieve', 'bm25', 0, 3, 'What does a crossing cost?', '2 chunks from 2 docs', 0, 0, 0, 0, NULL),
       (3, 1, 'generate', 'answer', 3, 17, 'What does a crossing cost?', '4 € [fares.md]', 21, 5, 0, 0.002, NULL),
       (6, 0, 'embed', 'query', 0, 1, 'When do ferries leave?', '1 vector', 0, 0, 5, 0, NULL),
       (6, 1, 'retrieve', 'vector', 1, 1.5, 'When do ferries leave?', '2 chunks from 2 docs', 0, 0, 0, 0, NULL),
       (6, 2, 'generate', 'answer', 2.5, 8.5, 'When do ferries leave?', 'At nine.', 20, 4, 0, 0.002, NULL),
       (7, 0, 'embed', 'query', 0, 1, 'What does a crossing cost?', '1 vector', 0, 0, 5, 0, NULL),
       (7, 1, 'generate', 'answer', 1, 11, 'What does a crossing cost?', '', 30, 6, 0, NULL, NULL),
       (8, 0, 'retrieve', 'vector', 0, 2, 'Who built the pier?', '1 chunks from 1 docs', 0, 0, 0, 0, 'index is busy');
INSERT INTO step_calls (answer_id, position, call_id) VALUES (2, 1, 1), (7, 1, 2);
INSERT INTO judgments (answer_id, judge, prompt_version, status, fallback, correctness)
VALUES (2, 'heuristic', '1', 'ok', 1, 5), (3, 'heuristic', '1', 'error', 0, NULL);
