package sqlext_test

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ragbench/internal/sqlext"
)

// fake is a searcher over 60 chunks. Text finds 1, 2, 3, … and vectors 2, 4, 6, …, plus 100 × (index - 1). Query "none"
// finds nothing, "error" fails, "panic" panics; others count in calls.
type fake struct {
	calls atomic.Int64
	last  atomic.Value // string: "index query k"
}

func (f *fake) SearchText(index int64, query string, k int) ([]sqlext.Hit, error) {
	f.calls.Add(1)
	f.last.Store(fmt.Sprintf("%d %q %d", index, query, k))
	switch query {
	case "none":
		return nil, nil
	case "error":
		return nil, fmt.Errorf("index %d is not built", index)
	case "panic":
		panic("searcher panics")
	case "runtime panic":
		return list(index, -1, 1), nil
	case "too many":
		return list(index, k+1, 1), nil
	case "nan":
		return []sqlext.Hit{{ChunkID: 7, Score: math.NaN()}}, nil
	case "unsorted":
		return []sqlext.Hit{{ChunkID: 7, Score: 1}, {ChunkID: 8, Score: 2}}, nil
	case "unsorted tie":
		return []sqlext.Hit{{ChunkID: 8, Score: 1}, {ChunkID: 7, Score: 1}}, nil
	}
	return list(index, min(k, 60), 1), nil
}

func (f *fake) SearchVector(index int64, vector []byte, k int) ([]sqlext.Hit, error) {
	f.calls.Add(1)
	f.last.Store(fmt.Sprintf("%d %x %d", index, vector, k))
	return list(index, min(k, 30), 2), nil
}

func list(index int64, n, step int) []sqlext.Hit {
	hits := make([]sqlext.Hit, n)
	for i := range hits {
		hits[i] = sqlext.Hit{ChunkID: 100*(index-1) + int64(step*(i+1)), Score: 1 / float64(i+1)}
	}
	return hits
}

// vector encodes values as vector_search wants them.
func vector(values ...float32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// open makes a database file with chunks 1 to 60, variants a, b, none and questions, and ties a fake to it.
func open(t testing.TB, options string) (*sql.DB, *fake) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "corpus.db")
	f := &fake{}
	t.Cleanup(sqlext.Attach(path, f))
	db := openFile(t, path, options)
	exec(t, db, `
		CREATE TABLE chunks(chunk_id INTEGER PRIMARY KEY, text TEXT) STRICT;
		CREATE TABLE variants(id INTEGER PRIMARY KEY, text TEXT, k INTEGER) STRICT;
		INSERT INTO variants VALUES (1, 'a', 2), (2, 'b', 3), (3, 'none', 4);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
		INSERT INTO chunks SELECT i, 'text ' || i FROM n;`)
	return db, f
}

func openFile(t testing.TB, path, options string) *sql.DB {
	t.Helper()
	sqlext.Register()
	db, err := sql.Open("sqlite3", "file:"+path+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("exec %s: %v", query, err)
	}
}

type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// rows runs query and returns its rows as text, values separated by a space, NULL as "-".
func rows(db querier, query string, args ...any) ([]string, error) {
	r, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	columns, err := r.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for r.Next() {
		values := make([]sql.NullString, len(columns))
		to := make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := r.Scan(to...); err != nil {
			return nil, err
		}
		words := make([]string, len(columns))
		for i, v := range values {
			words[i] = "-"
			if v.Valid {
				words[i] = v.String
			}
		}
		out = append(out, strings.Join(words, " "))
	}
	return out, r.Err()
}
