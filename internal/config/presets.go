package config

import (
	"fmt"
	"slices"
	"strings"

	"ragbench/internal/spec"
)

// preset is a ready list of systems.
type preset struct {
	name    string
	title   string
	entries []presetEntry
}

// presetEntry is one entry of systems as written in YAML, with the type it needs.
type presetEntry struct {
	typ, yaml string
}

// presets are those of the Python original, each holding the one before it.
var presets = []preset{
	{"quick", "lexical, dense and reranked search", bare("bm25", "vector", "hybrid_rerank")},
	{"standard", "the systems that most comparisons need", bare("hybrid", "rerank", "parent_doc", "hyde", "contextual")},
	{"thorough", "every system without an agent, and two sizes of chunks", append(
		bare("hierarchical", "sentence_window", "rag_fusion", "decompose", "llm_heavy"),
		presetEntry{"hybrid_rerank", "{type: hybrid_rerank, sweep: {chunker.chunk_size: [250, 1000]}}"})},
}

// bare makes entries of types with their defaults.
func bare(types ...string) []presetEntry {
	list := make([]presetEntry, len(types))
	for i, t := range types {
		list[i] = presetEntry{t, t}
	}
	return list
}

// Presets lists the names of the presets, the smallest first.
func Presets() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

// Preset returns the configuration of a preset over the dataset in the folder demo, which Overrides may replace. Its
// systems are those of the preset that known has; missing are the types that it has not. An unknown name is an error.
func Preset(name string, known Known) (text []byte, missing []string, err error) {
	last := slices.Index(Presets(), name)
	if last < 0 {
		return nil, nil, spec.Unknown("preset", name, Presets())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Preset %s: %s.\nrun: {name: preset_%s}\ndataset: {path: demo}\nsystems:\n", name, presets[last].title, name)
	some := false
	for _, p := range presets[:last+1] {
		for _, e := range p.entries {
			switch {
			case find(known.Systems, e.typ) != nil:
				fmt.Fprintf(&b, "  - %s\n", e.yaml)
				some = true
			case !slices.Contains(missing, e.typ):
				missing = append(missing, e.typ)
			}
		}
	}
	if !some {
		return nil, missing, fmt.Errorf("preset %s: none of its systems is known", name)
	}
	return []byte(b.String()), missing, nil
}
