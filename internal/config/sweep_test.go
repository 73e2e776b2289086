package config

import (
	"strings"
	"testing"
)

// TestSweepIsWrittenOut wants a variant to be what its settings make of the entry when they are written by hand.
func TestSweepIsWrittenOut(t *testing.T) {
	parse := func(entry string) System {
		t.Helper()
		c, err := Parse("test.yaml", []byte("systems:\n"+entry), known(), Overrides{Dataset: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return c.Systems[len(c.Systems)-1]
	}
	swept := parse("  - type: hybrid\n    retrieval: {bm25_weight: 2}\n    chunker: {type: word}\n    sweep: {chunker.chunk_size: [90, 100], retrieval.rrf_k: [1, 7]}\n")
	byHand := parse("  - type: hybrid\n    retrieval: {bm25_weight: 2, rrf_k: 7}\n    chunker: {type: word, chunk_size: 100}\n")
	if swept.Name != "hybrid[chunk_size=100,rrf_k=7]" {
		t.Errorf("got name %q", swept.Name)
	}
	if swept.SHA256() != byHand.SHA256() {
		t.Errorf("got\n%s\nwant\n%s", swept.Canonical(), byHand.Canonical())
	}
}

// TestSweepClash wants the whole path in a name where two settings end alike.
func TestSweepClash(t *testing.T) {
	k := known()
	k.Systems[1].Options = append(k.Systems[1].Options, options("llm_features.context_token_budget=5")...)
	text := "systems:\n  - {type: full_context, sweep: {retrieval.context_token_budget: [7], llm_features.context_token_budget: [{b: [1], a: x}, 3]}}\n"
	_, err := Parse("test.yaml", []byte(text), k, Overrides{Dataset: t.TempDir()})
	want := `full_context[retrieval.context_token_budget=7,llm_features.context_token_budget={"a":"x","b":[1]}]`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want one about %s", err, want)
	}
}
