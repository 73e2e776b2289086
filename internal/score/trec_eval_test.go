package score_test

import (
	"bufio"
	"compress/gzip"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/score/scoretest"
	"ragbench/internal/trec"
)

// ours names our metric for one of trec_eval's, "" when we have none.
func ours(measure string) string {
	whole := map[string]string{
		"map": "map", "recip_rank": "mrr", "ndcg": "ndcg", "Rprec": "rprec", "num_ret": "num_retrieved", "num_rel": "num_relevant",
	}
	if m, ok := whole[measure]; ok {
		return m
	}
	cut := map[string]string{"ndcg_cut": "ndcg", "recall": "recall", "P": "precision", "success": "hit", "map_cut": "map"}
	i := strings.LastIndexByte(measure, '_')
	if i < 0 || cut[measure[:i]] == "" {
		return ""
	}
	return cut[measure[:i]] + "@" + measure[i+1:]
}

// notOurs are the measures of trec_eval's outputs that ragbench does not compute, without their cut-offs.
var notOurs = map[string]bool{
	"11pt_avg": true, "G": true, "Rndcg": true, "Rprec_mult": true, "binG": true, "bpref": true, "gm_bpref": true, "gm_map": true,
	"infAP": true, "iprec_at_recall": true, "ndcg_rel": true, "num_nonrel_judged_ret": true, "num_q": true, "num_rel_ret": true,
	"rbp": true, "rbp_resid": true, "relative_P": true, "relstring": true, "runid": true, "set_F": true, "set_P": true,
	"set_map": true, "set_recall": true, "set_relative_P": true, "unj": true, "utility": true,
}

func openFile(t *testing.T, fsys fs.FS, name string) io.Reader {
	t.Helper()
	f, err := fsys.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// checkOutput compares got with the lines "measure qid value" of one of trec_eval's outputs, to its 4 decimals. It fails
// for a measure that is neither ours nor listed as not ours, and when nothing was compared.
func checkOutput(t *testing.T, output io.Reader, got map[string]map[string]float64) {
	t.Helper()
	compared := map[string]int{}
	sc := bufio.NewScanner(output)
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) != 3 {
			continue
		}
		metric := ours(f[0])
		if metric == "" {
			if base := strings.TrimRight(f[0], "0123456789."); !notOurs[f[0]] && !notOurs[strings.TrimSuffix(base, "_")] {
				t.Errorf("%s is neither computed nor listed as not ours", f[0])
			}
			continue
		}
		want, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		value, ok := got[metric][f[1]]
		if strings.HasPrefix(metric, "num_") && f[1] == "all" {
			value *= float64(len(got[metric]) - 1) // trec_eval prints the sum
		}
		if !ok || math.IsNaN(value) || math.Abs(value-want) > 0.5000001e-4 {
			t.Errorf("%s of query %s: got %.6f (present: %v), want %s", metric, f[1], value, ok, f[2])
		}
		compared[metric]++
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if len(compared) < 6 {
		t.Errorf("got %d metrics compared, want at least 6", len(compared))
	}
	for _, m := range sortedKeys(compared) {
		t.Logf("%s: %d values equal", m, compared[m])
	}
}

// TestGoldenRuns scores BM25 runs over five sets, one of them full of ties, as trec_eval does.
func TestGoldenRuns(t *testing.T) {
	fsys := needMetrics(t)
	runs, err := fs.Glob(fsys, "golden/*.run.gz")
	if err != nil || len(runs) == 0 {
		t.Fatalf("got %d runs, error %v", len(runs), err)
	}
	for _, name := range runs {
		base := strings.TrimSuffix(name, ".run.gz")
		t.Run(strings.TrimPrefix(base, "golden/"), func(t *testing.T) {
			run, qrels := parseBoth(t, fsys, name, base+".qrels.gz")
			db, _ := scoretest.Open(t)
			got := importRun(t, db, qrels, run, 1, 1, 3, 5, 10, 20, 100)
			checkOutput(t, openFile(t, fsys, base+".trec_eval.txt.gz"), got)
			if !strings.HasPrefix(base, "golden/hotpotqa") { // the view is quick for an answer, not for 500 at depth 100
				checkView(t, db)
			}
		})
	}
}

// TestOwnOutputs repeats trec_eval's own tests: judgments of -1, queries that the run lacks (-c) and a higher level of
// relevance (-l).
func TestOwnOutputs(t *testing.T) {
	fsys := needMetrics(t)
	for _, tt := range []struct {
		name, run, qrels, output string
		level                    int
	}{
		{"all", "results.test", "qrels.test", "out.test.aq", 1},
		{"comments", "results.test", "qrels.test.with-comments", "out.test.aq", 1},
		{"complete", "results.trunc", "qrels.test", "out.test.aqc", 1},
		{"level", "results.test", "qrels.rel_level", "out.test.aql", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run, qrels := parseBoth(t, fsys, "trec_eval/"+tt.run, "trec_eval/"+tt.qrels)
			db, _ := scoretest.Open(t)
			got := importRun(t, db, qrels, run, tt.level, 1, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
			checkOutput(t, openFile(t, fsys, "trec_eval/"+tt.output), got)
			checkView(t, db)
		})
	}
}

func parseBoth(t *testing.T, fsys fs.FS, run, qrels string) (*trec.Run, []rag.Qrel) {
	t.Helper()
	r, err := trec.ParseRun(openFile(t, fsys, run), run)
	if err != nil {
		t.Fatal(err)
	}
	q, err := trec.ParseQrels(openFile(t, fsys, qrels), qrels)
	if err != nil {
		t.Fatal(err)
	}
	return r, q
}
