package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ragbench/internal/score/scoretest"
	"ragbench/queries"
)

// TestStockShell reads a finished run with the sqlite3 of the operating system, which knows nothing of ragbench: the file
// alone is complete and whole, and every view, every stored analysis and every full-text table answers as in the program.
func TestStockShell(t *testing.T) {
	sqlite3, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 shell here")
	}
	path := demoRun(t)
	s := stock{sqlite3: sqlite3, path: path}
	ragbench := program(t)
	program := func(t *testing.T, args ...string) [][]string {
		t.Helper()
		return records(t, must(t, ragbench(t.Context(), append([]string{"sql", "--db", path, "--format", "csv"}, args...)...)))
	}

	t.Run("file", func(t *testing.T) {
		for _, suffix := range []string{"-wal", "-shm", "-journal"} {
			if _, err := os.Stat(path + suffix); err == nil {
				t.Errorf("%s is left beside the file", filepath.Base(path)+suffix)
			}
		}
		compare(t, [][]string{{"integrity_check"}, {"ok"}}, s.csv(t, "PRAGMA integrity_check;"))
		compare(t, nil, s.csv(t, "PRAGMA foreign_key_check;"))
	})

	db := open(t, path)
	t.Run("views", func(t *testing.T) {
		_, views := scoretest.Dump(t, db, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
		if len(views) < 12 {
			t.Errorf("got %d views, want at least 12", len(views))
		}
		for _, v := range views {
			statement := everything(t, v[0], func(query string) [][]string {
				_, rows := scoretest.Dump(t, db, query)
				return rows
			})
			got := s.csv(t, statement+";")
			if len(got) < 2 && !emptyInCleanRun[v[0]] {
				t.Errorf("%s: got no rows of a finished run", v[0])
			}
			compare(t, program(t, statement), got)
		}
	})

	t.Run("queries", func(t *testing.T) {
		for _, q := range queries.All() {
			script := ""
			for _, p := range q.Params {
				if p.Default != "null" {
					script += ".parameter set :" + p.Name + " \"'" + p.Default + "'\"\n"
				}
			}
			file, err := filepath.Abs("../../queries/" + q.Name + ".sql")
			if err != nil {
				t.Fatal(err)
			}
			compare(t, program(t, q.Name), s.csv(t, script+".read "+file))
		}
	})

	t.Run("full text", func(t *testing.T) {
		_, lexical := scoretest.Dump(t, db, "SELECT lexical_id, analysis_id FROM lexical_indexes WHERE formula = 'fts5' ORDER BY lexical_id")
		if len(lexical) == 0 {
			t.Error("got no lexical index, want those of bm25 and full_context")
		}
		for _, l := range lexical {
			got := s.csv(t, "SELECT c.key, round(-rank, 9) AS score FROM fts_"+l[1]+" AS f JOIN chunks AS c ON c.chunk_id = f.rowid WHERE fts_"+l[1]+" MATCH '\"lost\" OR \"property\" OR \"ferry\"' ORDER BY score DESC, c.chunk_id;")
			if len(got) < 10 {
				t.Errorf("fts_%s: got %d hits, want many", l[1], len(got)-1)
			}
			compare(t, program(t, "SELECT c.key, round(s.score, 9) AS score FROM bm25_search("+l[0]+", 'lost property, ferry?', 1000) AS s JOIN chunks AS c USING (chunk_id) ORDER BY score DESC, c.chunk_id"), got)
		}
	})
}

// emptyInCleanRun are the views that show what went wrong.
var emptyInCleanRun = map[string]bool{"missing_cells": true, "failures": true, "unpriced_models": true}

// everything returns a statement that reads all of a view in a total order, blobs as hexadecimal.
func everything(t *testing.T, view string, query func(string) [][]string) string {
	t.Helper()
	var list, order []string
	for _, c := range query("SELECT name FROM pragma_table_info('" + view + "') ORDER BY cid") {
		list = append(list, "iif(typeof("+c[0]+") = 'blob', hex("+c[0]+"), "+c[0]+") AS "+c[0])
		order = append(order, strconv.Itoa(len(list)))
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + view + " ORDER BY " + strings.Join(order, ", ")
}

// stock is the shell of the operating system over a file.
type stock struct{ sqlite3, path string }

// csv feeds a script to the shell and returns the rows it prints, read-only.
func (s stock) csv(t *testing.T, script string) [][]string {
	t.Helper()
	cmd := exec.Command(s.sqlite3, "-batch", "-bail", "-readonly", "-csv", "-header", s.path)
	cmd.Stdin = strings.NewReader(script + "\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("sqlite3: %v\n%s\n%s", err, &stderr, script)
	}
	return records(t, stdout.String())
}

// records reads CSV.
func records(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// compare wants the same rows, but for how many digits of a number are printed and on which side of an edge it is rounded:
// versions of SQLite add floats in different ways.
func compare(t *testing.T, want, got [][]string) {
	t.Helper()
	if len(got) == 0 && len(want) == 1 { // the shell prints no header without rows
		return
	}
	if len(got) != len(want) {
		t.Errorf("got %d rows of the shell, want %d: %.200q", len(got), len(want), want)
		return
	}
	for i := range want {
		for j := range want[i] {
			if len(got[i]) != len(want[i]) || !alike(got[i][j], want[i][j]) {
				t.Errorf("row %d of %.200q: got %.300q of the shell, want %.300q", i, want[0], got[i], want[i])
				return
			}
		}
	}
}

// alike compares two cells. Numbers of up to six decimals count as rounded.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	within := 1e-12 * max(1, math.Abs(x))
	if d := max(decimals(a), decimals(b)); d <= 6 {
		within = 1.01 * math.Pow10(-d)
	}
	return errX == nil && errY == nil && math.Abs(x-y) <= within && decimals(a)+decimals(b) > 0
}

// decimals counts the digits behind the point of a number.
func decimals(s string) int {
	_, behind, _ := strings.Cut(s, ".")
	return len(behind)
}
