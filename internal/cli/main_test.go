package cli

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/ragtest/fakeserver"
	"ragbench/internal/store"
)

// asProgram makes the test binary behave as the program, so that a test can kill it.
const asProgram = "RAGBENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(context.Background(), os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv, nil))
	}
	os.Exit(m.Run())
}

// bench is a folder with a small dataset, and a server that plays every provider.
type bed struct {
	t      *testing.T
	server *fakeserver.Server
	dir    string
	getenv func(string) string
}

// newBed makes the folder, of n documents and as many questions, the working folder.
func newBed(t *testing.T, n int) *bed {
	t.Helper()
	b := &bed{t: t, server: fakeserver.Start(t), dir: t.TempDir()}
	b.getenv = b.server.Getenv
	t.Chdir(b.dir)
	var questions, qrels strings.Builder
	for i := range n {
		b.write(fmt.Sprintf("data/docs/doc_%02d.md", i), fmt.Sprintf("# Ferry %02d\n\nFerry %02d leaves from pier %d at %02d:15. Its captain is number %d.\n", i, i, i%7, i%24, 100+i))
		fmt.Fprintf(&questions, `{"id":"q%02d","question":"When does ferry %02d leave, and from which pier?","reference_answer":"At %02d:15 from pier %d."}`+"\n", i, i, i%24, i%7)
		fmt.Fprintf(&qrels, `{"question_id":"q%02d","doc_id":"doc_%02d","relevance":1}`+"\n", i, i)
	}
	b.write("data/questions.jsonl", questions.String())
	b.write("data/qrels.jsonl", qrels.String())
	return b
}

func (b *bed) write(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// result is what a command did.
type result struct {
	code     int
	out, err string
}

// run runs a command in this process.
func (b *bed) run(args ...string) result {
	b.t.Helper()
	var out, errs bytes.Buffer
	code := Main(b.t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, b.getenv, make(chan os.Signal))
	return result{code, out.String(), errs.String()}
}

// must runs a command that is to go well.
func (b *bed) must(args ...string) result {
	b.t.Helper()
	r := b.run(args...)
	if r.code != exitOK {
		b.t.Fatalf("%s: got exit code %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r
}

// rows reads a query of a file, a text a row.
func (b *bed) rows(path, query string) []string {
	b.t.Helper()
	db, err := store.Open(b.t.Context(), path, store.Options{ReadOnly: true})
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader().Query(query)
	if err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		b.t.Fatal(err)
	}
	var list []string
	for rows.Next() {
		values, at := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			b.t.Fatal(err)
		}
		var line strings.Builder
		for i, v := range values {
			if i > 0 {
				line.WriteByte('|')
			}
			if v == nil {
				line.WriteString("NULL")
			}
			line.Write(v)
		}
		list = append(list, line.String())
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return list
}

// one reads a query of one row.
func (b *bed) one(path, query string) string {
	b.t.Helper()
	rows := b.rows(path, query)
	if len(rows) != 1 {
		b.t.Fatalf("%s: got %d rows, want 1", query, len(rows))
	}
	return rows[0]
}
