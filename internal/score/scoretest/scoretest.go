// Package scoretest opens files with the schema for tests.
package scoretest

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3" // registers the driver sqlite3

	_ "ragbench/internal/guard" // stops a build without SQLite's options
	"ragbench/schema"
)

// Open makes a file with every table and view in a folder that goes with the test, and returns it with its path.
func Open(t testing.TB) (*sql.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bench.db")
	db, err := sql.Open("sqlite3", "file:"+path+"?_foreign_keys=1&_txlock=immediate&_synchronous=NORMAL&_cache_size=-65536")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL"); err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(schema.Files, "0*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "views.sql") {
		text, err := fs.ReadFile(schema.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(string(text)); err != nil {
			t.Fatalf("apply %s: %v", name, err)
		}
	}
	return db, path
}

// Write runs fn in one transaction and fails the test when fn does.
func Write(t testing.TB, db *sql.DB, fn func(*sql.Tx) error) {
	t.Helper()
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Dump returns the rows of a query as text: one slice a row, NULL as "-", floats in Go's shortest form.
func Dump(t testing.TB, db *sql.DB, query string, args ...any) (columns []string, rows [][]string) {
	t.Helper()
	r, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if columns, err = r.Columns(); err != nil {
		t.Fatal(err)
	}
	for r.Next() {
		values := make([]any, len(columns))
		pointers := make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := r.Scan(pointers...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = Text(v)
		}
		rows = append(rows, row)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return columns, rows
}

// Text renders one value as Dump does.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case []byte:
		return string(v)
	default:
		return fmt.Sprint(v)
	}
}
