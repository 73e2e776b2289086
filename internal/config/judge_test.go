package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJudge reads the ways to say who judges.
func TestJudge(t *testing.T) {
	const luna = "openai:gpt-6-luna"
	base := Judge{Kind: "heuristic", Model: luna, Samples: 1, OnFailure: "heuristic", MaxContextChars: 12000}
	with := func(change func(*Judge)) Judge {
		j := base
		change(&j)
		return j
	}
	for _, tt := range []struct {
		name, text string
		want       Judge
		problem    string
	}{
		{name: "nothing said", want: base},
		{name: "none", text: "evaluation: {judge: none}", want: with(func(j *Judge) { j.Kind = "none" })},
		{name: "off", text: "evaluation: {judge_enabled: false, judge_model: gpt-6-luna}", want: with(func(j *Judge) { j.Kind = "none" })},
		{name: "on", text: "evaluation: {judge_enabled: true}", want: with(func(j *Judge) { j.Kind = "llm" })},
		{name: "a model", text: "evaluation: {judge: 'mock:mock-llm'}", want: with(func(j *Judge) { j.Kind, j.Model = "llm", "mock:mock-llm" })},
		{name: "in models", text: "models: {judge: gpt-6-astra}", want: with(func(j *Judge) { j.Kind, j.Model = "llm", "openai:gpt-6-astra" })},
		{name: "in models, heuristic all the same", text: "models: {judge: gpt-6-astra}\nevaluation: {judge: heuristic}",
			want: with(func(j *Judge) { j.Model = "openai:gpt-6-astra" })},
		{name: "a section", text: "evaluation: {judge: {model: gpt-6-astra, samples: 3, on_failure: missing, max_context_chars: 500}}",
			want: Judge{Kind: "llm", Model: "openai:gpt-6-astra", Samples: 3, Temperature: 0.7, OnFailure: "missing", MaxContextChars: 500}},
		{name: "samples without warmth", text: "evaluation: {judge_samples: 2, judge_temperature: 0}", problem: "above 0"},
		{name: "a slip", text: "evaluation: {judge: heuristics}", problem: "want none, heuristic, llm or a model"},
		{name: "too many", text: "evaluation: {judge_samples: 11}", problem: "from 1 to 10"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			c, err := Parse(dir+"/x.yaml", []byte("dataset: {path: .}\nsystems: [bm25]\n"+tt.text+"\n"), known(), Overrides{})
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) {
					t.Fatalf("got error %v, want one with %q", err, tt.problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.Judge); diff != "" {
				t.Errorf("judge (-want +got):\n%s", diff)
			}
			if len(c.Ignored) > 0 {
				t.Errorf("got %v ignored", c.Ignored)
			}
		})
	}
}

// TestStatsAndSelection reads both sections.
func TestStatsAndSelection(t *testing.T) {
	text := `
dataset: {path: .}
systems: [bm25]
stats: {n_boot: 500, seed: 7, confidence: 0.9, method: bca, baseline: bm25, metrics: [token_f1], all_pairs: true, cluster: category}
selection: {profile: max_quality, max_cost_per_question: 0.01, constraints: {min_quality: 3, max_latency_ms_p95: 900}}
`
	c, err := Parse(t.TempDir()+"/x.yaml", []byte(text), known(), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	stats := Stats{Resamples: 500, Seed: 7, Confidence: 0.9, Method: "bca", Baseline: "bm25", Metrics: []string{"token_f1"}, AllPairs: true, Cluster: "category"}
	if diff := cmp.Diff(stats, c.Stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	selection := Selection{
		Profile: "max_quality", Min: map[string]float64{"quality": 3},
		Max: map[string]float64{"cost_per_question": 0.01, "latency_ms_p95": 900},
	}
	if diff := cmp.Diff(selection, c.Selection); diff != "" {
		t.Errorf("selection (-want +got):\n%s", diff)
	}
}
