package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The five systems over 60 questions of the demo dataset.
const killConfig = `
run: {name: kill, mode: mock, max_workers: 2, system_workers: 2}
chunker: {type: word, chunk_size: 120, chunk_overlap: 20}
systems: [no_retrieval, full_context, bm25, vector, hybrid]
evaluation: {k_values: [1, 5, 10], max_questions: 60}
`

// TestKillAtAnyMoment kills a run at random moments, ingestion included, and resumes it each time. In the end the rows
// must be those of an unbroken run, with each question answered once.
func TestKillAtAnyMoment(t *testing.T) {
	kills := 25
	if testing.Short() {
		kills = 3
	}
	ragbench := program(t)
	dataset := filepath.Join(t.TempDir(), "demo")
	config := write(t, killConfig)
	must(t, ragbench(t.Context(), "demo", dataset))
	run := func(ctx context.Context, db string) *exec.Cmd {
		return ragbench(ctx, "run", "-c", config, "--dataset", dataset, "--db", db)
	}
	whole := filepath.Join(t.TempDir(), "whole.db")
	start := time.Now()
	must(t, run(t.Context(), whole))
	unbroken := time.Since(start)
	want := read(t, whole)

	const seed = 20261201
	t.Logf("seed %d, an unbroken run takes %v", seed, unbroken)
	random := rand.New(rand.NewPCG(seed, 1))
	done := 0
	for round := 0; done < kills; round++ {
		db := filepath.Join(t.TempDir(), "broken.db")
		for done < kills {
			moment := 5*time.Millisecond + time.Duration(random.Int64N(int64(unbroken)))
			ctx, cancel := context.WithTimeout(t.Context(), moment)
			out, err := run(ctx, db).CombinedOutput()
			cancel()
			if err == nil {
				break // it came to its end first
			}
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.Exited() {
				t.Fatalf("round %d: the run failed by itself: %v\n%s", round, err, out)
			}
			done++
		}
		if done == kills {
			must(t, run(t.Context(), db))
		}
		same(t, want, read(t, db))
	}
}
