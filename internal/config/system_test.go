package config

import (
	"encoding/json"
	"testing"

	"ragbench/internal/spec"
)

func parseSystems(t *testing.T, text string) []System {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFile(t, "data/x", nil)
	c, err := Parse("x.yaml", []byte("dataset: {path: data}\n"+text), known(), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return c.Systems
}

// TestSHA256 holds what identifies a configuration: what the system does, however it is written.
func TestSHA256(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"the name does not count", "bm25", "{name: x, type: bm25}", true},
		{"a default that is written", "bm25", "{name: x, type: bm25, retrieval: {k1: 1.20, formula: fts5}, chunker: {chunk_size: 500}}", true},
		{"a whole number for a number", "{type: bm25, k1: 1}", "{name: x, type: bm25, k1: 1.0}", true},
		{"without the section", "{type: bm25, k1: 1}", "{name: x, type: bm25, retrieval: {k1: 1}}", true},
		{"the provider of a bare model", "{type: bm25, models: {generator: m}}", "{name: x, type: bm25, models: {generator: 'openai:m'}}", true},
		{"a model it does not use", "bm25", "{name: x, type: bm25, models: {embedding: m}}", true},
		{"the exact store by another name", "vector", "{name: x, type: vector, retrieval: {vector_store: numpy}}", true},
		{"top_k equal to context_k", "bm25", "{name: x, type: bm25, top_k: 5}", true},
		{"top_k", "bm25", "{name: x, type: bm25, top_k: 4}", false},
		{"the type", "bm25", "vector", false},
		{"k1", "bm25", "{name: x, type: bm25, k1: 1.3}", false},
		{"the formula", "bm25", "{name: x, type: bm25, formula: lucene}", false},
		{"the chunker", "bm25", "{name: x, type: bm25, chunker: {type: word}}", false},
		{"a title before each chunk", "bm25", "{name: x, type: bm25, chunker: {prefix_title: true}}", false},
		{"a model", "vector", "{name: x, type: vector, models: {embedding: m}}", false},
		{"a further option", "agent", "{name: x, type: agent, max_steps: 7}", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := parseSystems(t, "systems: ["+tt.a+", "+tt.b+"]")
			if got := s[0].SHA256() == s[1].SHA256(); got != tt.same {
				t.Errorf("same hash: got %v, want %v\n%s\n%s", got, tt.same, s[0].Canonical(), s[1].Canonical())
			}
		})
	}
}

func TestScoring(t *testing.T) {
	for entry, want := range map[string]string{
		"bm25":                         "fts5",
		"{type: bm25, k1: 0.9}":        "fts5(k1=0.9,b=0.75)",
		"{type: bm25, formula: okapi}": "okapi",
		"{type: bm25, formula: lucene, k1: 1.2, b: .4}": "lucene(k1=1.2,b=0.4)",
	} {
		s := parseSystems(t, "systems: ["+entry+"]")
		if got := s[0].Retrieval.Scoring(); got != want {
			t.Errorf("%s: got %s, want %s", entry, got, want)
		}
	}
}

// TestCanonicalOfHandMadeSystem shows that a system that was not loaded has a canonical form too.
func TestCanonicalOfHandMadeSystem(t *testing.T) {
	s := System{Type: "x", Options: map[string]any{"a": 1, "a.b": 2, "c.d.e": "<&>"}}
	var got map[string]any
	if err := json.Unmarshal(s.Canonical(), &got); err != nil {
		t.Fatal(err)
	}
	if got["a"] != 1.0 || got["a.b"] != 2.0 {
		t.Errorf("got %s, want both a and a.b", s.Canonical())
	}
}

func TestVariants(t *testing.T) {
	table := spec.Table[func()]{{Name: "b", Options: options("x")}, {Name: "a"}}
	got := Variants(table)
	if len(got) != 2 || got[0].Name != "b" || got[0].Options[0].Name != "x" || got[1].Name != "a" {
		t.Errorf("got %+v, want b and a with their options", got)
	}
}
