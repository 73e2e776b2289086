package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWorkersDoNotChangeRows runs 300 questions over five systems with one worker and with eight of each kind.
func TestWorkersDoNotChangeRows(t *testing.T) {
	ragbench := program(t)
	dataset, err := filepath.Abs("../../../shared/data/scifact")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dataset); err != nil || testing.Short() {
		t.Log("scifact is not beside the repository, or -short: the demo dataset serves instead of 300 questions")
		dataset = filepath.Join(t.TempDir(), "demo")
		must(t, ragbench(t.Context(), "demo", dataset))
	}
	config := write(t, `
run: {name: workers, mode: mock}
chunker: {type: word, chunk_size: 200, chunk_overlap: 20}
systems: [no_retrieval, {name: full_context, type: full_context, retrieval: {context_token_budget: 8000}}, bm25, vector, hybrid]
evaluation: {k_values: [1, 5, 10]}
`)
	one, eight := filepath.Join(t.TempDir(), "one.db"), filepath.Join(t.TempDir(), "eight.db")
	must(t, ragbench(t.Context(), "run", "-c", config, "--dataset", dataset, "--db", one, "--max-workers", "1", "--system-workers", "1"))
	must(t, ragbench(t.Context(), "run", "-c", config, "--dataset", dataset, "--db", eight, "--max-workers", "8", "--system-workers", "8"))
	same(t, read(t, one), read(t, eight))
}
