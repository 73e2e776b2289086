package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/report"
	"ragbench/internal/store"
)

// contents reads what a file holds after a run, by natural keys and without times, call ids and labels that hold a time.
var contents = []string{
	"SELECT doc_id, sha256 FROM documents ORDER BY doc_id, sha256",
	"SELECT i.key AS recipe, c.key, c.kind, c.start_char, c.end_char, c.text, c.token_count FROM chunks AS c JOIN indexes AS i USING (index_id) ORDER BY i.key, c.key",
	"SELECT i.key, a.tokenizer, a.stop_words, hex(p.term), p.df, hex(p.data) FROM postings AS p JOIN lexical_analyses AS a USING (analysis_id) JOIN indexes AS i USING (index_id) ORDER BY 1, 2, 3, 4",
	"SELECT e.model, hex(v.text_sha256), hex(v.vector) FROM embeddings AS v JOIN embedders AS e USING (embedder_id) ORDER BY 1, 2",
	"SELECT s.name, s.type, s.config_sha256, n.num_chunks, n.num_vectors FROM systems AS s LEFT JOIN ingestions AS n USING (system_id) ORDER BY s.position",
	"SELECT a.answer_id, s.name, q.qid, a.status, a.error, a.text, a.refused, a.finish, a.citations, a.ranked, a.embedding_tokens, a.prompt_tokens, a.completion_tokens, a.total_cost, a.metadata FROM answers AS a JOIN systems AS s USING (system_id) JOIN questions AS q USING (question_id) ORDER BY a.answer_id",
	"SELECT h.answer_id, h.leg, h.rank, c.key, h.doc_id, h.doc_rank, h.score, h.in_context, h.metadata FROM hits AS h LEFT JOIN chunks AS c USING (chunk_id) ORDER BY h.answer_id, h.leg, h.rank",
	"SELECT answer_id, position, kind, name, input, output, embedding_tokens, prompt_tokens, completion_tokens, cost_usd, error, metadata FROM steps ORDER BY answer_id, position",
	"SELECT s.answer_id, s.position, hex(m.key), m.kind, m.purpose, m.used, m.request, m.response, m.status, m.prompt_tokens, m.completion_tokens, m.cost_usd FROM step_calls AS s JOIN model_calls AS m USING (call_id) ORDER BY 1, 2, 3",
	"SELECT answer_id, metric, value, reason FROM scores ORDER BY answer_id, metric",
}

// read returns the contents of a file.
func read(t *testing.T, path string) []report.Table {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all []report.Table
	for _, text := range contents {
		table, err := report.Query(t.Context(), db.Reader(), text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if len(table.Rows) == 0 {
			t.Fatalf("%s: no rows, so the comparison would hold for any file", text)
		}
		all = append(all, table)
	}
	return all
}

// same fails the test at the first row in which two files differ.
func same(t *testing.T, want, got []report.Table) {
	t.Helper()
	for i := range want {
		if len(want[i].Rows) != len(got[i].Rows) {
			t.Errorf("got %d rows, want %d: %s", len(got[i].Rows), len(want[i].Rows), contents[i])
			continue
		}
		for r, row := range want[i].Rows {
			for c, v := range row {
				if g := got[i].Rows[r][c]; g != v {
					t.Errorf("row %d, %s: got %v, want %v: %s", r, want[i].Columns[c], g, v, contents[i])
					return
				}
			}
		}
	}
}

// program returns a function that makes a command of this test binary under the name ragbench.
func program(t *testing.T) func(ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "ragbench")
	if err := os.Symlink(self, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	return func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		return cmd
	}
}

// must runs a command to its end.
func must(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
	}
}

// write writes a configuration and returns its path.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
