package ragtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ragbench/internal/rag"
	"ragbench/internal/systems"
	"ragbench/internal/trace"
)

var update = flag.Bool("update", false, "write the goldens anew")

// perCategory picks the first question of each category of the demo dataset.
func perCategory(questions []rag.Question) (list []rag.Question) {
	seen := map[string]bool{}
	for _, q := range questions {
		if !seen[q.Category] {
			seen[q.Category] = true
			list = append(list, q)
		}
	}
	return list
}

// TestGoldens compares what each system retrieves and answers on the demo dataset with testdata/NAME.txtar: the chunks
// of the ranking with their scores, and the start of the answer. With -update it writes them.
func TestGoldens(t *testing.T) {
	docs, questions := Demo(t)
	questions = perCategory(questions)
	if len(questions) != 12 {
		t.Fatalf("got %d categories of questions, want 12", len(questions))
	}
	f := Open(t)
	m := NewModels(t, f)
	corpus, _ := f.Corpus(t, docs, nil)
	for _, e := range systems.All {
		t.Run(e.Name, func(t *testing.T) {
			sys := Build(t, f, m, e.Name)
			ingest(t, sys, corpus)
			got := &txtar.Archive{Comment: []byte("What " + e.Name + " finds in the demo dataset: rank, score, chunk.\n")}
			for _, q := range questions {
				a, err := ask(context.Background(), sys, q, testDepth)
				if err != nil {
					t.Fatalf("%s: %v", q.ID, err)
				}
				got.Files = append(got.Files, txtar.File{Name: q.ID, Data: []byte(describe(q, a))})
			}
			compareGolden(t, filepath.Join("testdata", e.Name+".txtar"), txtar.Format(got))
		})
	}
}

// describe writes a question, its first ten hits and its answer.
func describe(q rag.Question, a asked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", q.Text)
	for _, h := range a.Ranking.Hits[:min(testDepth, len(a.Ranking.Hits))] {
		fmt.Fprintf(&b, "%2d %.12g %s\n", h.Rank, h.Score, h.Chunk.Key)
	}
	fmt.Fprintf(&b, "answer: %s\n", trace.Preview(strings.ReplaceAll(a.Answer.Text, "\n", " ")))
	return b.String()
}

// compareGolden wants the file to hold got; with -update it makes it so.
func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%s is missing: go test ./internal/ragtest -run TestGoldens -update", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}
