package jsonl

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, in string, maxRow int) *Reader {
	t.Helper()
	r, err := NewReader(strings.NewReader(in), "f.jsonl", maxRow)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustNext(t *testing.T, r *Reader) *Row {
	t.Helper()
	row, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func TestFields(t *testing.T) {
	r := open(t, "\ufeff\r\n"+`{"_id": 7, "on": "true", "score": 2.0, "tags": ["a", 1], "one": "x", "none": null, "m": {"a": [1]}, "e": {}, "s": "t\u0000u", "f": 1.50}`+"\r\n", 1000)
	row := mustNext(t, r)
	id, ok, err := row.String("id", "_id")
	if id != "7" || !ok || err != nil {
		t.Errorf("id = %q %v %v, want 7", id, ok, err)
	}
	if on, ok, err := row.Bool("on"); !on || !ok || err != nil {
		t.Errorf("on = %v %v %v, want true", on, ok, err)
	}
	if n, ok, err := row.Int("grade", "score"); n != 2 || !ok || err != nil {
		t.Errorf("score = %v %v %v, want 2", n, ok, err)
	}
	if _, ok, err := row.String("none"); ok || err != nil {
		t.Errorf("null is present: %v %v", ok, err)
	}
	tags, err := row.Strings("tags")
	if err != nil {
		t.Fatal(err)
	}
	one, err := row.Strings("one")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"a", "1"}, {"x"}}, [][]string{tags, one}); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"m": `{"a":[1]}`, "s": "tu", "f": "1.50"}, row.Rest()); diff != "" {
		t.Errorf("rest (-want +got):\n%s", diff)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v, want EOF", err)
	}
	if w := r.Warnings(); len(w) != 1 || w[0].Code != "nul_removed" {
		t.Errorf("warnings = %v, want one nul_removed", w)
	}
}

func TestBadLinesAreNamedAndPassed(t *testing.T) {
	r := open(t, "{\"a\": 1}\n{broken\n[1]\nnull\n"+strings.Repeat("x", 200)+"\n{\"a\": {}}\n{\"a\": 2}", 100)
	mustNext(t, r)
	for i, want := range []string{
		"f.jsonl:2: not a JSON object: invalid character 'b'",
		"f.jsonl:3: not a JSON object: got array",
		"f.jsonl:4: not a JSON object: null",
		"f.jsonl:5: line of more than 100 bytes",
	} {
		_, err := r.Next()
		var bad *RowError
		if !errors.As(err, &bad) || bad.Line != i+2 || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
	if _, _, err := mustNext(t, r).String("a"); err == nil || err.Error() != "f.jsonl:6: a must be a string, got {}" {
		t.Errorf("error = %v", err)
	}
	if s, _, _ := mustNext(t, r).String("a"); s != "2" {
		t.Errorf("last row a = %q, want 2", s)
	}
}

func TestLongLines(t *testing.T) {
	for _, n := range []int{70_000, 5 << 20} {
		text := strings.Repeat("long ", n/5)
		r := open(t, fmt.Sprintf("{\"t\": %q}\n{\"t\": \"next\"}\n", text), 10<<20)
		if got, _, err := mustNext(t, r).String("t"); got != text || err != nil {
			t.Errorf("line of %d bytes read as %d bytes, error %v", n, len(got), err)
		}
		if got, _, _ := mustNext(t, r).String("t"); got != "next" {
			t.Errorf("line after it = %q, want next", got)
		}
	}
	exact := `{"t": "` + strings.Repeat("x", 91) + `"}`
	mustNext(t, open(t, exact+"\n", len(exact)))
	if _, err := open(t, exact+"\n", len(exact)-1).Next(); err == nil {
		t.Error("a line one byte over the limit is read")
	}
}

func TestEncodings(t *testing.T) {
	r := open(t, "{\"t\": \"caf\xe9\"}\n{\"t\": \"caf\u00e9 \\ud83d\"}\n", 1000)
	for _, want := range []string{"café", "café \ufffd"} {
		if got, _, _ := mustNext(t, r).String("t"); got != want {
			t.Errorf("t = %q, want %q", got, want)
		}
	}
	var codes []string
	for _, w := range r.Warnings() {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"encoding_fallback", "replaced_characters"}, codes); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestRows(t *testing.T) {
	row := mustNext(t, open(t, `{"ev": [{"doc_id": "d", "start": 3}, {"quote": "q"}], "bad": [1]}`, 1000))
	evs, err := row.Rows("ev")
	if err != nil || len(evs) != 2 {
		t.Fatalf("rows = %d, %v; want 2", len(evs), err)
	}
	if n, ok, err := evs[0].Int("start"); n != 3 || !ok || err != nil {
		t.Errorf("start = %d %v %v, want 3", n, ok, err)
	}
	if _, err := row.Rows("bad"); err == nil {
		t.Error("a list of numbers is taken for rows")
	}
}
