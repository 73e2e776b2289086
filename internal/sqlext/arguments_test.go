package sqlext_test

import (
	"database/sql"
	"strings"
	"testing"
)

// TestArgumentErrors gives the functions everything they must refuse; the connection must serve the next statement.
func TestArgumentErrors(t *testing.T) {
	db, f := open(t, "")
	db.SetMaxOpenConns(1)
	v := vector(1, 0)
	for _, c := range []struct {
		name, sql string
		args      []any
		want      string // part of the error
	}{
		{"no argument", `SELECT * FROM bm25_search`, nil, "bm25_search needs (index, query [, k])"},
		{"no argument, vector", `SELECT * FROM vector_search()`, nil, "vector_search needs (index, vector [, k])"},
		{"one argument", `SELECT * FROM bm25_search(1)`, nil, "bm25_search needs (index, query [, k])"},
		{"only k and query", `SELECT * FROM bm25_search WHERE query = 'a' AND k = 1`, nil, "bm25_search needs (index, query [, k])"},
		{"four arguments", `SELECT * FROM bm25_search(1, 'a', 2, 3)`, nil, "too many arguments on bm25_search() - max 3"},
		{"NULL index", `SELECT * FROM bm25_search(NULL, 'a')`, nil, "index is NULL"},
		{"NULL k", `SELECT * FROM bm25_search(1, 'a', NULL)`, nil, "k is NULL"},
		{"NULL k with NULL query", `SELECT * FROM bm25_search(1, NULL, NULL)`, nil, "k is NULL"},
		{"misspelt parameter", `SELECT * FROM bm25_search(:index, :question, :kk)`,
			[]any{sql.Named("index", 1), sql.Named("question", "a"), sql.Named("k", 3)}, "k is NULL"},
		{"text k", `SELECT * FROM bm25_search(1, 'a', '20')`, nil, "k must be an INTEGER, got TEXT"},
		{"bound text k", `SELECT * FROM bm25_search(1, 'a', ?)`, []any{"20"}, "k must be an INTEGER, got TEXT"},
		{"integral float k", `SELECT * FROM bm25_search(1, 'a', 20.0)`, nil, "k must be an INTEGER, got REAL"},
		{"blob k", `SELECT * FROM bm25_search(1, 'a', x'01')`, nil, "k must be an INTEGER, got BLOB"},
		{"text index", `SELECT * FROM bm25_search('main', 'a')`, nil, "index must be an INTEGER, got TEXT"},
		{"float index", `SELECT * FROM bm25_search(1.0, 'a')`, nil, "index must be an INTEGER, got REAL"},
		{"negative k", `SELECT * FROM bm25_search(1, 'a', -1)`, nil, "k is -1, 0 or more is needed"},
		{"blob query", `SELECT * FROM bm25_search(1, ?)`, []any{[]byte("a")}, "query must be a TEXT, got BLOB"},
		{"integer query", `SELECT * FROM bm25_search(1, 2024)`, nil, "query must be a TEXT, got INTEGER"},
		{"text vector", `SELECT * FROM vector_search(1, '[1, 0]')`, nil, "vector must be a BLOB, got TEXT"},
		{"empty vector", `SELECT * FROM vector_search(1, ?)`, []any{[]byte{}}, "vector has 0 bytes"},
		{"broken vector", `SELECT * FROM vector_search(1, ?)`, []any{v[:7]}, "vector has 7 bytes"},
		{"too few parameters", `SELECT * FROM bm25_search(?, ?, ?)`, []any{1, "a"}, "not enough args to execute query: want 3 got 2"},
		{"impossible order", `SELECT * FROM bm25_search(1, v.text) s CROSS JOIN variants v`, nil, "known before the join reaches it"},
		{"impossible order, LEFT JOIN", `SELECT * FROM bm25_search(1, v.text) s LEFT JOIN variants v ON true`, nil, "references tables to its right"},
		{"write", `INSERT INTO bm25_search(chunk_id) VALUES (1)`, nil, "bm25_search"},
		{"create", `CREATE VIRTUAL TABLE x USING bm25_search(1)`, nil, "no such module: bm25_search"},

		{"error of the searcher", `SELECT * FROM bm25_search(7, 'error')`, nil, "bm25_search: index 7 is not built"},
		{"panic", `SELECT * FROM bm25_search(1, 'panic')`, nil, "bm25_search: panic: searcher panics"},
		{"runtime panic", `SELECT * FROM bm25_search(1, 'runtime panic')`, nil, "bm25_search: panic: runtime error: makeslice: len out of range"},
		{"panic in a later search", `SELECT s.* FROM variants v, bm25_search(1, iif(v.id = 3, 'panic', v.text), 1) s`, nil, "panic: searcher"},
		{"too many hits", `SELECT * FROM bm25_search(1, 'too many', 3)`, nil, "returned 4 hits for k = 3"},
		{"NaN", `SELECT * FROM bm25_search(1, 'nan')`, nil, "score of chunk 7 is not a number"},
		{"unsorted", `SELECT * FROM bm25_search(1, 'unsorted')`, nil, "hits 1 and 2 are out of order"},
		{"unsorted tie", `SELECT * FROM bm25_search(1, 'unsorted tie')`, nil, "hits 1 and 2 are out of order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := rows(db, c.sql, c.args...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got rows %v and error %v, want error %q", got, err, c.want)
			}
			next, err := rows(db, `SELECT count(*) FROM bm25_search(1, 'a', 3)`)
			if err != nil || len(next) != 1 || next[0] != "3" {
				t.Errorf("next statement: got %v and error %v, want 3 hits", next, err)
			}
		})
	}
	if n := db.Stats().InUse; n != 0 {
		t.Errorf("got %d connections still in use, want 0", n)
	}
	if last := f.last.Load(); last != `1 "a" 3` {
		t.Errorf("got last search %v, want %q", last, `1 "a" 3`)
	}
}

// TestArgumentsArrive compares what the searcher sees with what the statement says.
func TestArgumentsArrive(t *testing.T) {
	db, f := open(t, "")
	for _, c := range []struct {
		sql  string
		args []any
		want string
	}{
		{`SELECT * FROM bm25_search(:index, :question, :k)`,
			[]any{sql.Named("index", 3), sql.Named("question", "was ist ein Ökosystem?"), sql.Named("k", 5), sql.Named("unused", 1)},
			`3 "was ist ein Ökosystem?" 5`},
		{`SELECT * FROM bm25_search(-4, ?, 2)`, []any{"a\x00b"}, `-4 "a\x00b" 2`},
		{`SELECT * FROM bm25_search(4, CAST(x'61ff62' AS TEXT))`, nil, `4 "a\xffb" 10`},
		{`SELECT * FROM bm25_search(9223372036854775807, '', 9223372036854775807)`, nil, `9223372036854775807 "" 2147483647`},
		{`SELECT * FROM vector_search(2, ?, 7)`, []any{vector(1, -2)}, "2 0000803f000000c0 7"},
	} {
		if _, err := rows(db, c.sql, c.args...); err != nil {
			t.Fatalf("%s: %v", c.sql, err)
		}
		if got := f.last.Load(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.sql, got, c.want)
		}
	}
}
