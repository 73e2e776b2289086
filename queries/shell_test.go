package queries

import (
	"bytes"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ragbench/internal/score/scoretest"
)

// shell is the sqlite3 of the operating system, which knows nothing of ragbench.
func shell(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skipf("no sqlite3 shell: %v", err)
	}
	return path
}

// runShell feeds the script to the shell over the file and returns the rows it prints, read-only.
func runShell(t *testing.T, sqlite3, path, script string) [][]string {
	t.Helper()
	cmd := exec.Command(sqlite3, "-batch", "-bail", "-readonly", path)
	cmd.Stdin = strings.NewReader(".nullvalue -\n.separator \"\\037\" \"\\036\"\n" + script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("sqlite3: %v\n%s", err, &stderr)
	}
	var rows [][]string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x1e"), "\x1e") {
		if line != "" {
			rows = append(rows, strings.Split(line, "\x1f"))
		}
	}
	return rows
}

// equal compares two cells; numbers may differ in how many digits are printed.
func equal(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= 1e-12*max(1, math.Abs(x))
}

func compareRows(t *testing.T, what string, want, got [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d rows from the shell, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !slices.EqualFunc(want[i], got[i], equal) {
			t.Errorf("%s, row %d: got %q from the shell, want %q", what, i, got[i], want[i])
		}
	}
}

// TestQueriesInShell runs each golden's query file in the stock shell, parameters set with .parameter, and expects the
// rows that the program gets.
func TestQueriesInShell(t *testing.T) {
	sqlite3 := shell(t)
	for _, g := range goldens(t) {
		t.Run(strings.TrimSuffix(filepath.Base(g.file), ".txtar"), func(t *testing.T) {
			q, err := Find(g.query)
			if err != nil {
				t.Fatal(err)
			}
			db, path := open(t, g.rows)
			script := ""
			for name, value := range g.params {
				script += ".parameter set :" + name + " \"'" + value + "'\"\n"
			}
			_, want := scoretest.Dump(t, db, q.SQL, args(t, q, g.params)...)
			compareRows(t, q.Name, want, runShell(t, sqlite3, path, script+".read "+q.Name+".sql\n"))
		})
	}
}

// TestViewsInShell reads every view in the stock shell and expects the rows that the program gets.
func TestViewsInShell(t *testing.T) {
	sqlite3 := shell(t)
	db, path := open(t, "INSERT INTO scores VALUES (3, 'answer_score', 4.5, NULL), (3, 'faithfulness', 4, NULL);")
	_, views := scoretest.Dump(t, db, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
	if len(views) < 12 {
		t.Errorf("got %d views, want at least 12", len(views))
	}
	for _, v := range views {
		columns, rows := scoretest.Dump(t, db, "SELECT * FROM "+v[0])
		if len(rows) == 0 {
			t.Errorf("%s: got no row, want the rows of the test to reach every view", v[0])
		}
		// A column is read as text or hexadecimal, a number rounded beyond what versions of SQLite print alike.
		var list, order []string
		for i, c := range columns {
			list = append(list, "CASE typeof("+c+") WHEN 'blob' THEN hex("+c+") WHEN 'real' THEN round("+c+", 12) ELSE "+c+" END")
			order = append(order, strconv.Itoa(i+1))
		}
		query := "SELECT " + strings.Join(list, ", ") + " FROM " + v[0] + " ORDER BY " + strings.Join(order, ", ")
		_, want := scoretest.Dump(t, db, query)
		compareRows(t, v[0], want, runShell(t, sqlite3, path, query+";\n"))
	}
}

// TestCallMessages holds the order of the parts, which the rows of the test do not have.
func TestCallMessages(t *testing.T) {
	db, path := open(t, "")
	want := [][]string{
		{"1", "0", "system", "Ferries leave at nine.Answer from the documents.\n"},
		{"1", "1", "user", "Ferries leave at nine.When do ferries leave?"},
		{"2", "0", "user", "When do ferries leave?"},
	}
	const query = "SELECT call_id, message, role, text FROM call_messages ORDER BY call_id, message"
	_, got := scoretest.Dump(t, db, query)
	compareRows(t, "call_messages in the program", want, got)
	compareRows(t, "call_messages", want, runShell(t, shell(t), path, query+";\n"))
}
