package config

import (
	"maps"
	"slices"
	"strings"

	"ragbench/internal/spec"
)

// ChunkerOptions say how a system cuts documents. The zero value belongs to a system that does not.
type ChunkerOptions struct {
	Type         string
	ChunkSize    int            // in the chunker's unit; 0 when the chunker has no size
	ChunkOverlap int            // below ChunkSize
	PrefixTitle  bool           // put the document's title and a blank line before each chunk
	Tokenizer    string         // what tokens are counted with: o200k_base, or approx
	Options      map[string]any // further options of the chunker, by key
}

// defaultChunker is the chunker of a system when neither the file nor its type names one.
const defaultChunker = "token"

// commonChunkerOptions are taken by every chunker.
func commonChunkerOptions() []option {
	title := option{name: "prefix_title", kind: boolean, def: "false"}
	tokenizer := oneOf("o200k_base", "approx")
	tokenizer.name, tokenizer.def = "tokenizer", "o200k_base"
	return []option{title, tokenizer}
}

// chunkerOptions lists the options of a chunker: its own, then those of all.
func chunkerOptions(v *Variant) []option {
	var list []option
	for _, o := range v.Options {
		list = append(list, chunkerOption(o))
	}
	for _, o := range commonChunkerOptions() {
		if !slices.ContainsFunc(list, func(have option) bool { return have.name == o.name }) {
			list = append(list, o)
		}
	}
	return list
}

// chunkerOption turns a documented option into a checked one: sizes are whole and not negative.
func chunkerOption(o spec.Option) option {
	name := strings.TrimPrefix(o.Name, "chunker.")
	out := fromSpec(name, o)
	for _, common := range commonChunkerOptions() {
		if common.name == name {
			common.def = o.Default
			out = common
		}
	}
	switch {
	case name == "chunk_size" || name == "min_chunk_size":
		out.kind, out.lo, out.hi = whole, 1, inf
	case name == "chunk_overlap":
		out.kind, out.lo, out.hi = whole, 0, inf
	}
	return out
}

// chunkerKeys lists every key that some chunker takes, sorted.
func (l *loader) chunkerKeys() []string {
	keys := map[string]bool{"type": true}
	for i := range l.known.Chunkers {
		for _, o := range chunkerOptions(&l.known.Chunkers[i]) {
			keys[o.name] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// chunker computes the chunker options of a system. Sizes of the file's section are not carried over to another chunker
// than the one it names.
func (l *loader) chunker(own map[string]pair, lay layout, where string) ChunkerOptions {
	out := ChunkerOptions{Options: map[string]any{}}
	l.effective(own, "chunker.type", where, option{kind: text, def: lay.chunker}, true, &out.Type)
	v := find(l.known.Chunkers, out.Type)
	if v == nil {
		l.unknownChunker(own, lay.chunker, where)
		return out
	}
	inherit := true
	if g, ok := l.global["chunker.type"]; ok {
		inherit = g.value.Value == out.Type
	}
	l.unusedChunkerKeys(own, v, where)
	var size, overlap pair
	for _, o := range chunkerOptions(v) {
		path := "chunker." + o.name
		switch o.name {
		case "chunk_size":
			size.value = l.effective(own, path, where, o, inherit, &out.ChunkSize)
		case "chunk_overlap":
			overlap.value = l.effective(own, path, where, o, inherit, &out.ChunkOverlap)
		case "prefix_title":
			l.effective(own, path, where, o, true, &out.PrefixTitle)
		case "tokenizer":
			l.effective(own, path, where, o, true, &out.Tokenizer)
		default:
			var v any
			l.effective(own, path, where, o, inherit, &v)
			out.Options[o.name] = v
		}
	}
	if out.ChunkSize > 0 && out.ChunkOverlap >= out.ChunkSize {
		at := overlap.value
		if at == nil {
			at = size.value
		}
		label := "chunker"
		if own["chunker.chunk_size"].value != nil || own["chunker.chunk_overlap"].value != nil {
			label = join(where, label)
		}
		l.fail(at, "%s: chunk_overlap (%d) must be below chunk_size (%d) of the chunker %s", label, out.ChunkOverlap, out.ChunkSize, out.Type)
	}
	return out
}

// unknownChunker reports the chunker a system names for itself, or the lack of a default; globals reports the one the
// file names.
func (l *loader) unknownChunker(own map[string]pair, byDefault, where string) {
	if _, named := l.global["chunker.type"]; !named && own["chunker.type"].value == nil {
		l.fail(nil, "%s: there is no chunker %s, name one", where, byDefault)
	}
	if p, ok := own["chunker.type"]; ok && p.value.ShortTag() == "!!str" {
		l.fail(p.value, "%s: %v", join(where, "chunker.type"), spec.Unknown("chunker", p.value.Value, names(l.known.Chunkers)))
	}
}

// unusedChunkerKeys reports the keys of a system's section that its chunker does not take.
func (l *loader) unusedChunkerKeys(own map[string]pair, v *Variant, where string) {
	valid := []string{"type"}
	for _, o := range chunkerOptions(v) {
		valid = append(valid, o.name)
	}
	slices.Sort(valid)
	for path, p := range own {
		key, ok := strings.CutPrefix(path, "chunker.")
		switch {
		case !ok || slices.Contains(valid, key):
		case slices.Contains(l.chunkerKeys(), key):
			l.fail(p.name, "%s: the chunker %s does not use %s (it takes: %s)", join(where, "chunker"), v.Name, key, strings.Join(valid, ", "))
		default:
			l.unknownKey(p, join(where, "chunker"), valid)
		}
	}
}
