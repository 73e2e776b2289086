-- Quality, speed and cost of the systems of a run, the best nDCG first.
-- param: run null id, label or name of the run; null is the newest
SELECT system,
       type,
       n_ok,
       n_error,
       n_scored,
       primary_k AS k,
       round(recall, 4) AS recall_k,
       round(precision, 4) AS precision_k,
       round(hit, 4) AS hit_k,
       deepest_k AS d,
       round(mrr, 4) AS mrr_d,
       round(ndcg, 4) AS ndcg_d,
       round(ndcg_exp, 4) AS ndcg_exp_d,
       round(avg_llm_tokens, 1) AS llm_tokens,
       round(avg_cost, 8) AS cost_usd,
       round(latency_p50_ms, 3) AS p50_ms,
       round(latency_p95_ms, 3) AS p95_ms,
       num_chunks
FROM leaderboard
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
ORDER BY ndcg DESC NULLS LAST, system_id;
