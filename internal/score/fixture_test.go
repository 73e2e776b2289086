package score_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
	"ragbench/internal/trec"
)

// metricsDir is where the published test files of evaluation tools are, seen from this package.
const metricsDir = "../../../shared/data/metrics"

func needMetrics(t *testing.T) fs.FS {
	t.Helper()
	if _, err := os.Stat(metricsDir); err != nil {
		t.Skipf("no published metrics to compare with: %v", err)
	}
	return os.DirFS(metricsDir)
}

// addDataset adds a dataset without documents whose questions are those judged and those ranked. A document is relevant
// from the grade level on.
func addDataset(t testing.TB, db *sql.DB, qrels []rag.Qrel, run *trec.Run, level int) {
	t.Helper()
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO datasets VALUES (1, 'd', printf('%064d', 1), printf('%064d', 1), '', 0, 0, '2026-01-01T00:00:00Z')"); err != nil {
			return err
		}
		ids := map[string]int{}
		add := func(qid string, labelled int) error {
			if _, ok := ids[qid]; ok {
				return nil
			}
			ids[qid] = len(ids) + 1
			_, err := tx.Exec("INSERT INTO questions (question_id, dataset_id, position, qid, text, labelled) VALUES (?, 1, ?, ?, '', ?)",
				ids[qid], ids[qid], qid, labelled)
			return err
		}
		for _, q := range qrels {
			if err := add(q.QuestionID, 1); err != nil {
				return err
			}
			_, err := tx.Exec("INSERT INTO qrels VALUES (?, ?, ?, ?)", ids[q.QuestionID], q.DocID, q.Grade, q.Grade >= level)
			if err != nil {
				return err
			}
		}
		for _, q := range run.Queries {
			if err := add(q.QueryID, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// importRun scores the ranking at the cut-offs over the judgments and returns value by metric and question; the question
// "all" has the means over the questions with a value.
func importRun(t testing.TB, db *sql.DB, qrels []rag.Qrel, run *trec.Run, level int, ks ...int) map[string]map[string]float64 {
	t.Helper()
	addDataset(t, db, qrels, run, level)
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		rep, err := trec.Import(context.Background(), tx, run, trec.Target{DatasetID: 1, KValues: ks, Now: time.Unix(0, 0)})
		if err != nil {
			return err
		}
		n, err := score.Run(context.Background(), tx, rep.RunID)
		if err == nil && n < len(run.Queries) {
			err = fmt.Errorf("got %d answers scored, want at least the %d queries of the run", n, len(run.Queries))
		}
		return err
	})
	got := map[string]map[string]float64{}
	put := func(metric, qid, value string) {
		if got[metric] == nil {
			got[metric] = map[string]float64{}
		}
		v := math.NaN()
		if value != "-" {
			if _, err := fmt.Sscan(value, &v); err != nil {
				t.Fatal(err)
			}
		}
		got[metric][qid] = v
	}
	_, rows := scoretest.Dump(t, db, "SELECT metric, qid, value FROM question_scores")
	for _, r := range rows {
		put(r[0], r[1], r[2])
	}
	_, rows = scoretest.Dump(t, db, "SELECT metric, mean FROM metric_means")
	for _, r := range rows {
		put(r[0], "all", r[1])
	}
	return got
}

// checkView holds the scores of the file against the view that defines them.
func checkView(t *testing.T, db *sql.DB) {
	t.Helper()
	const query = `
WITH long AS (
  SELECT v.answer_id, v.reason, m.value || coalesce('@' || v.k, '') AS metric,
         CASE m.value WHEN 'recall' THEN v.recall WHEN 'precision' THEN v.precision WHEN 'hit' THEN v.hit WHEN 'mrr' THEN v.mrr
           WHEN 'ndcg' THEN v.ndcg WHEN 'ndcg_exp' THEN v.ndcg_exp WHEN 'map' THEN v.map WHEN 'num_relevant' THEN v.num_relevant END AS value
  FROM retrieval_metrics AS v, json_each('["recall","precision","hit","mrr","ndcg","ndcg_exp","map","num_relevant"]') AS m
)
SELECT s.answer_id, s.metric, s.value, l.value, s.reason, l.reason
FROM scores AS s
LEFT JOIN long AS l ON l.answer_id = s.answer_id AND l.metric = s.metric
WHERE s.metric NOT IN ('rprec', 'num_retrieved', 'token_f1')
  AND (l.metric IS NULL OR s.reason IS NOT l.reason OR (s.reason IS NULL AND coalesce(abs(s.value - l.value) > 1e-12, 1)))`
	_, rows := scoretest.Dump(t, db, query)
	if len(rows) > 0 {
		t.Errorf("scores and the view retrieval_metrics differ %d times, first (answer, metric, score, view, reasons) %v", len(rows), rows[0])
	}
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
