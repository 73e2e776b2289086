package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// sections are the mappings that a system may hold.
var sections = []string{"chunker", "retrieval", "models", "llm_features"}

// systems reads the list of systems. The sections of defaults have been read before.
func (l *loader) systems(where string, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		l.fail(n, "%s: want a list of systems, got %s", where, describe(n))
		return
	}
	lines := map[string]int{}
	for i, item := range n.Content {
		at := fmt.Sprintf("%s[%d]", where, i)
		before := len(l.problems)
		for _, variant := range l.variants(at, resolve(item)) {
			s := l.system(at, variant)
			if s != nil {
				s.Line = item.Line
				if first, ok := lines[s.Name]; ok {
					l.fail(item, "%s: a system named %q is on line %d already, give each its own name", where, s.Name, first)
				} else {
					lines[s.Name] = item.Line
					l.cfg.Systems = append(l.cfg.Systems, *s)
				}
			}
			if len(l.problems) > before {
				break // the other variants of a sweep have the same faults
			}
		}
	}
	if len(n.Content) == 0 {
		l.fail(n, "%s: want at least one system", where)
	}
}

// system reads one entry: a bare type, or a mapping with the system's type, name and own options. It is nil when the
// type or the name are not known.
func (l *loader) system(where string, n *yaml.Node) *System {
	s := &System{}
	var list []pair
	before := len(l.problems)
	at := n
	if n.Kind == yaml.ScalarNode && !isNull(n) {
		l.nameTo(&s.Type)(where, n)
	} else if !isNull(n) {
		list = l.pairs(n, where)
		for _, p := range list {
			switch {
			case isNull(p.value):
			case p.key == "type":
				at = p.value
				l.nameTo(&s.Type)(join(where, p.key), p.value)
			case p.key == "name":
				l.nameTo(&s.Name)(join(where, p.key), p.value)
			}
		}
	}
	if s.Type == "" {
		s.Type = s.Name
	}
	if s.Name == "" {
		s.Name = s.Type
	}
	if s.Type == "" && len(l.problems) == before {
		l.fail(n, "%s: want a system type, or a mapping with type and name", where)
	}
	if s.Type == "" {
		return nil
	}
	if named := len(l.problems) == before; named {
		where = "systems." + s.Name
	} else {
		s.Name = where // the name given is at fault, which is no reason to take the type's
	}
	v := find(l.known.Systems, s.Type)
	if v == nil {
		l.fail(at, "%s: %v", where, spec.Unknown("system type", s.Type, names(l.known.Systems)))
		return nil
	}
	l.fill(s, l.layout(v), l.own(list, l.layout(v), s.Type, where), where)
	return s
}

// layout is what type v takes, without the options that its chunker has anyway.
func (l *loader) layout(v *Variant) layout {
	lay := newLayout(v)
	if lay.chunks {
		for _, key := range l.chunkerKeys() {
			delete(lay.options, "chunker."+key)
		}
	}
	return lay
}

// own collects what a system says for itself by dotted path and reports what its type does not take.
func (l *loader) own(list []pair, lay layout, typ, where string) map[string]pair {
	own := map[string]pair{}
	add := func(path string, p pair) {
		if first, ok := own[path]; ok {
			l.fail(p.name, "%s: %s is given twice, first on line %d", where, path, first.name.Line)
		} else if !isNull(p.value) {
			own[path] = p
		}
	}
	for _, p := range list {
		_, bare := lay.options[p.key]
		path, flat := lay.flat(p.key)
		switch {
		case p.key == "type" || p.key == "name" || isNull(p.value): // a sweep has been taken out by variants
		case slices.Contains(sections, p.key):
			l.ownSection(p, lay, typ, where, add)
		case bare || p.key == "top_k" && lay.topK:
			add(p.key, p)
		case p.key == "final_top_k" && lay.topK:
			add("retrieval.final_top_k", p)
		case flat:
			add(path, p)
		case p.key == "top_k" || p.key == "tools":
			l.fail(p.name, "%s: the type %s does not use %s", where, typ, p.key)
		default:
			l.unknownKey(p, where, lay.topLevel())
		}
	}
	return own
}

// ownSection adds the keys of one section of a system.
func (l *loader) ownSection(p pair, lay layout, typ, where string, add func(string, pair)) {
	list := l.pairs(p.value, join(where, p.key))
	if !lay.has(p.key) {
		if len(list) > 0 {
			l.fail(p.name, "%s: the type %s does not use %s", where, typ, p.key)
		}
		return
	}
	valid := lay.keys(p.key)
	for _, q := range list {
		if chunker := p.key == "chunker" && lay.chunks; chunker || slices.Contains(valid, q.key) { // the chunker's keys are checked with it
			add(join(p.key, q.key), q)
		} else {
			l.unknownKey(q, join(where, p.key), valid)
		}
	}
}

// topLevel lists the keys that a system of this layout may hold, sorted.
func (l layout) topLevel() []string {
	keys := map[string]bool{"name": true, "type": true}
	for _, s := range sections {
		keys[s] = l.has(s)
	}
	keys["top_k"] = l.topK
	for path := range l.options {
		if section, key, ok := strings.Cut(path, "."); !ok {
			keys[path] = true
		} else if flat, ok := l.flat(key); ok && flat == path {
			keys[key], keys[section] = true, true
		}
	}
	maps.DeleteFunc(keys, func(_ string, takes bool) bool { return !takes })
	return slices.Sorted(maps.Keys(keys))
}
