package config

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// globals reads a section of defaults for all systems, chunker or retrieval, checks it, and keeps it for the systems.
func (l *loader) globals(section string, n *yaml.Node) {
	options := map[string]option{}
	valid := l.globalOptions(section, options)
	for _, p := range l.pairs(n, section) {
		path := join(section, p.key)
		if !slices.Contains(valid, p.key) {
			l.unknownKey(p, section, valid)
			continue
		}
		if isNull(p.value) {
			continue
		}
		l.value(path, p.value, options[p.key])
		l.global[path] = p
	}
	if section == "chunker" {
		l.globalChunker()
	}
}

// globalOptions fills options with what the keys of a section take, and lists the keys.
func (l *loader) globalOptions(section string, options map[string]option) []string {
	if section == "chunker" {
		options["type"] = option{kind: text}
		for i := range l.known.Chunkers {
			for _, o := range chunkerOptions(&l.known.Chunkers[i]) {
				options[o.name] = o
			}
		}
		return slices.Sorted(maps.Keys(options))
	}
	for i := range l.known.Systems {
		for path, o := range newLayout(&l.known.Systems[i]).options {
			if key, ok := strings.CutPrefix(path, section+"."); ok {
				options[key] = fromSpec(key, o)
			}
		}
	}
	for _, key := range []string{"final_top_k", "top_k"} {
		options[key] = wholeFrom(1)
	}
	for _, o := range retrievalOptions() {
		options[o.name] = o.option
	}
	return slices.Sorted(maps.Keys(options))
}

// globalChunker checks the chunker section as a whole: when it names a chunker, every key must be one of that chunker.
func (l *loader) globalChunker() {
	t, ok := l.global["chunker.type"]
	if !ok || t.value.ShortTag() != "!!str" {
		return
	}
	v := find(l.known.Chunkers, t.value.Value)
	if v == nil {
		l.fail(t.value, "chunker.type: %v", spec.Unknown("chunker", t.value.Value, names(l.known.Chunkers)))
		return
	}
	section := map[string]pair{}
	for path, p := range l.global {
		if inSection(path, "chunker") {
			section[path] = p
		}
	}
	l.unusedChunkerKeys(section, v, "")
}

// unusedGlobals lists the defaults that no system of the file takes.
func (l *loader) unusedGlobals() {
	for path, p := range l.global {
		if !l.used[path] && !inSection(path, "models") {
			l.ignore(p.name, path, "no system of the file uses it")
		}
	}
}
