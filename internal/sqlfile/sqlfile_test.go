package sqlfile

import (
	"strings"
	"testing"
	"testing/fstest"
)

func files(text string) fstest.MapFS {
	return fstest.MapFS{"x.sql": &fstest.MapFile{Data: []byte(text)}}
}

func TestParse(t *testing.T) {
	set, err := Parse(files("-- About the file.\n\n-- name: best :many\n-- The best rows.\nSELECT 1\n  FROM t;\n\n-- name: add :exec\nINSERT INTO t VALUES (:a);\n"), "x.sql")
	if err != nil {
		t.Fatal(err)
	}
	best := set["best"]
	if best.SQL != "SELECT 1\n  FROM t" || best.Doc != "The best rows." || best.Kind != "many" || best.Line != 3 {
		t.Errorf("best: got %+v", best)
	}
	if got := set.SQL("add"); got != "INSERT INTO t VALUES (:a)" {
		t.Errorf("add: got %q", got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"bad header", "-- name: a-b :many\nSELECT 1", "x.sql:1: want"},
		{"no kind", "-- name: a\nSELECT 1", "x.sql:1: want"},
		{"twice", "-- name: a :one\nSELECT 1\n-- name: a :one\nSELECT 2", "x.sql:3: statement a appears twice"},
		{"empty", "-- name: a :one\n-- only words\n", "x.sql:1: a: empty statement"},
	} {
		if _, err := Parse(files(tt.text), "x.sql"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestLoadComparesNames(t *testing.T) {
	fsys := files("-- name: a :one\nSELECT 1")
	if _, err := Load(fsys, "x.sql", "a", "b"); err == nil || !strings.Contains(err.Error(), "b is missing") {
		t.Errorf("missing: got %v", err)
	}
	if _, err := Load(fsys, "x.sql"); err == nil || !strings.Contains(err.Error(), "a is used by nothing") {
		t.Errorf("surplus: got %v", err)
	}
}

func TestParseQuery(t *testing.T) {
	q, err := ParseQuery(files("-- Rows of one kind.\n-- param: kind chunk which kind\nSELECT ':no', x\nFROM t\nWHERE kind = :kind;\n"), "x.sql")
	if err != nil {
		t.Fatal(err)
	}
	if q.Name != "x" || q.Summary != "Rows of one kind." || len(q.Params) != 1 || q.Params[0] != (Param{"kind", "chunk", "which kind"}) {
		t.Errorf("got %+v", q)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"no summary", "SELECT 1", "first line must be a comment"},
		{"two statements", "-- S.\nSELECT 1; SELECT 2", "more than one statement"},
		{"undeclared", "-- S.\nSELECT :x", ":x is not declared"},
		{"unused", "-- S.\n-- param: x 1 what\nSELECT 1", "declared and not used"},
	} {
		if _, err := ParseQuery(files(tt.text), "x.sql"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}
