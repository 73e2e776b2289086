package main

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"ragbench/internal/score/scoretest"
)

// The five systems over 60 questions of the demo dataset.
const killConfig = `
run: {name: kill, mode: mock, max_workers: 2, system_workers: 2}
chunker: {type: word, chunk_size: 120, chunk_overlap: 20}
systems: [no_retrieval, {name: full_context, type: full_context, retrieval: {context_token_budget: 4000}}, bm25, vector, hybrid]
evaluation: {k_values: [1, 5, 10], max_questions: 60}
`

const killCells = 5 * 60

// TestKillAtAnyMoment kills a run at random moments, ingestion included, and resumes it each time; a run that comes to its
// end is compared and the next kills go to a new one. In the end the rows must be those of an unbroken run, and what was
// answered before a kill must have been left alone: a cell that is answered again has other times.
func TestKillAtAnyMoment(t *testing.T) {
	kills := 25
	if testing.Short() {
		kills = 3
	}
	ragbench := program(t)
	demoRun(t)
	config := write(t, killConfig)
	run := func(ctx context.Context, db string) *exec.Cmd {
		return ragbench(ctx, "run", "-c", config, "--dataset", filepath.Join(shared.dir, "demo"), "--db", db)
	}
	whole := filepath.Join(t.TempDir(), "whole.db")
	start := time.Now()
	must(t, run(t.Context(), whole))
	unbroken := time.Since(start)
	want := contents(t, whole)
	if got := len(want["answers"]); got != killCells {
		t.Fatalf("got %d answers of an unbroken run, want %d", got, killCells)
	}

	seed := uint64(20261201)
	t.Logf("seed %d; an unbroken run takes %v", seed, unbroken)
	random := rand.New(rand.NewPCG(seed, 1))
	midway := 0 // kills that fell between the first answer and the last
	for done := 0; done < kills; {
		db := filepath.Join(t.TempDir(), "broken.db")
		before := map[string]string{}
		ended := false
		for done < kills && !ended {
			// Every other moment is an early one, so that a run is often killed again soon after it was resumed.
			moment := time.Duration(random.Int64N(int64(unbroken)))
			if done%2 == 0 {
				moment /= 3
			}
			if ended = !killed(t, run, db, moment); ended {
				break
			}
			done++
			after, over := cells(t, db)
			t.Logf("kill %d after %v: %d of %d answers", done, moment.Round(time.Millisecond), len(after), killCells)
			untouched(t, before, after)
			before = after
			if n := len(after); 0 < n && n < killCells {
				midway++
			}
			ended = over // the kill came after the end of the run: the next command would start another
		}
		if !ended {
			must(t, run(t.Context(), db))
		}
		after, _ := cells(t, db)
		untouched(t, before, after)
		if len(after) != killCells {
			t.Errorf("got answers for %d cells, want %d", len(after), killCells)
		}
		same(t, want, contents(t, db))
		if t.Failed() {
			return
		}
	}
	if midway == 0 && kills > 3 {
		t.Errorf("no kill fell between the first answer and the last, so that nothing was resumed")
	}
}

// killed starts a run and kills it after a while. It returns false when the run ended before.
func killed(t *testing.T, run func(context.Context, string) *exec.Cmd, db string, moment time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), moment)
	defer cancel()
	out, err := run(ctx, db).CombinedOutput()
	if err == nil {
		return false
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		t.Fatalf("the run failed by itself: %v\n%s", err, out)
	}
	return true
}

// cells returns what is recorded of the times of each answered cell, and whether the run is done. It reads a copy, so that the program itself finds the
// file as the kill left it, and checks that the file is whole.
func cells(t *testing.T, db string) (found map[string]string, over bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(db + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found = map[string]string{}
	if _, err := os.Stat(path); err != nil {
		return found, false // killed before there was a file
	}
	copied := open(t, path)
	if _, rows := scoretest.Dump(t, copied, "PRAGMA integrity_check"); len(rows) != 1 || rows[0][0] != "ok" {
		t.Errorf("after a kill, integrity_check says %v", rows)
	}
	if _, rows := scoretest.Dump(t, copied, "SELECT count(*) FROM sqlite_master WHERE name = 'step_calls'"); rows[0][0] == "0" {
		return found, false // killed while the tables were made
	}
	_, rows := scoretest.Dump(t, copied, `
SELECT a.system_id || ' ' || a.question_id,
       a.answer_id || ' ' || a.latency_ms || ' ' || a.retrieval_ms,
       (SELECT group_concat(s.start_ms || ' ' || s.latency_ms) FROM steps AS s WHERE s.answer_id = a.answer_id),
       (SELECT group_concat(c.call_id || ' ' || c.latency_ms) FROM step_calls AS k JOIN model_calls AS c USING (call_id) WHERE k.answer_id = a.answer_id)
FROM answers AS a`)
	for _, r := range rows {
		if _, twice := found[r[0]]; twice {
			t.Errorf("system and question %s have two answers", r[0])
		}
		found[r[0]] = r[1] + "; " + r[2] + "; " + r[3]
	}
	_, rows = scoretest.Dump(t, copied, "SELECT hex(key), count(*) AS n FROM model_calls GROUP BY key HAVING n > 1")
	if len(rows) > 0 {
		t.Errorf("got %d calls that are stored twice, such as %v", len(rows), rows[0])
	}
	_, rows = scoretest.Dump(t, copied, "SELECT 1 FROM runs WHERE status = 'done'")
	return found, len(rows) > 0
}

// untouched fails the test when a cell that was answered before a kill is gone or was answered again.
func untouched(t *testing.T, before, after map[string]string) {
	t.Helper()
	for cell, times := range before {
		if after[cell] != times {
			t.Errorf("cell %s was answered twice: its times were %s and are %s", cell, times, after[cell])
			return
		}
	}
}
