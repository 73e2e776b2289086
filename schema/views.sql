-- The public interface of the file: every view works in the stock sqlite3 shell, with no extension, from SQLite 3.40 on
-- with its math functions. A missing value is NULL, never 0. A condition on run_id, system_id, question_id or answer_id
-- reaches the tables, so that asking for one answer costs one answer.

-- One vector a row, sliced out of the blocks.
DROP VIEW IF EXISTS embeddings;
CREATE VIEW embeddings AS
SELECT s.embedder_id,
       s.text_sha256,
       b.dims,
       substr(b.data, s.slot * 4 * b.dims + 1, 4 * b.dims) AS vector
FROM vector_slots AS s
JOIN vector_blocks AS b ON b.embedder_id = s.embedder_id AND b.block = s.block;

-- One row an answer with the names of its run, system and question: what most other views start from.
DROP VIEW IF EXISTS cells;
CREATE VIEW cells AS
SELECT r.run_id, r.label AS run, r.dataset_id,
       s.system_id, s.name AS system, s.type,
       q.question_id, q.qid, q.text AS question, q.category,
       a.answer_id, a.repeat, a.status, a.error, a.finish, a.text AS answer, a.refused, a.total_cost
FROM runs AS r
JOIN systems AS s ON s.run_id = r.run_id
JOIN answers AS a ON a.system_id = s.system_id
JOIN questions AS q ON q.question_id = a.question_id;

-- Cells without a row: every system is expected to have one for every question of the dataset.
DROP VIEW IF EXISTS missing_cells;
CREATE VIEW missing_cells AS
SELECT r.run_id, r.label AS run, s.system_id, s.name AS system, q.question_id, q.qid
FROM runs AS r
JOIN systems AS s ON s.run_id = r.run_id
JOIN questions AS q ON q.dataset_id = r.dataset_id AND q.position < coalesce(r.metadata ->> 'questions', q.position + 1)
WHERE NOT EXISTS (SELECT 1 FROM answers AS a WHERE a.system_id = s.system_id AND a.question_id = q.question_id);

-- cost_usd is NULL when any part of it is unknown.
DROP VIEW IF EXISTS runs_overview;
CREATE VIEW runs_overview AS
SELECT r.run_id, r.label AS run, r.name, r.mode, r.status,
       d.name AS dataset, d.num_documents, d.num_questions,
       count(DISTINCT s.system_id) AS num_systems,
       count(a.answer_id) AS num_answers,
       coalesce(sum(a.status = 'error'), 0) AS num_errors,
       CASE WHEN count(a.total_cost) = count(a.answer_id) THEN sum(a.total_cost) END AS cost_usd,
       r.primary_k, r.k_values, r.started_at, r.finished_at
FROM runs AS r
JOIN datasets AS d ON d.dataset_id = r.dataset_id
LEFT JOIN systems AS s ON s.run_id = r.run_id
LEFT JOIN answers AS a ON a.system_id = s.system_id
GROUP BY r.run_id;

-- Scores in long form, one row an (answer, metric). reason says why a value is missing.
DROP VIEW IF EXISTS question_scores;
CREATE VIEW question_scores AS
SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.question, c.category, c.answer_id, c.repeat,
       m.metric,
       m.value,
       m.reason
FROM cells AS c
JOIN scores AS m ON m.answer_id = c.answer_id;

-- The mean of each metric over the answers that have a value, with their number and that of the missing.
DROP VIEW IF EXISTS metric_means;
CREATE VIEW metric_means AS
SELECT s.run_id, s.system_id, s.name AS system,
       m.metric,
       count(m.value) AS n,
       count(*) - count(m.value) AS n_missing,
       avg(m.value) AS mean
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN scores AS m ON m.answer_id = a.answer_id
GROUP BY s.run_id, s.system_id, m.metric;

-- The latencies that a system is judged by: those of its probe, asked one at a time, where it has one; else those of the
-- run, where questions wait for each other.
DROP VIEW IF EXISTS latencies;
CREATE VIEW latencies AS
SELECT p.system_id, p.question_id, p.latency_ms, 'probe' AS source
FROM latency_probes AS p
UNION ALL
SELECT a.system_id, a.question_id, a.latency_ms, 'concurrent'
FROM answers AS a
JOIN systems AS s ON s.system_id = a.system_id
WHERE a.status = 'ok'
  AND s.type <> 'trec_run'
  AND NOT EXISTS (SELECT 1 FROM latency_probes AS p WHERE p.system_id = a.system_id);

-- One row a system. recall, precision and hit are at the run's primary k; mrr, ndcg and ndcg_exp at its deepest, both
-- named in the row. n_scored counts the answers behind those means. Tokens, cost and latency are means over the answers
-- that are ok; avg_cost is NULL when any of them has an unknown cost. A percentile is the smallest latency that at least
-- that share of the answers do not exceed (nearest rank), over the latencies that latency_source names. An imported
-- ranking has no tokens and no latency.
DROP VIEW IF EXISTS leaderboard;
CREATE VIEW leaderboard AS
SELECT r.run_id, r.label AS run, r.mode, s.system_id, s.name AS system, s.type,
       (SELECT count(*) FROM answers AS a WHERE a.system_id = s.system_id AND a.status = 'ok') AS n_ok,
       (SELECT count(*) FROM answers AS a WHERE a.system_id = s.system_id AND a.status = 'error') AS n_error,
       (SELECT count(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'recall@' || r.primary_k) AS n_scored,
       r.primary_k,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'recall@' || r.primary_k) AS recall,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'precision@' || r.primary_k) AS precision,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'hit@' || r.primary_k) AS hit,
       r.deepest_k,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'mrr@' || r.deepest_k) AS mrr,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'ndcg@' || r.deepest_k) AS ndcg,
       (SELECT avg(m.value) FROM answers AS a JOIN scores AS m INDEXED BY scores_by_metric ON m.answer_id = a.answer_id
         WHERE a.system_id = s.system_id AND m.metric = 'ndcg_exp@' || r.deepest_k) AS ndcg_exp,
       (SELECT avg(a.prompt_tokens + a.completion_tokens) FROM answers AS a
         WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run') AS avg_llm_tokens,
       (SELECT avg(a.embedding_tokens) FROM answers AS a
         WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run') AS avg_embedding_tokens,
       (SELECT CASE WHEN count(a.total_cost) = count(*) THEN avg(a.total_cost) END FROM answers AS a
         WHERE a.system_id = s.system_id AND a.status = 'ok') AS avg_cost,
       (SELECT l.latency_ms
        FROM (
          SELECT t.latency_ms, row_number() OVER (ORDER BY t.latency_ms, t.question_id) AS n, count(*) OVER () AS total
          FROM (
            SELECT p.latency_ms, p.question_id
            FROM latency_probes AS p
            WHERE p.system_id = s.system_id
            UNION ALL
            SELECT a.latency_ms, a.question_id
            FROM answers AS a
            WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run'
              AND NOT EXISTS (SELECT 1 FROM latency_probes AS p WHERE p.system_id = a.system_id)
          ) AS t
        ) AS l
        WHERE l.n = (50 * l.total + 99) / 100) AS latency_p50_ms,
       (SELECT l.latency_ms
        FROM (
          SELECT t.latency_ms, row_number() OVER (ORDER BY t.latency_ms, t.question_id) AS n, count(*) OVER () AS total
          FROM (
            SELECT p.latency_ms, p.question_id
            FROM latency_probes AS p
            WHERE p.system_id = s.system_id
            UNION ALL
            SELECT a.latency_ms, a.question_id
            FROM answers AS a
            WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run'
              AND NOT EXISTS (SELECT 1 FROM latency_probes AS p WHERE p.system_id = a.system_id)
          ) AS t
        ) AS l
        WHERE l.n = (95 * l.total + 99) / 100) AS latency_p95_ms,
       coalesce(
         (SELECT avg(p.latency_ms) FROM latency_probes AS p WHERE p.system_id = s.system_id),
         (SELECT avg(a.latency_ms) FROM answers AS a WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run')
       ) AS latency_mean_ms,
       i.num_chunks,
       CASE WHEN EXISTS (SELECT 1 FROM latency_probes AS p WHERE p.system_id = s.system_id) THEN 'probe'
            WHEN EXISTS (SELECT 1 FROM answers AS a WHERE a.system_id = s.system_id AND a.status = 'ok' AND s.type <> 'trec_run') THEN 'concurrent'
       END AS latency_source
FROM (
  SELECT run_id, label, mode, primary_k, (SELECT max(value) FROM json_each(k_values)) AS deepest_k
  FROM runs
) AS r
JOIN systems AS s ON s.run_id = r.run_id
LEFT JOIN ingestions AS i ON i.system_id = s.system_id;

-- The retrieval metrics by definition, from hits and qrels alone, at each k of the run and, with k NULL, over the whole
-- stored ranking. Documents count at their first place. recall, hit, mrr and map go by relevant; ndcg by the grades, and
-- its ideal is the best order of all judged documents. Where reason is set, the values are missing.
DROP VIEW IF EXISTS retrieval_metrics;
CREATE VIEW retrieval_metrics AS
SELECT m.run_id, m.system_id, m.question_id, m.answer_id,
       m.k,
       m.reason,
       m.num_relevant,
       iif(m.reason IS NULL, coalesce(m.num_found * 1.0 / nullif(m.num_relevant, 0), 0), NULL) AS recall,
       iif(m.reason IS NULL, m.num_found * 1.0 / m.k, NULL) AS precision,
       iif(m.reason IS NULL, m.num_found > 0, NULL) AS hit,
       iif(m.reason IS NULL, coalesce(1.0 / m.first_rank, 0), NULL) AS mrr,
       iif(m.reason IS NULL, coalesce(m.gain / (
         SELECT sum(b.grade / log2(b.position + 1))
         FROM (
           SELECT grade, row_number() OVER (ORDER BY grade DESC, doc_id) AS position
           FROM qrels
           WHERE question_id = m.question_id AND grade > 0
         ) AS b
         WHERE m.k IS NULL OR b.position <= m.k
       ), 0), NULL) AS ndcg,
       iif(m.reason IS NULL, coalesce(m.gain_exp / (
         SELECT sum((pow(2, b.grade) - 1) / log2(b.position + 1))
         FROM (
           SELECT grade, row_number() OVER (ORDER BY grade DESC, doc_id) AS position
           FROM qrels
           WHERE question_id = m.question_id AND grade > 0
         ) AS b
         WHERE m.k IS NULL OR b.position <= m.k
       ), 0), NULL) AS ndcg_exp,
       iif(m.reason IS NULL, coalesce(m.precisions / nullif(m.num_relevant, 0), 0), NULL) AS map
FROM (
  SELECT s.run_id, s.system_id, a.question_id, a.answer_id,
         t.value AS k,
         CASE
           WHEN a.status = 'error' THEN 'error'
           WHEN a.ranked = 0 THEN 'nothing retrieved'
           WHEN q.answerable = 1
            AND q.labelled = 0
            AND NOT EXISTS (SELECT 1 FROM qrels AS j WHERE j.question_id = a.question_id) THEN 'no labels'
         END AS reason,
         (SELECT count(*) FROM qrels AS j WHERE j.question_id = a.question_id AND j.relevant = 1) AS num_relevant,
         coalesce(sum(l.relevant), 0) AS num_found,
         min(CASE WHEN l.relevant = 1 THEN h.doc_rank END) AS first_rank,
         coalesce(sum(max(l.grade, 0) / log2(h.doc_rank + 1)), 0) AS gain,
         coalesce(sum((pow(2, max(l.grade, 0)) - 1) / log2(h.doc_rank + 1)), 0) AS gain_exp,
         coalesce(sum(CASE WHEN l.relevant = 1 THEN (
           SELECT sum(p.relevant)
           FROM hits AS o
           JOIN qrels AS p ON p.question_id = l.question_id AND p.doc_id = o.doc_id
           WHERE o.answer_id = h.answer_id AND o.leg = 'final' AND o.doc_rank <= h.doc_rank
         ) * 1.0 / h.doc_rank END), 0) AS precisions
  FROM runs AS r
  JOIN systems AS s ON s.run_id = r.run_id
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN questions AS q ON q.question_id = a.question_id
  JOIN json_each(json_insert(r.k_values, '$[#]', NULL)) AS t
  LEFT JOIN hits AS h ON h.answer_id = a.answer_id
    AND h.leg = 'final'
    AND h.doc_rank <= coalesce(t.value, h.doc_rank)
  LEFT JOIN qrels AS l ON l.question_id = a.question_id AND l.doc_id = h.doc_id
  GROUP BY s.run_id, s.system_id, a.question_id, a.answer_id, t.value
) AS m;

-- Every ranked list: leg final and the lists it was made from. grade and relevant are NULL for an unjudged document;
-- preview is the first 160 characters of the chunk, or of the document where no chunk was ranked, on one line.
DROP VIEW IF EXISTS ranked_lists;
CREATE VIEW ranked_lists AS
SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.question, c.answer_id, c.repeat,
       h.leg, h.rank, h.doc_rank, h.doc_id, h.chunk_id,
       k.key AS chunk,
       k.kind,
       h.score, h.in_context,
       l.grade, l.relevant,
       replace(coalesce(substr(k.text, 1, 160), (
         SELECT substr(d.text, 1, 160)
         FROM documents AS d
         JOIN dataset_documents AS m ON m.document_id = d.document_id
         WHERE d.doc_id = h.doc_id AND m.dataset_id = c.dataset_id
       )), char(10), ' ') AS preview
FROM cells AS c
JOIN hits AS h ON h.answer_id = c.answer_id
LEFT JOIN chunks AS k ON k.chunk_id = h.chunk_id
LEFT JOIN qrels AS l ON l.question_id = c.question_id AND l.doc_id = h.doc_id;

-- The steps of each answer. cumulative_ms adds up the latencies of the steps so far, whether or not they overlap.
DROP VIEW IF EXISTS trace;
CREATE VIEW trace AS
SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.answer_id, c.repeat,
       t.position,
       t.kind || ':' || t.name AS step,
       t.start_ms, t.latency_ms,
       (SELECT sum(p.latency_ms) FROM steps AS p
         WHERE p.answer_id = t.answer_id AND p.position <= t.position) AS cumulative_ms,
       t.embedding_tokens, t.prompt_tokens, t.completion_tokens, t.cost_usd,
       (SELECT count(*) FROM step_calls AS k
         WHERE k.answer_id = t.answer_id AND k.position = t.position) AS num_calls,
       t.input, t.output, t.error
FROM cells AS c
JOIN steps AS t ON t.answer_id = c.answer_id;

-- How well a system knows when not to answer, over its answers that are ok. precision: of the refusals, the share on
-- unanswerable questions; recall: of the unanswerable questions, the share refused; false_refusal_rate: of the answerable
-- ones, the share refused. NULL where there is nothing to divide by.
DROP VIEW IF EXISTS abstention;
CREATE VIEW abstention AS
SELECT s.run_id, s.system_id, s.name AS system,
       count(*) AS n,
       sum(q.answerable = 0) AS n_unanswerable,
       cast(sum(m.value) AS INTEGER) AS n_refused,
       sum(m.value * (q.answerable = 0)) / nullif(sum(m.value), 0) AS abstain_precision,
       sum(m.value * (q.answerable = 0)) / nullif(sum(q.answerable = 0), 0) AS abstain_recall,
       sum(m.value * q.answerable) / nullif(sum(q.answerable), 0) AS false_refusal_rate
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN questions AS q ON q.question_id = a.question_id
JOIN scores AS m ON m.answer_id = a.answer_id AND m.metric = 'refused'
WHERE m.value IS NOT NULL
GROUP BY s.run_id, s.system_id;

-- What a judge makes of an answer, one row an (answer, judge): the mean over the samples of its newest prompt version, or
-- of its fallback where every sample failed. answer_score is the mean of the axes that were given; its variance is that
-- of the population of samples. supported needs more than half of the samples, hallucinated half.
DROP VIEW IF EXISTS judged;
CREATE VIEW judged AS
SELECT t.answer_id,
       t.judge,
       t.prompt_version,
       count(*) AS n_samples,
       max(t.fallback) AS fallback,
       avg(t.score) AS answer_score,
       max(avg(t.score * t.score) - avg(t.score) * avg(t.score), 0) AS answer_score_variance,
       avg(t.correctness) AS correctness,
       avg(t.faithfulness) AS faithfulness,
       avg(t.completeness) AS completeness,
       avg(t.relevance) AS relevance,
       avg(t.citation_quality) AS citation_quality,
       avg(t.supported) > 0.5 AS supported,
       avg(t.hallucinated) >= 0.5 AS hallucinated
FROM (
  SELECT j.answer_id, j.judge, j.prompt_version, j.fallback, j.correctness, j.faithfulness, j.completeness, j.relevance,
         j.citation_quality, j.supported, j.hallucinated,
         (coalesce(j.correctness, 0) + coalesce(j.faithfulness, 0) + coalesce(j.completeness, 0) + coalesce(j.relevance, 0)
           + coalesce(j.citation_quality, 0)) * 1.0
         / nullif((j.correctness IS NOT NULL) + (j.faithfulness IS NOT NULL) + (j.completeness IS NOT NULL)
           + (j.relevance IS NOT NULL) + (j.citation_quality IS NOT NULL), 0) AS score
  FROM judgments AS j
  WHERE j.status = 'ok'
    AND j.prompt_version = (
      SELECT k.prompt_version
      FROM judgments AS k
      WHERE k.answer_id = j.answer_id
        AND k.judge = j.judge
        AND k.status = 'ok'
      ORDER BY k.fallback, k.judgment_id DESC
      LIMIT 1
    )
) AS t
GROUP BY t.answer_id, t.judge;

-- The kind of failure of each answer, by the first rule that holds (docs/methodology.md has them all). The scores are
-- those of the run's judge; an answer that was not judged is judged by its words where these decide, else not judged.
DROP VIEW IF EXISTS failure_types;
CREATE VIEW failure_types AS
SELECT t.run_id, t.run, t.system_id, t.system, t.question_id, t.qid, t.answer_id,
       CASE
         WHEN t.status = 'error' THEN 'run_error'
         WHEN t.no_text THEN 'format_error'
         WHEN NOT t.answerable AND t.refused THEN 'no_failure'
         WHEN NOT t.answerable THEN 'answer_hallucination'
         WHEN t.evidence_missing AND t.answer_score >= 4 AND t.faithfulness >= 4 AND NOT t.refused THEN 'possible_qrels_gap'
         WHEN t.evidence_missing AND t.hit_deepest > 0 THEN 'bad_reranking'
         WHEN t.evidence_missing THEN 'retrieval_miss'
         WHEN t.refused AND t.context_recall < 1 THEN 'insufficient_context'
         WHEN t.refused THEN 'over_refusal'
         WHEN t.answer_score IS NULL THEN 'not_judged'
         WHEN t.hallucinated = 1 THEN 'answer_hallucination'
         WHEN t.correctness >= 3.5 AND t.faithfulness >= 3 THEN 'no_failure'
         WHEN t.context_recall < 1 THEN 'insufficient_context'
         WHEN t.value_missing AND t.answer_type = 'date' THEN 'wrong_date'
         WHEN t.value_missing AND t.answer_type IN ('entity', 'person', 'name', 'organization') THEN 'wrong_entity'
         WHEN t.correctness > 1.5 THEN 'partial_answer'
         WHEN t.context_recall IS NULL THEN 'insufficient_context'
         WHEN t.supported = 1 THEN 'partial_answer'
         ELSE 'answer_hallucination'
       END AS failure_type
FROM (
  SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.answer_id, c.status,
         trim(coalesce(c.answer, '')) = '' AS no_text,
         q.answerable,
         q.answer_type,
         coalesce(c.refused, 0) AS refused,
         x.value AS context_recall,
         coalesce(x.value = 0, h.value = 0, 0) AS evidence_missing,
         d.value AS hit_deepest,
         coalesce(k.value < 0.5, 1) AS value_missing,
         s.value AS answer_score,
         f.value AS faithfulness,
         v.value AS correctness,
         u.value AS supported,
         l.value AS hallucinated
  FROM cells AS c
  JOIN runs AS r ON r.run_id = c.run_id
  JOIN questions AS q ON q.question_id = c.question_id
  LEFT JOIN scores AS x ON x.answer_id = c.answer_id AND x.metric = 'context_recall'
  LEFT JOIN scores AS h ON h.answer_id = c.answer_id AND h.metric = 'hit@' || r.primary_k
  LEFT JOIN scores AS d ON d.answer_id = c.answer_id AND d.metric = 'hit@' || (SELECT max(value) FROM json_each(r.k_values))
  LEFT JOIN scores AS k ON k.answer_id = c.answer_id AND k.metric = 'keyword_recall'
  LEFT JOIN scores AS s ON s.answer_id = c.answer_id AND s.metric = 'answer_score'
  LEFT JOIN scores AS f ON f.answer_id = c.answer_id AND f.metric = 'faithfulness'
  LEFT JOIN scores AS v ON v.answer_id = c.answer_id AND v.metric = 'correctness'
  LEFT JOIN scores AS u ON u.answer_id = c.answer_id AND u.metric = 'supported'
  LEFT JOIN scores AS l ON l.answer_id = c.answer_id AND l.metric = 'hallucinated'
  WHERE c.type <> 'trec_run'
) AS t;

-- Answers that the judge finds good although the labels say that evidence is missing: the labels may have a gap. The
-- documents that the generator read and nobody labelled relevant are candidates.
DROP VIEW IF EXISTS qrels_audit;
CREATE VIEW qrels_audit AS
SELECT t.run_id, t.run, t.system_id, t.system, t.question_id, t.qid, t.question, t.answer_id,
       iif(t.hit = 0, 'high', 'medium') AS severity,
       t.primary_k, t.recall, t.answer_score, t.faithfulness,
       (SELECT group_concat(l.doc_id, ' ') FROM qrels AS l WHERE l.question_id = t.question_id AND l.relevant = 1) AS labelled_doc_ids,
       t.unlabelled_doc_ids
FROM (
  SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.question, c.answer_id,
         r.primary_k,
         m.value AS recall,
         h.value AS hit,
         s.value AS answer_score,
         f.value AS faithfulness,
         (SELECT group_concat(p.doc_id, ' ')
          FROM hits AS p
          WHERE p.answer_id = c.answer_id
            AND p.leg = 'final'
            AND p.in_context = 1
            AND p.doc_rank IS NOT NULL
            AND NOT EXISTS (
              SELECT 1 FROM qrels AS l WHERE l.question_id = c.question_id AND l.doc_id = p.doc_id AND l.relevant = 1
            )) AS unlabelled_doc_ids
  FROM cells AS c
  JOIN runs AS r ON r.run_id = c.run_id
  JOIN scores AS m ON m.answer_id = c.answer_id AND m.metric = 'recall@' || r.primary_k
  JOIN scores AS h ON h.answer_id = c.answer_id AND h.metric = 'hit@' || r.primary_k
  JOIN scores AS s ON s.answer_id = c.answer_id AND s.metric = 'answer_score'
  JOIN scores AS f ON f.answer_id = c.answer_id AND f.metric = 'faithfulness'
  WHERE m.value < 1
    AND s.value >= 4
    AND f.value >= 4
    AND EXISTS (SELECT 1 FROM qrels AS l WHERE l.question_id = c.question_id AND l.relevant = 1)
) AS t
WHERE t.unlabelled_doc_ids IS NOT NULL;

-- What each kind of step took and cost, a system, over the answers that are ok. The row untracked is what the answers
-- were charged, and took, beyond their steps. A cost is NULL when any part of it is unknown.
DROP VIEW IF EXISTS costs_by_stage;
CREATE VIEW costs_by_stage AS
SELECT s.run_id, s.system_id, s.name AS system,
       'stage_' || t.kind AS stage,
       count(*) AS n_steps,
       count(DISTINCT t.answer_id) AS n_answers,
       sum(t.latency_ms) AS latency_ms,
       sum(t.embedding_tokens) AS embedding_tokens,
       sum(t.prompt_tokens) AS prompt_tokens,
       sum(t.completion_tokens) AS completion_tokens,
       CASE WHEN count(t.cost_usd) = count(*) THEN sum(t.cost_usd) END AS cost_usd
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN steps AS t ON t.answer_id = a.answer_id
WHERE a.status = 'ok'
GROUP BY s.run_id, s.system_id, t.kind
UNION ALL
SELECT s.run_id, s.system_id, s.name,
       'untracked',
       0,
       count(*),
       round(sum(a.latency_ms - (SELECT total(t.latency_ms) FROM steps AS t WHERE t.answer_id = a.answer_id)), 6),
       sum(a.embedding_tokens - coalesce((SELECT sum(t.embedding_tokens) FROM steps AS t WHERE t.answer_id = a.answer_id), 0)),
       sum(a.prompt_tokens - coalesce((SELECT sum(t.prompt_tokens) FROM steps AS t WHERE t.answer_id = a.answer_id), 0)),
       sum(a.completion_tokens - coalesce((SELECT sum(t.completion_tokens) FROM steps AS t WHERE t.answer_id = a.answer_id), 0)),
       CASE WHEN count(a.total_cost) = count(*) THEN round(sum(a.total_cost - (
         SELECT iif(count(t.cost_usd) = count(*), total(t.cost_usd), NULL) FROM steps AS t WHERE t.answer_id = a.answer_id
       )), 12) END
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
WHERE a.status = 'ok'
  AND s.type <> 'trec_run'
GROUP BY s.run_id, s.system_id;

-- Answers that went wrong and how: error (no answer), finish_length, finish_content_filter and so on (the generating
-- call did not stop by itself), empty (no text), step_error (answered in spite of it).
DROP VIEW IF EXISTS failures;
CREATE VIEW failures AS
SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.answer_id,
       CASE
         WHEN c.status = 'error' THEN 'error'
         WHEN coalesce(c.finish, 'stop') <> 'stop' THEN 'finish_' || c.finish
         ELSE 'empty'
       END AS kind,
       coalesce(c.error, substr(c.answer, 1, 160)) AS detail
FROM cells AS c
WHERE c.status = 'error'
   OR coalesce(c.finish, 'stop') <> 'stop'
   OR (coalesce(c.answer, '') = '' AND c.type <> 'trec_run')
UNION ALL
SELECT c.run_id, c.run, c.system_id, c.system, c.question_id, c.qid, c.answer_id,
       'step_error',
       t.kind || ':' || t.name || ': ' || t.error
FROM cells AS c
JOIN steps AS t ON t.answer_id = c.answer_id
WHERE t.error IS NOT NULL
  AND c.status = 'ok';

-- How far the numbers of a run can be trusted: counts that are all 0 in a clean run. judge is whose scores are the run's;
-- the heuristic compares words and is no evidence about quality.
DROP VIEW IF EXISTS trust;
CREATE VIEW trust AS
SELECT r.run_id, r.label AS run, r.mode, r.status,
       (SELECT count(*) FROM missing_cells AS m WHERE m.run_id = r.run_id) AS cells_missing,
       (SELECT count(*) FROM cells AS c WHERE c.run_id = r.run_id AND c.status = 'error') AS errors,
       (SELECT count(*) FROM cells AS c WHERE c.run_id = r.run_id AND c.finish = 'length') AS truncated_answers,
       (SELECT count(*) FROM cells AS c
         WHERE c.run_id = r.run_id AND c.status = 'ok' AND c.type <> 'trec_run' AND c.total_cost IS NULL) AS unpriced_answers,
       (SELECT count(DISTINCT m.call_id) FROM cells AS c JOIN step_calls AS t ON t.answer_id = c.answer_id
          JOIN model_calls AS m ON m.call_id = t.call_id
         WHERE c.run_id = r.run_id AND m.cost_usd IS NULL) AS unpriced_calls,
       (SELECT count(*) FROM cells AS c
         WHERE c.run_id = r.run_id AND c.status = 'ok' AND c.type <> 'trec_run'
           AND NOT EXISTS (SELECT 1 FROM judgments AS j WHERE j.answer_id = c.answer_id AND j.status = 'ok')) AS unjudged_answers,
       (SELECT count(*) FROM cells AS c JOIN judgments AS j ON j.answer_id = c.answer_id
         WHERE c.run_id = r.run_id AND j.status <> 'ok') AS failed_judgments,
       (SELECT count(*) FROM cells AS c JOIN judgments AS j ON j.answer_id = c.answer_id
         WHERE c.run_id = r.run_id AND j.fallback = 1) AS fallbacks,
       (SELECT count(*) FROM questions AS q
         WHERE q.dataset_id = r.dataset_id AND q.answerable = 1 AND q.labelled = 0
           AND NOT EXISTS (SELECT 1 FROM qrels AS l WHERE l.question_id = q.question_id)) AS unlabelled_questions,
       (SELECT count(*) FROM dataset_warnings AS w WHERE w.dataset_id = r.dataset_id) AS dataset_warnings,
       (SELECT count(*) FROM systems AS s JOIN json_each(s.config, '$.warnings') AS w
         WHERE s.run_id = r.run_id AND s.type = 'trec_run') AS import_warnings,
       r.metadata ->> 'judge' AS judge
FROM runs AS r;

-- What a run cost, in dollars. charged_usd is what its systems would have cost alone, ingestion included; NULL when any
-- part is unknown. paid_usd is what its calls to models really cost, calls without a price left out; saved_usd is the
-- price of what was answered from stored calls instead. A replay pays nothing.
DROP VIEW IF EXISTS spend;
CREATE VIEW spend AS
SELECT r.run_id, r.label AS run, r.mode,
       (SELECT CASE WHEN count(a.total_cost) = count(*) THEN total(a.total_cost) END
        FROM systems AS s JOIN answers AS a ON a.system_id = s.system_id
        WHERE s.run_id = r.run_id)
       + (SELECT CASE WHEN count(i.cost_usd) = count(*) THEN total(i.cost_usd) END
          FROM systems AS s JOIN ingestions AS i ON i.system_id = s.system_id
          WHERE s.run_id = r.run_id) AS charged_usd,
       iif(r.mode = 'replay', 0.0,
         (SELECT total(m.cost_usd)
          FROM systems AS s
          JOIN answers AS a ON a.system_id = s.system_id
          JOIN step_calls AS t ON t.answer_id = a.answer_id
          JOIN model_calls AS m ON m.call_id = t.call_id
          WHERE s.run_id = r.run_id AND t.cached = 0)
         + (SELECT total(m.cost_usd)
            FROM model_calls AS m
            WHERE m.run_id = r.run_id
              AND NOT EXISTS (
                SELECT 1
                FROM step_calls AS t
                JOIN answers AS a ON a.answer_id = t.answer_id
                JOIN systems AS s ON s.system_id = a.system_id
                WHERE t.call_id = m.call_id AND t.cached = 0 AND s.run_id = r.run_id
              ))
         + (SELECT total(p.cost_usd)
            FROM systems AS s JOIN latency_probes AS p ON p.system_id = s.system_id
            WHERE s.run_id = r.run_id)) AS paid_usd,
       (SELECT total(m.cost_usd)
        FROM systems AS s
        JOIN answers AS a ON a.system_id = s.system_id
        JOIN step_calls AS t ON t.answer_id = a.answer_id
        JOIN model_calls AS m ON m.call_id = t.call_id
        WHERE s.run_id = r.run_id AND (t.cached = 1 OR r.mode = 'replay')) AS saved_usd
FROM runs AS r;

-- Models of a run whose price is unknown: what they cost is missing from every sum, and is not 0.
DROP VIEW IF EXISTS unpriced_models;
CREATE VIEW unpriced_models AS
SELECT s.run_id,
       m.requested AS model,
       count(DISTINCT m.call_id) AS num_calls
FROM systems AS s
JOIN answers AS a ON a.system_id = s.system_id
JOIN step_calls AS t ON t.answer_id = a.answer_id
JOIN model_calls AS m ON m.call_id = t.call_id
WHERE m.cost_usd IS NULL
  AND m.error IS NULL
GROUP BY s.run_id, m.requested;

-- The messages of each model call, put together from their parts. A window over their position joins them: to a plain
-- group_concat SQLite promises no order before 3.44, not even over an ordered subquery, but a window's frame is ordered.
DROP VIEW IF EXISTS call_messages;
CREATE VIEW call_messages AS
SELECT call_id, message, role, text
FROM (
  SELECT c.call_id,
         c.message,
         c.role,
         group_concat(p.text, '') OVER parts AS text,
         row_number() OVER (PARTITION BY c.call_id, c.message ORDER BY c.position) AS n
  FROM call_parts AS c
  JOIN prompts AS p ON p.prompt_id = c.prompt_id
  WINDOW parts AS (
    PARTITION BY c.call_id, c.message
    ORDER BY c.position
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  )
)
WHERE n = 1;
