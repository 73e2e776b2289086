-- How far each pair of judges agrees on the same answers: quadratically weighted kappa of whole points, and Spearman.
-- param: run null id, label or name of the run; null is the newest
WITH rated AS MATERIALIZED (
  SELECT j.answer_id, j.judge, j.answer_score AS score
  FROM systems AS s
  JOIN answers AS a ON a.system_id = s.system_id
  JOIN judged AS j ON j.answer_id = a.answer_id
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
pairs AS MATERIALIZED (
  SELECT a.judge AS judge, b.judge AS other, a.score AS x, b.score AS y, round(a.score) AS rx, round(b.score) AS ry
  FROM rated AS a
  JOIN rated AS b ON b.answer_id = a.answer_id AND b.judge > a.judge
),
-- Ranks, the mean of their places for equal scores.
ranked AS MATERIALIZED (
  SELECT judge, other, x, y, rx, ry,
         rank() OVER (PARTITION BY judge, other ORDER BY x)
           + (count(*) OVER (PARTITION BY judge, other, x) - 1) / 2.0 AS px,
         rank() OVER (PARTITION BY judge, other ORDER BY y)
           + (count(*) OVER (PARTITION BY judge, other, y) - 1) / 2.0 AS py
  FROM pairs
),
sums AS (
  SELECT judge, other,
         count(*) AS n,
         avg(x) AS mean_x,
         avg(y) AS mean_y,
         avg(abs(x - y)) AS mean_gap,
         avg((rx - ry) * (rx - ry)) AS observed,
         avg(rx * rx) + avg(ry * ry) - 2 * avg(rx) * avg(ry) AS expected,
         avg(px * py) - avg(px) * avg(py) AS covariance,
         (avg(px * px) - avg(px) * avg(px)) * (avg(py * py) - avg(py) * avg(py)) AS variances
  FROM ranked
  GROUP BY judge, other
)
SELECT judge,
       other,
       n,
       round(mean_x, 4) AS mean,
       round(mean_y, 4) AS other_mean,
       round(mean_gap, 4) AS mean_gap,
       round(1 - observed / nullif(expected, 0), 4) AS weighted_kappa,
       round(covariance / nullif(sqrt(max(variances, 0)), 0), 4) AS spearman
FROM sums
ORDER BY judge, other;
