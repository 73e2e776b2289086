package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/store"
)

// whatIfRun makes a run of every type that whatif knows on the demo dataset, with few questions.
func whatIfRun(t *testing.T) (db string) {
	t.Helper()
	dir := t.TempDir()
	db = filepath.Join(dir, "w.db")
	data := filepath.Join(dir, "demo")
	command(t, db, "demo", data)
	config := filepath.Join(dir, "w.yaml")
	text := `
run: {name: w, mode: mock}
dataset: {path: ` + data + `}
chunker: {type: word, chunk_size: 60, chunk_overlap: 10}
systems:
  - {name: bm25, type: bm25, top_k: 12}
  - vector
  - {name: vector_mmr, type: vector, retrieval: {diversity: mmr, mmr_lambda: 0.3, mmr_candidates: 15}}
  - hybrid
  - {name: hybrid_other, type: hybrid, retrieval: {rrf_k: 7, bm25_weight: 0.3, vector_weight: 2, bm25_top_k: 9, vector_top_k: 14}}
  - {name: hybrid_mmr, type: hybrid, retrieval: {diversity: mmr, mmr_lambda: 0.7}, top_k: 3}
  - {name: hybrid_variants, type: hybrid, retrieval: {multi_query: true, bm25_weight: 2}}
  - rerank
  - {name: rerank_variants, type: rerank, retrieval: {multi_query: true, candidate_top_k: 12, reranker: local}}
  - hybrid_rerank
  - {name: rerank_llm, type: rerank, retrieval: {reranker: llm}}
  - {name: parent_sum, type: parent_doc, retrieval: {parent_score_aggregation: sum}, chunker: {parent_chunk_size: 100, parent_chunk_overlap: 20, child_chunk_size: 20, child_chunk_overlap: 5}}
  - {name: parent_mean, type: parent_doc, retrieval: {parent_score_aggregation: mean, top_k_parents: 12}, chunker: {parent_chunk_size: 100, parent_chunk_overlap: 20, child_chunk_size: 20, child_chunk_overlap: 5}}
evaluation: {k_values: [1, 3, 8], max_questions: 40}
`
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, db, "run", "-c", config)
	return db
}

// command runs a command on a file and returns what it printed; a failure ends the test.
func command(t *testing.T, db string, args ...string) string {
	t.Helper()
	out, errs, code := try(db, args...)
	if code != exitOK {
		t.Fatalf("%s: exit code %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

func try(db string, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Main(context.Background(), append(args, "--db", db), Streams{In: strings.NewReader(""), Out: &o, Err: &e}, func(string) string { return "" }, make(chan os.Signal))
	return o.String(), e.String(), code
}

func TestWhatIf(t *testing.T) {
	db := whatIfRun(t)
	before := digest(t, db)
	t.Run("stored settings", func(t *testing.T) { storedSettings(t, db) })
	t.Run("other settings", func(t *testing.T) { otherSettings(t, db) })
	t.Run("errors", func(t *testing.T) { whatIfErrors(t, db) })
	if digest(t, db) != before {
		t.Error("the file has changed")
	}
}

func digest(t *testing.T, db string) string {
	t.Helper()
	b, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// storedSettings wants the ranking and every metric of the run again, to the last bit.
func storedSettings(t *testing.T, db string) {
	ctx := context.Background()
	f, err := open(ctx, db, store.Options{ReadOnly: true, MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, system := range []string{"vector", "vector_mmr", "hybrid", "hybrid_other", "hybrid_mmr", "hybrid_variants", "rerank", "rerank_variants",
		"hybrid_rerank", "parent_sum", "parent_mean"} {
		w, err := findWhatIf(ctx, f, 1, system, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = w.run(ctx, func(tx *sql.Tx, _ []ranked) error {
			var answers, metrics, hits, other int
			err := tx.QueryRow(`SELECT (SELECT count(*) FROM temp.answers WHERE status = 'ok'),
				(SELECT count(*) FROM temp.scores AS w JOIN main.scores AS s ON s.answer_id = w.answer_id AND s.metric = w.metric AND s.value IS w.value AND s.reason IS w.reason),
				(SELECT count(*) FROM temp.hits),
				(SELECT count(*) FROM (
				   SELECT answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context FROM temp.hits
				   EXCEPT
				   SELECT answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context FROM main.hits))
				+ abs((SELECT count(*) FROM temp.hits) - (SELECT count(*) FROM main.hits WHERE leg = 'final' AND answer_id IN (SELECT answer_id FROM temp.answers)))`).
				Scan(&answers, &metrics, &hits, &other)
			if err != nil {
				return err
			}
			if want := answers * (3*7 + 7); answers != 40 || metrics != want {
				t.Errorf("%s: %d metrics of %d answers equal those of the run, want %d of 40", system, metrics, answers, want)
			}
			if hits == 0 || other != 0 {
				t.Errorf("%s: %d of %d hits differ from those of the run", system, other, hits)
			}
			var res whatIfResult
			if err := res.read(ctx, tx); err != nil {
				return err
			}
			if res.Contexts != 0 {
				t.Errorf("%s: %d answers would have read something else, want none", system, res.Contexts)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
}

// otherSettings compares with runs that had those settings.
func otherSettings(t *testing.T, db string) {
	for _, tt := range []struct {
		system, like string
		set          []string
	}{
		{"vector_mmr", "vector", []string{"diversity=none"}},
		{"hybrid", "hybrid_other", []string{"rrf_k=7", "bm25_weight=.3", "retrieval.vector_weight=2", "bm25_top_k=9", "vector_top_k=14"}},
		{"hybrid", "hybrid_mmr", []string{"mmr_lambda=.7", "top_k=3"}},
		{"hybrid_mmr", "hybrid", []string{"diversity=none", "top_k=5"}},
		{"parent_mean", "parent_sum", []string{"parent_score_aggregation=sum", "top_k_parents=4"}},
	} {
		args := []string{"whatif", "--system", tt.system, "--json", "--questions"}
		for _, s := range tt.set {
			args = append(args, "--set", s)
		}
		var got whatIfResult
		if err := json.Unmarshal([]byte(command(t, db, args...)), &got); err != nil {
			t.Fatal(err)
		}
		means := stored(t, db, tt.like)
		for _, m := range got.Metrics {
			if want, ok := means[m.Metric]; !ok || m.WhatIf != want {
				t.Errorf("%s with %v: %s is %v, want that of %s, %v", tt.system, tt.set, m.Metric, m.WhatIf, tt.like, want)
			}
			if d := m.WhatIf - m.Stored - m.Difference; d > 1e-12 || d < -1e-12 || m.Difference != 0 && m.Wins+m.Losses == 0 {
				t.Errorf("%s with %v: %+v does not add up", tt.system, tt.set, m)
			}
		}
		if len(got.Metrics) != 3*7+7 || got.Answers != 40 || got.Contexts == 0 || got.Contexts != len(got.Questions) {
			t.Errorf("%s with %v: got %d metrics, %d answers, %d of other contexts, %d listed", tt.system, tt.set, len(got.Metrics), got.Answers, got.Contexts, len(got.Questions))
		}
	}
}

// stored reads the means of a system.
func stored(t *testing.T, db, system string) map[string]float64 {
	t.Helper()
	f, err := open(context.Background(), db, store.Options{ReadOnly: true, MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.Reader().Query(`SELECT metric, mean FROM metric_means WHERE system = ? AND mean IS NOT NULL`, system)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	means := map[string]float64{}
	for rows.Next() {
		var metric string
		var mean float64
		if err := rows.Scan(&metric, &mean); err != nil {
			t.Fatal(err)
		}
		means[metric] = mean
	}
	return means
}

func whatIfErrors(t *testing.T, db string) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "whatif needs --system, one of run 1: bm25, "},
		{[]string{"--system", "hybird"}, `did you mean "hybrid"?`},
		{[]string{"--system", "bm25"}, "parent_doc: top_k_parents"},
		{[]string{"--system", "rerank_llm"}, "the reranker llm"},
		{[]string{"--system", "rerank", "--set", "reranker=llm"}, "the reranker llm"},
		{[]string{"--system", "hybrid", "--set", "rrfk=3"}, `did you mean "rrf_k"?`},
		{[]string{"--system", "hybrid", "--set", "rrf_k"}, "want KEY=VALUE"},
		{[]string{"--system", "hybrid", "--set", "rrf_k=-1"}, "want a whole number from 0"},
		{[]string{"--system", "hybrid", "--set", "mmr_lambda=2"}, "want a number from 0 to 1"},
		{[]string{"--system", "hybrid", "--set", "bm25_weight=NaN"}, "want a number from 0"},
		{[]string{"--system", "hybrid", "--set", "bm25_weight=0", "--set", "vector_weight=0"}, "both 0"},
		{[]string{"--system", "hybrid", "--set", "diversity=some"}, "unknown value"},
		{[]string{"--system", "hybrid", "--set", "bm25_top_k=21"}, "kept the first 20 hits of bm25 and these settings need 21"},
		{[]string{"--system", "vector", "--set", "mmr_lambda=1"}, "kept the first 12 hits of vector and these settings need 20"},
		{[]string{"--system", "rerank", "--set", "candidate_top_k=31"}, "kept the first 30 hits of vector"},
		{[]string{"--system", "hybrid", "--set", "top_k=13"}, "rankings are 12 deep"},
	} {
		_, errs, code := try(db, append([]string{"whatif"}, tt.args...)...)
		if code != exitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("whatif %v: got code %d and %q, want %d and %q", tt.args, code, errs, exitUsage, tt.want)
		}
	}
}
