package score_test

import (
	"math"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/score/scoretest"
)

// TestMissingQueriesAndNegativeGrades takes every third query out of a run and judges documents that nobody had judged
// -1. The remaining queries keep their values, the missing ones count 0 in the means, as with trec_eval -c.
func TestMissingQueriesAndNegativeGrades(t *testing.T) {
	fsys := needMetrics(t)
	run, qrels := parseBoth(t, fsys, "golden/cranfield.bm25.run.gz", "golden/cranfield.bm25.qrels.gz")
	db, _ := scoretest.Open(t)
	want := importRun(t, db, qrels, run, 1, 10)

	judged := map[[2]string]bool{}
	for _, q := range qrels {
		judged[[2]string{q.QuestionID, q.DocID}] = true
	}
	kept := run.Queries[:0:0]
	lost := map[string]bool{}
	negative := 0
	for i, q := range run.Queries {
		if i%3 == 0 {
			lost[q.QueryID] = true
			continue
		}
		kept = append(kept, q)
		for _, d := range q.Docs {
			if !judged[[2]string{q.QueryID, d.ID}] {
				qrels = append(qrels, rag.Qrel{QuestionID: q.QueryID, DocID: d.ID, Grade: -1})
				negative++
			}
		}
	}
	if len(lost) < 50 || negative < 1000 {
		t.Fatalf("got %d queries taken out and %d judgments added, want more", len(lost), negative)
	}
	run.Queries = kept
	db, _ = scoretest.Open(t)
	got := importRun(t, db, qrels, run, 1, 10)
	checkView(t, db)
	for metric, values := range want {
		sum := 0.0
		for qid, v := range values {
			if qid == "all" {
				continue
			}
			if lost[qid] && metric != "num_relevant" {
				v = 0
			}
			if math.Abs(got[metric][qid]-v) > 1e-12 {
				t.Errorf("%s of query %s: got %v, want %v", metric, qid, got[metric][qid], v)
			}
			sum += v
		}
		if mean := sum / float64(len(values)-1); math.Abs(got[metric]["all"]-mean) > 1e-9 {
			t.Errorf("mean of %s: got %v, want %v", metric, got[metric]["all"], mean)
		}
	}
}
