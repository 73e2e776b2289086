package queries

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
	"ragbench/internal/sqlfile"
)

var update = flag.Bool("update", false, "write the goldens anew")

// open makes a file with the rows of testdata/base.sql and then extra, scores every run of it, and returns it with its
// path.
func open(t *testing.T, extra string) (*sql.DB, string) {
	t.Helper()
	base, err := os.ReadFile("testdata/base.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, path := scoretest.Open(t)
	if _, err := db.Exec(string(base) + extra); err != nil {
		t.Fatal(err)
	}
	_, runs := scoretest.Dump(t, db, "SELECT run_id FROM runs ORDER BY run_id")
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		for i := range runs {
			if _, err := score.Run(context.Background(), tx, int64(i+1)); err != nil {
				return err
			}
			if _, err := score.Answers(context.Background(), tx, int64(i+1)); err != nil {
				return err
			}
		}
		return nil
	})
	return db, path
}

// args binds the defaults of q as text, as typed on a command line, and over them the given values.
func args(t *testing.T, q sqlfile.Query, given map[string]string) []any {
	t.Helper()
	var as []any
	for _, p := range q.Params {
		value, ok := given[p.Name]
		switch {
		case ok:
			delete(given, p.Name)
			as = append(as, sql.Named(p.Name, value))
		case p.Default == "null":
			as = append(as, sql.Named(p.Name, nil))
		default:
			as = append(as, sql.Named(p.Name, p.Default))
		}
	}
	for name := range given {
		t.Errorf("%s has no parameter %s", q.Name, name)
	}
	return as
}

// golden is one testdata/QUERY[.CASE].txtar.
type golden struct {
	file, query string
	archive     *txtar.Archive
	rows        string
	params      map[string]string
}

func goldens(t *testing.T) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var gs []golden
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		query, _, _ := strings.Cut(filepath.Base(file), ".")
		g := golden{file: file, query: query, archive: a, rows: section(a, "rows.sql"), params: map[string]string{}}
		for _, line := range strings.Fields(section(a, "params")) {
			name, value, _ := strings.Cut(line, "=")
			g.params[name] = value
		}
		gs = append(gs, g)
	}
	return gs
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// tsv renders a result with its column names; tabs and line breaks of values are escaped.
func tsv(columns []string, rows [][]string) string {
	var b strings.Builder
	escape := strings.NewReplacer("\t", `\t`, "\n", `\n`)
	for _, row := range append([][]string{columns}, rows...) {
		for i, v := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(escape.Replace(v))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range goldens(t) {
		seen[g.query] = true
		t.Run(strings.TrimSuffix(filepath.Base(g.file), ".txtar"), func(t *testing.T) {
			q, err := Find(g.query)
			if err != nil {
				t.Fatal(err)
			}
			db, _ := open(t, g.rows)
			got := tsv(scoretest.Dump(t, db, q.SQL, args(t, q, g.params)...))
			if *update {
				for i := range g.archive.Files {
					if g.archive.Files[i].Name == "want.tsv" {
						g.archive.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(g.file, txtar.Format(g.archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(section(g.archive, "want.tsv"), got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
	for _, q := range All() {
		if !seen[q.Name] {
			t.Errorf("%s has no golden", q.Name)
		}
	}
}

// TestUnsetParams runs each query with every parameter NULL, as the sqlite3 shell does: the same as with the defaults.
func TestUnsetParams(t *testing.T) {
	db, _ := open(t, "")
	for _, q := range All() {
		var unset []any
		for _, p := range q.Params {
			unset = append(unset, sql.Named(p.Name, nil))
		}
		want := tsv(scoretest.Dump(t, db, q.SQL, args(t, q, map[string]string{})...))
		if diff := cmp.Diff(want, tsv(scoretest.Dump(t, db, q.SQL, unset...))); diff != "" {
			t.Errorf("%s (-defaults +unset):\n%s", q.Name, diff)
		}
	}
}

func TestFind(t *testing.T) {
	if _, err := Find("leaderbord"); err == nil || !strings.Contains(err.Error(), `did you mean "leaderboard"?`) {
		t.Errorf("got error %v, want one that suggests leaderboard", err)
	}
	for i, q := range All() {
		if q.Summary == "" || !strings.HasSuffix(q.SQL, ";") {
			t.Errorf("%s: want a summary and a closing semicolon", q.Name)
		}
		if i > 0 && All()[i-1].Name >= q.Name {
			t.Errorf("%s comes after %s", q.Name, All()[i-1].Name)
		}
	}
}

func ExampleFind() {
	q, err := Find("hit_overlap")
	if err != nil {
		panic(err)
	}
	for _, p := range q.Params {
		fmt.Printf("%s (default %s): %s\n", p.Name, p.Default, p.Doc)
	}
	// Output:
	// run (default null): id, label or name of the run; null is the newest
	// k (default null): cut-off; null is the run's primary k
}
