package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const overridden = `
dataset: {docs: docs, questions: q.jsonl, qrels: r.tsv}
run: {mode: live, max_workers: 2}
systems: [bm25, vector]
`

func TestOverrides(t *testing.T) {
	type paths struct{ Name, Path, Docs, Questions, Qrels string }
	for _, tt := range []struct {
		name string
		text string
		over Overrides
		want paths
		err  string // a part of the error
	}{
		{name: "none", text: overridden, want: paths{"conf", "", "conf/docs", "conf/q.jsonl", "conf/r.tsv"}},
		{name: "folder", text: overridden, over: Overrides{Dataset: "beir"}, want: paths{"beir", "beir", "", "", ""}},
		{name: "folder and labels", text: overridden, over: Overrides{Dataset: "beir", Qrels: "mine.tsv"}, want: paths{"beir", "beir", "", "", "mine.tsv"}},
		{name: "documents", text: overridden, over: Overrides{Docs: "beir"}, want: paths{"beir", "", "beir", "conf/q.jsonl", "conf/r.tsv"}},
		{name: "missing in the file", text: strings.Replace(overridden, "q.jsonl", "none.jsonl", 1), over: Overrides{Questions: "mine.tsv"}, want: paths{"conf", "", "conf/docs", "mine.tsv", "conf/r.tsv"}},
		{name: "no dataset in the file", text: "systems: [bm25]", over: Overrides{Docs: "beir", Questions: "mine.tsv"}, want: paths{"beir", "", "beir", "mine.tsv", ""}},
		{name: "documents for a folder", text: "{systems: [bm25], dataset: {path: none}}", over: Overrides{Docs: "beir", Questions: "mine.tsv"}, want: paths{"beir", "", "beir", "mine.tsv", ""}},
		{name: "questions for a folder", text: "{systems: [bm25], dataset: {path: beir, name: x}}", over: Overrides{Questions: "mine.tsv"}, want: paths{"x", "beir", "", "mine.tsv", ""}},
		{name: "not beside the file", text: overridden, over: Overrides{Qrels: "r.tsv"}, err: "--qrels: there is no r.tsv"},
		{name: "wrong kind", text: overridden, over: Overrides{Dataset: "mine.tsv"}, err: "--dataset: want a folder, but mine.tsv is not one"},
		{name: "documents alone", text: "systems: [bm25]", over: Overrides{Docs: "beir"}, err: "docs are given without questions"},
		{name: "both", text: overridden, over: Overrides{Docs: "beir", Dataset: "beir"}, err: "--dataset and --docs are both given"},
		{name: "neither place", text: "{systems: [bm25], dataset: {path: none}}", err: "conf/x.yaml:1: dataset.path: found neither conf/none (beside the file) nor none (in the working folder)"},
		{name: "negative workers", text: overridden, over: Overrides{MaxWorkers: -1}, err: "--max-workers: want a whole number of at least 1, got -1"},
		{name: "selection", text: overridden, over: Overrides{Only: []string{"bm52"}}, err: `--only: unknown system "bm52"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, f := range []string{"here/conf/docs/x", "here/conf/q.jsonl", "here/conf/r.tsv", "here/beir/corpus.jsonl", "here/mine.tsv"} {
				writeFile(t, f, nil)
			}
			t.Chdir("here")
			c, err := Parse("conf/x.yaml", []byte(tt.text), known(), tt.over)
			if tt.err != "" {
				if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), tt.err) {
					t.Fatalf("got %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			d := filepathsToSlash(c.Dataset)
			got := paths{d.Name, d.Path, d.Docs, d.Questions, d.Qrels}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("dataset (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOverridesOfRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []string{"docs/x", "q.jsonl", "r.tsv"} {
		writeFile(t, f, nil)
	}
	c, err := Parse("x.yaml", []byte(overridden), known(), Overrides{Mock: true, MaxWorkers: 8, SystemWorkers: 3, Skip: []string{"bm25"}})
	if err != nil {
		t.Fatal(err)
	}
	want := Run{Name: "x", Mode: "mock", MaxWorkers: 8, SystemWorkers: 3, IngestWorkers: 4, MaxErrorRate: 0.2, ConfirmUSD: 1, ProbeQuestions: 5}
	if diff := cmp.Diff(want, c.Run); diff != "" {
		t.Errorf("run (-want +got):\n%s", diff)
	}
	if len(c.Systems) != 1 || c.Systems[0].Name != "vector" {
		t.Errorf("got systems %v, want vector alone", c.names())
	}
}
