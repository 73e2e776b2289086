-- What the judge command reads and shows.

-- name: run_config :one
SELECT name, mode, config
FROM runs
WHERE run_id = :run_id;

-- name: judges :many
-- The judges of a run side by side.
SELECT j.judge,
       count(*) AS answers,
       sum(j.fallback) AS fallbacks,
       (SELECT count(*)
        FROM cells AS x
        JOIN judgments AS f ON f.answer_id = x.answer_id
        WHERE x.run_id = :run_id AND f.judge = j.judge AND f.status <> 'ok') AS failed,
       round(avg(j.answer_score), 4) AS answer_score,
       round(avg(j.correctness), 4) AS correctness,
       round(avg(j.faithfulness), 4) AS faithfulness,
       j.judge = (SELECT coalesce(metadata ->> 'judge', '') FROM runs WHERE run_id = :run_id) AS in_use
FROM cells AS c
JOIN judged AS j ON j.answer_id = c.answer_id
WHERE c.run_id = :run_id
GROUP BY j.judge
ORDER BY in_use DESC, j.judge;
