package score_test

import (
	"encoding/json"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ragbench/internal/score/scoretest"
	"ragbench/internal/trec"
)

// fixture is one test of ir_measures: a run, judgments and the values of some measures.
type fixture struct {
	Test, Provider string
	Qrels, Run     string
	Cases          []struct {
		Measure   string
		PerQuery  map[string]float64 `json:"per_query"`
		Aggregate float64
	}
}

// notOursIR are the measures of ir_measures' cases that ragbench does not compute.
var notOursIR = map[string]bool{"NumQ": true, "SetP": true, "SetRelP": true, "SetAP": true, "SetF": true, "IPrec": true, "infAP": true, "ERR": true,
	"NumRet(rel)": true} // relevant documents retrieved; NumRet without a level is ours

var measureName = regexp.MustCompile(`^(\w+?)(?:\(rel=(\d)(, beta=[\d.]+)?\))?(?:@([\d.]+))?$`)

// oursIR reads a measure such as Success(rel=2)@2: our metric, "" when we have none, and the level of relevance.
func oursIR(t *testing.T, measure, provider string) (metric string, level int) {
	t.Helper()
	m := measureName.FindStringSubmatch(measure)
	if m == nil {
		t.Fatalf("cannot read the measure %q", measure)
	}
	level = 1
	if m[2] != "" {
		level, _ = strconv.Atoi(m[2])
	}
	name := m[1]
	if name == "NumRet" && m[2] != "" {
		name = "NumRet(rel)"
	}
	if notOursIR[name] {
		return "", level
	}
	metric = map[string]string{"AP": "map", "NumRet": "num_retrieved", "NumRel": "num_relevant", "Success": "hit", "nDCG": "ndcg", "SetR": "recall@1000"}[name]
	if metric == "" {
		t.Errorf("%s is neither computed nor listed as not ours", measure)
	}
	if metric == "ndcg" && strings.HasSuffix(provider, "gdeval") {
		metric = "ndcg_exp"
	}
	if m[4] != "" {
		metric += "@" + m[4]
	}
	return metric, level
}

// TestIRMeasures repeats the cases of ir_measures: its trec_eval provider, and gdeval for the gain 2^grade - 1.
func TestIRMeasures(t *testing.T) {
	fsys := needMetrics(t)
	compared := 0
	for _, name := range []string{"test_pytrec_eval.json", "test_gdeval.json"} {
		b, err := fs.ReadFile(fsys, "ir_measures/"+name)
		if err != nil {
			t.Fatal(err)
		}
		var fixtures []fixture
		if err := json.Unmarshal(b, &fixtures); err != nil {
			t.Fatal(err)
		}
		for _, f := range fixtures {
			qrels, err := trec.ParseQrels(strings.NewReader(f.Qrels), f.Test)
			if err != nil {
				t.Fatal(err)
			}
			run, err := trec.ParseRun(strings.NewReader(f.Run), f.Test)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range f.Cases {
				metric, level := oursIR(t, c.Measure, f.Provider)
				if metric == "" {
					continue
				}
				db, _ := scoretest.Open(t)
				got := importRun(t, db, qrels, run, level, 2, 20, 1000)[metric]
				mean := got["all"]
				if strings.HasPrefix(metric, "num_") {
					mean *= float64(len(got) - 1) // ir_measures adds these up
				}
				if math.Abs(mean-c.Aggregate) > 1e-4 {
					t.Errorf("%s %s: got %.6f over all, want %.6f", f.Test, c.Measure, mean, c.Aggregate)
				}
				for qid, want := range c.PerQuery {
					if math.Abs(got[qid]-want) > 1e-4 {
						t.Errorf("%s %s query %s: got %.6f, want %.6f", f.Test, c.Measure, qid, got[qid], want)
					}
					compared++
				}
			}
		}
	}
	if compared < 24 {
		t.Errorf("got %d values compared, want at least 24", compared)
	}
}

// TestCompat scores a run of 1,000 documents a query over grades up to 50, where the two gains lie far apart.
func TestCompat(t *testing.T) {
	run, qrels := parseBoth(t, needMetrics(t), "ir_measures/compat.run", "ir_measures/compat.qrels")
	db, _ := scoretest.Open(t)
	got := importRun(t, db, qrels, run, 1, 10, 100)
	for _, q := range run.Queries {
		if got["num_retrieved"][q.QueryID] != float64(len(q.Docs)) {
			t.Errorf("query %s: got %v documents, want %d", q.QueryID, got["num_retrieved"][q.QueryID], len(q.Docs))
		}
		for _, m := range sortedKeys(got) {
			if v := got[m][q.QueryID]; !strings.HasPrefix(m, "num_") && (math.IsNaN(v) || v < 0 || v > 1) {
				t.Errorf("%s of query %s: got %v, want a number from 0 to 1", m, q.QueryID, v)
			}
		}
	}
	checkView(t, db)
}
