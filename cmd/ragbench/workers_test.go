package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The five systems, with a budget that keeps the context of full_context short.
const workersConfig = `
run: {name: workers, mode: mock}
chunker: {type: word, chunk_size: 200, chunk_overlap: 20}
systems: [no_retrieval, {name: full_context, type: full_context, retrieval: {context_token_budget: 4000}}, bm25, vector, hybrid]
evaluation: {k_values: [1, 5, 10]}
`

// TestWorkersDoNotChangeRows runs five systems with one worker and with eight questions and five systems at a time. Every
// row must be the same.
func TestWorkersDoNotChangeRows(t *testing.T) {
	t.Run("demo", func(t *testing.T) {
		demoRun(t)
		sameForAnyWorkers(t, filepath.Join(shared.dir, "demo"))
	})
	t.Run("scifact", func(t *testing.T) { // 300 questions over 5,183 documents
		dataset, err := filepath.Abs("../../../shared/data/scifact")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dataset); err != nil {
			t.Skip("scifact is not beside the repository")
		}
		if testing.Short() {
			t.Skip("300 questions take half a minute")
		}
		sameForAnyWorkers(t, dataset)
	})
}

func sameForAnyWorkers(t *testing.T, dataset string) {
	t.Helper()
	ragbench := program(t)
	config := write(t, workersConfig)
	one, eight := filepath.Join(t.TempDir(), "one.db"), filepath.Join(t.TempDir(), "eight.db")
	must(t, ragbench(t.Context(), "run", "-c", config, "--dataset", dataset, "--db", one, "--max-workers", "1", "--system-workers", "1"))
	must(t, ragbench(t.Context(), "run", "-c", config, "--dataset", dataset, "--db", eight, "--max-workers", "8", "--system-workers", "5"))
	same(t, contents(t, one), contents(t, eight))
}
