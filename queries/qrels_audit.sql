-- Answers that the judge finds good although the labels say that evidence is missing, with the documents to look at.
-- param: run null id, label or name of the run; null is the newest
SELECT system,
       qid,
       question,
       severity,
       primary_k,
       round(recall, 4) AS recall,
       round(answer_score, 2) AS answer_score,
       round(faithfulness, 2) AS faithfulness,
       labelled_doc_ids,
       unlabelled_doc_ids
FROM qrels_audit
WHERE run_id = (
    SELECT run_id
    FROM runs
    WHERE :run IS NULL OR run_id = :run OR label = :run OR name = :run
    ORDER BY run_id DESC
    LIMIT 1
  )
ORDER BY severity, question_id, system_id, answer_id;
