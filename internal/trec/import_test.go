package trec_test

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/score/scoretest"
	"ragbench/internal/trec"
)

// corpus is a dataset of three questions and three documents.
const corpus = `
INSERT INTO documents SELECT value + 1, 'd' || value, printf('%064d', value), '', 'text', '', 'text/plain', 'utf-8', '{}', 4, 4 FROM json_each('[0,1,2]');
INSERT INTO datasets VALUES (1, 'd', printf('%064d', 1), printf('%064d', 1), '', 3, 3, '2026-01-01T00:00:00Z'), (2, 'e', printf('%064d', 2), printf('%064d', 2), '', 0, 0, '2026-01-01T00:00:00Z');
INSERT INTO dataset_documents SELECT 1, value, value + 1 FROM json_each('[0,1,2]');
INSERT INTO questions (dataset_id, position, qid, text, labelled) SELECT 1, value, 'q' || value, '', 1 FROM json_each('[0,1,2]');
INSERT INTO qrels VALUES (1, 'd0', 2, 1), (1, 'd1', 0, 0), (3, 'd2', -1, 0);
`

var now = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, _ := scoretest.Open(t)
	if _, err := db.Exec(corpus); err != nil {
		t.Fatal(err)
	}
	return db
}

// add imports text and returns what Import does.
func add(t *testing.T, db *sql.DB, text string, to trec.Target) (trec.Report, error) {
	t.Helper()
	run, err := trec.ParseRun(strings.NewReader(text), "dir/x.run")
	if err != nil {
		t.Fatal(err)
	}
	to.Now = now
	var rep trec.Report
	var failed error
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		rep, failed = trec.Import(context.Background(), tx, run, to)
		return nil
	})
	return rep, failed
}

func TestImport(t *testing.T) {
	db := open(t)
	rep, err := add(t, db, "q0 Q0 d1 1 2 peer\nq0 Q0 d0 2 2 peer\nq2 Q0 other 1 1 peer\nq9 Q0 d0 1 1 peer\n", trec.Target{DatasetID: 1, RunName: "peers"})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Queries != 2 || rep.Hits != 3 {
		t.Errorf("got %d queries and %d hits, want 2 and 3", rep.Queries, rep.Hits)
	}
	var codes []string
	for _, w := range rep.Warnings {
		codes = append(codes, w.Code+" "+w.Subject)
	}
	if diff := cmp.Diff([]string{"unknown_question q9", "missing_question q1", "unknown_document other"}, codes); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	for _, tt := range []struct{ query, want string }{
		{"SELECT label, mode, status, k_values, primary_k, retrieval_depth, started_at FROM runs", "peers_20260504_030201 import done [1,3,5,10] 5 10 2026-05-04T03:02:01Z"},
		{"SELECT name, type, position, json_extract(config, '$.file') FROM systems", "peer trec_run 0 x.run"},
		{"SELECT group_concat(ranked) FROM answers", "1,1,1"},
		{"SELECT group_concat(doc_id) FROM (SELECT doc_id FROM ranked_lists WHERE qid = 'q0' ORDER BY rank)", "d1,d0"},
		{"SELECT preview FROM ranked_lists WHERE qid = 'q0' AND rank = 1", "text"},
		{"SELECT count(*) FROM hits WHERE rank = doc_rank AND leg = 'final'", "3"},
		{"SELECT import_warnings, cells_missing, unpriced_answers FROM trust", "3 0 0"},
		{"SELECT count(*) FROM leaderboard WHERE latency_mean_ms IS NULL AND latency_p95_ms IS NULL AND avg_llm_tokens IS NULL AND avg_cost IS NULL", "1"},
	} {
		_, rows := scoretest.Dump(t, db, tt.query)
		if got := strings.Join(rows[0], " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.query, got, tt.want)
		}
	}
	// A second file joins the run; a second run of the same name and second gets a label of its own.
	if rep, err = add(t, db, "q0 Q0 d1 1 2 x\n", trec.Target{DatasetID: 1, RunID: rep.RunID, System: "second"}); err != nil {
		t.Fatal(err)
	}
	if _, err = add(t, db, "q0 Q0 d1 1 2 x\n", trec.Target{DatasetID: 1, RunName: "peers", KValues: []int{20, 2, 2}}); err != nil {
		t.Fatal(err)
	}
	_, rows := scoretest.Dump(t, db, "SELECT r.label, r.k_values, r.primary_k, s.name, s.position FROM systems AS s JOIN runs AS r USING (run_id) ORDER BY s.system_id")
	want := [][]string{
		{"peers_20260504_030201", "[1,3,5,10]", "5", "peer", "0"},
		{"peers_20260504_030201", "[1,3,5,10]", "5", "second", "1"},
		{"peers_20260504_030201_2", "[2,20]", "20", "x", "0"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("runs and systems (-want +got):\n%s", diff)
	}
}

func TestImportErrors(t *testing.T) {
	db := open(t)
	if _, err := add(t, db, "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		to         trec.Target
		want       string
		is         error
	}{
		{"taken", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1, RunID: 1}, `import dir/x.run: run 1 has a system "peer" already`, nil},
		{"no run", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1, RunID: 7}, "run 7", rag.ErrNotFound},
		{"no dataset", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 7}, "dataset 7", rag.ErrNotFound},
		{"other dataset", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 2, RunID: 1}, "run 1 is over dataset 1, not 2", nil},
		{"strangers", "x Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1}, `none of its 1 queries, such as "x", is a question of dataset 1`, nil},
		{"cut-off", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1, KValues: []int{0}}, "a cut-off must be at least 1, got 0", nil},
		{"primary", "q0 Q0 d1 1 2 peer\n", trec.Target{DatasetID: 1, PrimaryK: 4}, "primary k 4 is not among the cut-offs [1 3 5 10]", nil},
	} {
		_, err := add(t, db, tt.text, tt.to)
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

// TestRoundTrip exports rankings with every kind of tie and reads them back, as float64 and as float32: the order stays.
func TestRoundTrip(t *testing.T) {
	db := open(t)
	if _, err := add(t, db, "q0 Q0 z 1 1 peer\n", trec.Target{DatasetID: 1, System: "a b"}); err != nil {
		t.Fatal(err)
	}
	scores := []float64{1e300, 5, 5, 5, 7, 4.00000000001, 4, math.Pi, 0, 0, math.Copysign(0, -1), -1, -1e-300, -1, -1}
	want := []string{"z"}
	for i, s := range scores {
		id := "m" + string(rune('a'+i)) // ascending, against the order of ties
		want = append(want, id)
		if _, err := db.Exec("INSERT INTO hits (answer_id, leg, rank, doc_id, doc_rank, score) VALUES (1, 'final', ?, ?, ?, ?)", 2*i+2, id, i+2, s); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("INSERT INTO hits (answer_id, leg, rank, doc_id, score) VALUES (1, 'final', ?, ?, ?)", 2*i+3, id, s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("UPDATE hits SET score = 1e301 WHERE rank = 1"); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := trec.Export(context.Background(), db, &b, 1, "a b"); err != nil {
		t.Fatal(err)
	}
	run, err := trec.ParseRun(strings.NewReader(b.String()), "out.run")
	if err != nil {
		t.Fatal(err)
	}
	if run.Tag != "a_b" || len(run.Queries) != 1 {
		t.Errorf("got tag %q and %d queries, want a_b and 1", run.Tag, len(run.Queries))
	}
	var got []string
	docs := run.Queries[0].Docs
	for i, d := range docs {
		got = append(got, d.ID)
		if i > 0 && (float32(d.Score) >= float32(docs[i-1].Score) || d.Score >= docs[i-1].Score) {
			t.Errorf("document %s: got score %g after %g, want one below it as float32 and float64", d.ID, d.Score, docs[i-1].Score)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if docs[8].Score != math.Pi {
		t.Errorf("got score %v for a document without ties, want %v as it was", docs[8].Score, math.Pi)
	}
	// What was exported imports as the same ranking.
	if _, err := add(t, db, b.String(), trec.Target{DatasetID: 1, System: "again"}); err != nil {
		t.Fatal(err)
	}
	_, rows := scoretest.Dump(t, db, "SELECT group_concat(doc_id, ' ') FROM (SELECT doc_id FROM ranked_lists WHERE system = 'again' ORDER BY rank)")
	if rows[0][0] != strings.Join(want, " ") {
		t.Errorf("got %q, want %q", rows[0][0], strings.Join(want, " "))
	}
}

func TestExportQrels(t *testing.T) {
	db := open(t)
	var b strings.Builder
	if err := trec.ExportQrels(context.Background(), db, &b, 1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("q0 0 d0 2\nq0 0 d1 0\nq2 0 d2 -1\n", b.String()); diff != "" {
		t.Errorf("qrels (-want +got):\n%s", diff)
	}
}

func TestExportErrors(t *testing.T) {
	db := open(t)
	if _, err := add(t, db, "q0 Q0 d0 1 2 peer\n", trec.Target{DatasetID: 1}); err != nil {
		t.Fatal(err)
	}
	export := func() error { return trec.Export(context.Background(), db, &strings.Builder{}, 1, "peer") }
	if err := trec.Export(context.Background(), db, &strings.Builder{}, 1, "nobody"); !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("got error %v, want one that is rag.ErrNotFound", err)
	}
	for _, tt := range []struct{ name, change, want string }{
		{"document", "UPDATE hits SET doc_id = 'my file.txt'", `document id "my file.txt" holds a space`},
		{"question", "UPDATE hits SET doc_id = 'd0'; UPDATE questions SET qid = 'a' || char(160) || 'b' WHERE question_id = 1", "holds a space"},
		{"comment", "UPDATE questions SET qid = '#1' WHERE question_id = 1", `question id "#1" begins like a comment`},
		{"no score left", "UPDATE questions SET qid = 'q0' WHERE question_id = 1; UPDATE hits SET score = -1e300; INSERT INTO hits (answer_id, leg, rank, doc_id, doc_rank, score) VALUES (1, 'final', 2, 'd1', 2, -1e300)", "no score is left below"},
	} {
		if _, err := db.Exec(tt.change); err != nil {
			t.Fatal(err)
		}
		if err := export(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}
