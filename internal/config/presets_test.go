package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/spec"
)

func TestPresetsLoad(t *testing.T) {
	all := known()
	for _, name := range []string{"hybrid_rerank", "rerank", "parent_doc", "hyde", "contextual", "hierarchical", "sentence_window", "rag_fusion", "decompose", "llm_heavy"} {
		all.Systems = append(all.Systems, Variant{Name: name, Options: []spec.Option{{Name: "chunker"}}})
	}
	few := known()
	for _, tt := range []struct {
		preset  string
		known   Known
		want    []string
		missing []string
	}{
		{"quick", all, []string{"bm25", "vector", "hybrid_rerank"}, nil},
		{"quick", few, []string{"bm25", "vector"}, []string{"hybrid_rerank"}},
		{"standard", all, []string{"bm25", "vector", "hybrid_rerank", "hybrid", "rerank", "parent_doc", "hyde", "contextual"}, nil},
		{"thorough", all, []string{"bm25", "vector", "hybrid_rerank", "hybrid", "rerank", "parent_doc", "hyde", "contextual", "hierarchical",
			"sentence_window", "rag_fusion", "decompose", "llm_heavy", "hybrid_rerank[chunk_size=250]", "hybrid_rerank[chunk_size=1000]"}, nil},
	} {
		text, missing, err := Preset(tt.preset, tt.known)
		if err != nil {
			t.Fatalf("%s: %v", tt.preset, err)
		}
		if diff := cmp.Diff(tt.missing, missing); diff != "" {
			t.Errorf("%s: missing (-want +got):\n%s", tt.preset, diff)
		}
		c, err := Parse("(preset "+tt.preset+")", text, tt.known, Overrides{Dataset: t.TempDir()})
		if err != nil {
			t.Fatalf("%s: %v", tt.preset, err)
		}
		var got []string
		for _, s := range c.Systems {
			got = append(got, s.Name)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: systems (-want +got):\n%s", tt.preset, diff)
		}
		if c.Run.Name != "preset_"+tt.preset || len(c.Ignored) > 0 {
			t.Errorf("%s: got run %q and ignored keys %v, want run preset_%s and none", tt.preset, c.Run.Name, c.Ignored, tt.preset)
		}
	}
}

func TestUnknownPreset(t *testing.T) {
	if _, _, err := Preset("quik", known()); err == nil || !strings.Contains(err.Error(), `did you mean "quick"?`) {
		t.Errorf("got error %v, want one that hints at quick", err)
	}
	if _, _, err := Preset("quick", Known{}); err == nil {
		t.Error("a preset of no known system: got no error")
	}
}
