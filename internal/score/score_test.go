package score_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
)

// small is a run of one system over questions of every kind: labelled (1), unanswerable (2), unlabelled (3), judged with
// nothing relevant (4), failed (5), never retrieved (6), nothing found (7).
const small = `
INSERT INTO datasets VALUES (1, 'd', printf('%064d', 1), printf('%064d', 1), '', 0, 7, '2026-01-01T00:00:00Z');
INSERT INTO questions (question_id, dataset_id, position, qid, text, answerable, labelled)
VALUES (1, 1, 0, 'labelled', '', 1, 1), (2, 1, 1, 'unanswerable', '', 0, 0), (3, 1, 2, 'unlabelled', '', 1, 0),
       (4, 1, 3, 'none relevant', '', 1, 1), (5, 1, 4, 'failed', '', 1, 1), (6, 1, 5, 'blank', '', 1, 1), (7, 1, 6, 'not found', '', 1, 1);
INSERT INTO qrels VALUES (1, 'a', 3, 1), (1, 'b', 1, 1), (1, 'c', -1, 0), (4, 'a', 0, 0), (5, 'a', 1, 1), (6, 'a', 1, 1), (7, 'z', 1, 1);
INSERT INTO runs VALUES (1, 'r', 'r', 1, 'mock', 'done', '', printf('%064d', 1), 0, '[1,3]', 3, 3, 3, 'linear', '', '', NULL, '{}');
INSERT INTO systems VALUES (1, 1, 0, 's', 'bm25', '{}', printf('%064d', 1), '');
INSERT INTO answers (answer_id, system_id, question_id, status, error, ranked, latency_ms)
VALUES (1, 1, 1, 'ok', NULL, 1, 1), (2, 1, 2, 'ok', NULL, 1, 1), (3, 1, 3, 'ok', NULL, 1, 1), (4, 1, 4, 'ok', NULL, 1, 1),
       (5, 1, 5, 'error', 'broken', 1, NULL), (6, 1, 6, 'ok', NULL, 0, 1), (7, 1, 7, 'ok', NULL, 1, 1);
INSERT INTO hits (answer_id, leg, rank, doc_id, doc_rank, score)
VALUES (1, 'final', 1, 'c', 1, 9), (1, 'final', 2, 'c', NULL, 8), (1, 'final', 3, 'b', 2, 7), (1, 'final', 4, 'a', 3, 6),
       (1, 'bm25', 1, 'a', 1, 6), (2, 'final', 1, 'a', 1, 1), (3, 'final', 1, 'a', 1, 1), (4, 'final', 1, 'a', 1, 1);
`

func openSmall(t *testing.T) *sql.DB {
	t.Helper()
	db, _ := scoretest.Open(t)
	if _, err := db.Exec(small); err != nil {
		t.Fatal(err)
	}
	return db
}

func run(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	scoretest.Write(t, db, func(tx *sql.Tx) (err error) {
		n, err = score.Run(context.Background(), tx, 1)
		return err
	})
	return n
}

func TestRun(t *testing.T) {
	db := openSmall(t)
	if n := run(t, db); n != 7 {
		t.Errorf("got %d answers scored, want 7", n)
	}
	for _, tt := range []struct{ qid, metric, want string }{
		// c is judged below 0, b (grade 1) is the second document and a (grade 3) the third: a repeat takes no place.
		{"labelled", "recall@1", "0"},
		{"labelled", "recall@3", "1"},
		{"labelled", "precision@3", "0.666667"},
		{"labelled", "hit@1", "0"},
		{"labelled", "hit@3", "1"},
		{"labelled", "mrr@1", "0"},
		{"labelled", "mrr@3", "0.5"},
		{"labelled", "mrr", "0.5"},
		{"labelled", "ndcg@3", "0.586883"},    // (1/log2 3 + 3/log2 4) / (3 + 1/log2 3)
		{"labelled", "ndcg_exp@3", "0.54134"}, // (1/log2 3 + 7/log2 4) / (7 + 1/log2 3)
		{"labelled", "map", "0.583333"},       // (1/2 + 2/3) / 2
		{"labelled", "map@1", "0"},
		{"labelled", "rprec", "0.5"},
		{"labelled", "num_retrieved", "3"},
		{"labelled", "num_relevant", "2"},
		{"unanswerable", "recall@3", "0"},
		{"unanswerable", "ndcg@3", "0"},
		{"unlabelled", "recall@3", "no labels"},
		{"unlabelled", "ndcg@3", "no labels"},
		{"unlabelled", "num_relevant", "no labels"},
		{"unlabelled", "num_retrieved", "1"},
		{"none relevant", "recall@3", "0"},
		{"none relevant", "map", "0"},
		{"failed", "recall@3", "error"},
		{"failed", "num_retrieved", "error"},
		{"blank", "recall@3", "nothing retrieved"},
		{"blank", "num_retrieved", "nothing retrieved"},
		{"not found", "recall@3", "0"},
		{"not found", "num_retrieved", "0"},
	} {
		_, rows := scoretest.Dump(t, db,
			"SELECT CASE WHEN value IS NULL THEN reason ELSE format('%.6g', value) END FROM question_scores WHERE qid = ? AND metric = ?", tt.qid, tt.metric)
		if diff := cmp.Diff([][]string{{tt.want}}, rows); diff != "" {
			t.Errorf("%s of %q (-want +got):\n%s", tt.metric, tt.qid, diff)
		}
	}
	checkView(t, db)
	_, rows := scoretest.Dump(t, db, "SELECT n, n_missing, mean FROM metric_means WHERE metric = 'hit@3'")
	if diff := cmp.Diff([][]string{{"4", "3", "0.25"}}, rows); diff != "" {
		t.Errorf("mean of hit@3 (-want +got):\n%s", diff)
	}
}

func TestRunAgain(t *testing.T) {
	db := openSmall(t)
	run(t, db)
	_, first := scoretest.Dump(t, db, "SELECT * FROM scores")
	if n := run(t, db); n != 0 {
		t.Errorf("second run: got %d answers scored, want 0", n)
	}
	// An answer that is written anew loses its scores and is the only one to be scored.
	if _, err := db.Exec("DELETE FROM scores WHERE answer_id = 2; INSERT INTO scores VALUES (2, 'token_f1', 0.5, NULL)"); err != nil {
		t.Fatal(err)
	}
	if n := run(t, db); n != 1 {
		t.Errorf("after a change: got %d answers scored, want 1", n)
	}
	// New labels count after Again, which leaves the scores of others alone.
	if _, err := db.Exec("DELETE FROM qrels WHERE question_id = 1 AND doc_id = 'a'"); err != nil {
		t.Fatal(err)
	}
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		n, err := score.Again(context.Background(), tx, 1)
		if n != 7 {
			t.Errorf("again: got %d answers scored, want 7", n)
		}
		return err
	})
	checkView(t, db)
	_, rows := scoretest.Dump(t, db, "SELECT * FROM scores")
	if len(rows) != len(first)+1 {
		t.Errorf("got %d scores, want the %d of before and token_f1", len(rows), len(first))
	}
}

func TestUnknownRun(t *testing.T) {
	db := openSmall(t)
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		if _, err := score.Run(context.Background(), tx, 9); !errors.Is(err, rag.ErrNotFound) {
			t.Errorf("got error %v, want one that is rag.ErrNotFound", err)
		}
		return nil
	})
}

// TestMetrics holds the table that describes the metrics against those that are stored.
func TestMetrics(t *testing.T) {
	db := openSmall(t)
	run(t, db)
	want := map[string]bool{}
	for _, m := range score.Metrics {
		if m.Title == "" || m.Doc == "" || m.Cite == "" || m.New.Formula == "" {
			t.Errorf("%s: a description is missing", m.Name)
		}
		if m.New.AtK {
			want[m.Name+"@1"], want[m.Name+"@3"] = true, true
		}
		if m.New.Whole {
			want[m.Name] = true
		}
	}
	got := map[string]bool{}
	_, rows := scoretest.Dump(t, db, "SELECT DISTINCT metric FROM scores")
	for _, r := range rows {
		got[r[0]] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics described and stored (-described +stored):\n%s", diff)
	}
}

// TestPushDown holds the views to their promise: a condition on an id reaches the tables.
func TestPushDown(t *testing.T) {
	db := openSmall(t)
	for _, query := range []string{
		"SELECT * FROM retrieval_metrics WHERE answer_id = 1",
		"SELECT * FROM question_scores WHERE answer_id = 1",
		"SELECT * FROM ranked_lists WHERE answer_id = 1",
		"SELECT * FROM trace WHERE answer_id = 1",
		"SELECT * FROM metric_means WHERE system_id = 1",
		"SELECT * FROM retrieval_metrics WHERE system_id = 1",
		"SELECT * FROM costs_by_stage WHERE system_id = 1",
		"SELECT * FROM failures WHERE system_id = 1",
		"SELECT * FROM call_messages WHERE call_id = 1",
		"SELECT * FROM leaderboard WHERE system_id = 1",
	} {
		if scans := scanned(t, db, query); len(scans) > 0 {
			t.Errorf("%s: got %q in its plan, want no scan of a table", query, scans)
		}
	}
	if scans := scanned(t, db, "SELECT * FROM retrieval_metrics"); len(scans) == 0 {
		t.Error("all of retrieval_metrics: got no scan of a table, want one: the test does not see scans")
	}
}

// scanned returns the lines of the plan of query that scan a table from end to end.
func scanned(t *testing.T, db *sql.DB, query string) (scans []string) {
	t.Helper()
	_, rows := scoretest.Dump(t, db, "EXPLAIN QUERY PLAN "+query)
	subqueries := map[string]bool{}
	for _, r := range rows {
		if f := strings.Fields(r[3]); f[0] == "CO-ROUTINE" || f[0] == "MATERIALIZE" {
			subqueries[f[1]] = true
		}
	}
	for _, r := range rows {
		if f := strings.Fields(r[3]); f[0] == "SCAN" && !subqueries[f[1]] && !strings.Contains(r[3], "VIRTUAL TABLE") {
			scans = append(scans, r[3])
		}
	}
	return scans
}
