package archtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ragbench/internal/sqlfile"
	"ragbench/internal/store"
)

// statement is one SQL statement of the program and where it stands.
type statement struct {
	where string // file:line: name
	file  string
	kind  string // one, many, exec or script
	sql   string
}

// statements lists the statements of every file of named statements and of every analysis, in the order of their files
// and lines. Migrations and views are not among them: opening a file runs those.
func statements(t *testing.T) []statement {
	t.Helper()
	var list []statement
	err := walk(".sql", func(name string, _ []byte) error {
		switch path.Dir(name) {
		case "schema":
			return nil
		case "queries":
			q, err := sqlfile.ParseQuery(root, name)
			list = append(list, statement{where: name + ": " + q.Name, file: name, kind: "many", sql: q.SQL})
			return err
		}
		set, err := sqlfile.Parse(root, name)
		if err != nil {
			return err
		}
		byLine := make([]sqlfile.Statement, 0, len(set))
		for _, st := range set {
			byLine = append(byLine, st)
		}
		slices.SortFunc(byLine, func(a, b sqlfile.Statement) int { return a.Line - b.Line })
		for _, st := range byLine {
			list = append(list, statement{where: fmt.Sprintf("%s:%d: %s", name, st.Line, st.Name), file: name, kind: st.Kind, sql: st.SQL})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("got %d statements, want the program's, more than 50", len(list))
	}
	return list
}

// errUndo ends a transaction whose work is not wanted.
var errUndo = errors.New("undo")

// TestSQLCompiles prepares every statement against a new file. Those of kind script, which may make what later ones need
// and may hold several statements, are run in the order of their file, as they stand, their parameters NULL, and undone.
func TestSQLCompiles(t *testing.T) {
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "empty.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Write(ctx, func(tx *sql.Tx) error {
		for _, st := range statements(t) {
			if st.kind == "script" {
				used := map[string]bool{}
				parameters(used, st.sql)
				var nulls []any
				for name := range used {
					nulls = append(nulls, sql.Named(name, nil))
				}
				if _, err := tx.ExecContext(ctx, st.sql, nulls...); err != nil {
					t.Errorf("%s: %v", st.where, err)
				}
				continue
			}
			p, err := tx.PrepareContext(ctx, st.sql)
			if err != nil {
				t.Errorf("%s: %v", st.where, err)
				continue
			}
			p.Close()
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
}

var (
	star = regexp.MustCompile(`(?i)\bSELECT\s+(DISTINCT\s+|ALL\s+)?\*|\b\w+\.\*`)
	word = regexp.MustCompile(`[(),;]|:?\w+`)
)

// TestSQLStyle refuses, in every file: a LIMIT whose rows have no order, SELECT * (a column added to a table would
// change a result), double quotes (SQLite takes a misspelt name in them for a text), and a second statement where one is
// prepared, which would be left out silently.
func TestSQLStyle(t *testing.T) {
	list := statements(t)
	err := walk(".sql", func(name string, text []byte) error {
		if path.Dir(name) == "schema" {
			list = append(list, statement{where: name, kind: "script", sql: string(text)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range list {
		code := sqlfile.Code(st.sql)
		if star.MatchString(code) {
			t.Errorf("%s: SELECT *: name the columns", st.where)
		}
		if strings.Contains(code, `"`) {
			t.Errorf("%s: double quotes: texts take single ones, names none", st.where)
		}
		if i := strings.IndexByte(code, ';'); st.kind != "script" && i >= 0 && strings.TrimSpace(code[i+1:]) != "" {
			t.Errorf("%s: a second statement", st.where)
		}
		if n := unordered(code); n > 0 {
			t.Errorf("%s: %d LIMIT without ORDER BY", st.where, n)
		}
	}
}

// unordered counts the LIMITs of SQL code that have no ORDER BY at their own level of brackets.
func unordered(code string) (n int) {
	ordered := []bool{false}
	words := word.FindAllString(strings.ToUpper(code), -1)
	for i, w := range words {
		top := len(ordered) - 1
		switch w {
		case "(":
			ordered = append(ordered, false)
		case ")":
			ordered = ordered[:max(1, top)]
		case ";":
			ordered = []bool{false}
		case "BY":
			ordered[top] = ordered[top] || i > 0 && words[i-1] == "ORDER"
		case "SELECT":
			ordered[top] = false
		case "LIMIT":
			if !ordered[top] {
				n++
			}
		}
	}
	return n
}

func TestUnordered(t *testing.T) {
	for code, want := range map[string]int{
		"SELECT a FROM t ORDER BY a LIMIT 1":                                      0,
		"SELECT a FROM t LIMIT 1":                                                 1,
		"SELECT a FROM (SELECT a FROM t ORDER BY a) LIMIT 1":                      1,
		"SELECT row_number() OVER (ORDER BY a) FROM t LIMIT 1":                    1,
		"SELECT a FROM t WHERE a IN (SELECT b FROM u LIMIT 1) ORDER BY a LIMIT 1": 1,
		"SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY 1 LIMIT 2":            0,
		"WITH x AS (SELECT a FROM t ORDER BY a LIMIT 3) SELECT a FROM x":          0,
	} {
		if got := unordered(code); got != want {
			t.Errorf("%s: got %d unordered, want %d", code, got, want)
		}
	}
}
