package config

import (
	"cmp"
	"slices"
	"strings"

	"ragbench/internal/spec"
)

// Known says which names a file may use. The tables behind it are the caller's, so that this package knows no system.
type Known struct {
	Systems   []Variant
	Chunkers  []Variant
	Providers []string // of model references, such as openai; empty means: do not check
}

// Variant is a system type or a chunker with the options it takes.
//
// The name of an option is its dotted path within a system: retrieval.rrf_k, chunker.parent_chunk_size,
// llm_features.enable_query_rewrite, models.embedding, or a bare key such as tools. A type that lists chunker or
// chunker.type cuts documents with the chunkers; its default is the chunker where the file names none. A type that lists
// any of top_k, retrieval.top_k and retrieval.final_top_k takes all three. A type that lists models.* depends on those
// models alone; one that lists none is taken to depend on generator and embedding. Options of a chunker may be written
// with or without "chunker.".
//
// The type of a default decides which values an option takes (see Default in spec.Option): 4 whole numbers, 0.5
// numbers, true a boolean, max a text, no default anything. Defaults of k1 and b follow from the formula.
type Variant struct {
	Name    string
	Options []spec.Option
}

// Variants lists the entries of a table in its order.
func Variants[New any](t spec.Table[New]) []Variant {
	list := make([]Variant, len(t))
	for i, e := range t {
		list[i] = Variant{Name: e.Name, Options: e.Options}
	}
	return list
}

// find returns the variant called name, or nil.
func find(list []Variant, name string) *Variant {
	i := slices.IndexFunc(list, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// names lists the names of variants in order.
func names(list []Variant) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.Name
	}
	return out
}

// layout is what a system type takes, sorted by section.
type layout struct {
	options map[string]spec.Option // dotted path to option
	chunks  bool                   // cuts documents with the chunkers
	chunker string                 // the one it cuts with when the file names none
	topK    bool
	models  []string // those of sharedModels it depends on
}

// sharedModels are the keys that the section models of every system takes.
var sharedModels = []string{"generator", "embedding", "judge"}

// topKPaths are the spellings of the number of chunks the generator reads; the first that is given wins.
var topKPaths = []string{"top_k", "retrieval.final_top_k", "retrieval.top_k"}

// newLayout sorts the options of v.
func newLayout(v *Variant) layout {
	l := layout{options: map[string]spec.Option{}}
	for _, o := range v.Options {
		model := strings.TrimPrefix(o.Name, "models.")
		switch {
		case o.Name == "chunker" || o.Name == "chunker.type":
			l.chunks, l.chunker = true, cmp.Or(o.Default, defaultChunker)
		case slices.Contains(topKPaths, o.Name):
			l.topK = true
		case inSection(o.Name, "models") && slices.Contains(sharedModels, model):
			l.models = append(l.models, model)
		default:
			l.options[o.Name] = o
		}
	}
	if l.models == nil {
		l.models = []string{"generator", "embedding"}
	}
	return l
}

// has says whether the type takes any key of a section.
func (l layout) has(section string) bool {
	for path := range l.options {
		if strings.HasPrefix(path, section+".") {
			return true
		}
	}
	return section == "models" || section == "chunker" && l.chunks || section == "retrieval" && l.topK
}

// keys lists the keys the type takes in a section, sorted.
func (l layout) keys(section string) []string {
	var keys []string
	for path := range l.options {
		if key, ok := strings.CutPrefix(path, section+"."); ok {
			keys = append(keys, key)
		}
	}
	if section == "retrieval" && l.topK {
		keys = append(keys, "final_top_k", "top_k")
	}
	if section == "models" {
		keys = append(keys, sharedModels...)
	}
	slices.Sort(keys)
	return keys
}

// flat returns the dotted path of the one option whose last part is key, for options written without their section.
func (l layout) flat(key string) (string, bool) {
	found := ""
	for path := range l.options {
		if strings.HasSuffix(path, "."+key) {
			if found != "" {
				return "", false
			}
			found = path
		}
	}
	return found, found != ""
}
