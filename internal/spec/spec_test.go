package spec

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	valid := []string{"bm25", "vector", "hybrid", "full_context", "csv"}
	for name, want := range map[string]string{
		"bm52": "bm25", "BM25": "bm25", "vectors": "vector", "hybird": "hybrid", "fullcontext": "full_context", "cvs": "csv",
		"graph_rag": "", "": "", "x": "",
	} {
		if got := Nearest(name, valid); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	table := Table[int]{{Name: "bm25", New: 1}, {Name: "vector", New: 2}}
	if e, err := table.Find("system", "vector"); err != nil || e.New != 2 {
		t.Errorf("got %v, %v", e, err)
	}
	_, err := table.Find("system", "bm2")
	if err == nil || err.Error() != `unknown system "bm2", did you mean "bm25"? (valid: bm25, vector)` {
		t.Errorf("got %v", err)
	}
	if _, err := table.Find("system", "quite different"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Errorf("got %v, want no suggestion", err)
	}
}
