package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// maxVariants bounds the systems that one sweep makes.
const maxVariants = 100

// axis is one swept setting with its values.
type axis struct {
	path   string // dotted, such as retrieval.rrf_k
	label  string // what names say: the last part of path, all of it where two axes share that
	name   *yaml.Node
	values []*yaml.Node
}

// variants returns the systems that an entry stands for: itself, or one a combination of the values of its sweep, the
// first axis varying slowest. A variant is called base[label=value,...] and is the entry as if its settings had been
// written out. A sweep at fault gives none.
func (l *loader) variants(where string, item *yaml.Node) (nodes []*yaml.Node) {
	if item.Kind != yaml.MappingNode {
		return []*yaml.Node{item}
	}
	quiet := &reader{} // problems of the entry itself are found when it is read
	var name, typ string
	var rest []pair
	var sweep *pair
	for _, p := range quiet.pairs(item, where) {
		switch p.key {
		case "sweep":
			sweep = &p
			continue
		case "name":
			name = p.value.Value
			continue
		case "type":
			typ = p.value.Value
		}
		rest = append(rest, p)
	}
	if sweep == nil || isNull(sweep.value) {
		return []*yaml.Node{item}
	}
	base := cmp.Or(name, typ)
	if base == "" {
		return []*yaml.Node{mappingNode(item, rest)} // at fault, and reported when it is read
	}
	if typ == "" {
		rest = append(rest, textPair(sweep.name, "type", name)) // a name alone is the type, as without a sweep
	}
	axes := l.axes(join(where, "sweep"), *sweep)
	for _, c := range combinations(axes) {
		settings := make([]string, len(c))
		own := rest
		for i, v := range c {
			settings[i] = axes[i].label + "=" + valueLabel(v)
			own = withSetting(own, axes[i], v)
		}
		label := base + "[" + strings.Join(settings, ",") + "]"
		nodes = append(nodes, mappingNode(item, setPair(own, textPair(sweep.name, "name", label))))
	}
	return nodes
}

// axes reads a sweep. It returns none, and problems, for one that is at fault.
func (l *loader) axes(where string, sweep pair) []axis {
	before := len(l.problems)
	var list []axis
	count := 1
	for _, p := range l.pairs(sweep.value, where) {
		at := join(where, p.key)
		switch {
		case !isAxis(p.key):
			l.fail(p.name, "%s: a sweep varies chunker.*, retrieval.*, llm_features.*, tools, models.generator or models.embedding%s", at, nearAxis(p.key))
			continue
		case p.value.Kind != yaml.SequenceNode || len(p.value.Content) == 0:
			l.fail(p.value, "%s: want a list of at least one value, got %s", at, describe(p.value))
			continue
		}
		a := axis{path: p.key, label: p.key[strings.LastIndexByte(p.key, '.')+1:], name: p.name}
		for _, v := range p.value.Content {
			a.values = append(a.values, resolve(v))
		}
		list = append(list, a)
		count = min(count*len(a.values), maxVariants+1)
	}
	switch {
	case len(l.problems) > before:
		return nil
	case len(list) == 0:
		l.fail(sweep.name, "%s: want at least one setting with a list of values", where)
		return nil
	case count > maxVariants:
		l.fail(sweep.name, "%s: more than %d variants", where, maxVariants)
		return nil
	}
	for i := range list {
		if slices.ContainsFunc(list, func(a axis) bool { return a.path != list[i].path && strings.HasSuffix("."+a.path, "."+list[i].label) }) {
			list[i].label = list[i].path
		}
	}
	return list
}

// isAxis says whether a sweep may vary the setting at path.
func isAxis(path string) bool {
	section, key, dotted := strings.Cut(path, ".")
	switch section {
	case "chunker", "retrieval", "llm_features":
		return dotted && key != ""
	case "models":
		return key == "generator" || key == "embedding"
	}
	return path == "tools"
}

// nearAxis hints at the section that a bare key may belong to.
func nearAxis(key string) string {
	for _, o := range retrievalOptions() {
		if o.name == key {
			return fmt.Sprintf(", did you mean %q?", "retrieval."+key)
		}
	}
	if near := spec.Nearest(key, []string{"models.generator", "models.embedding", "tools"}); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}

// combinations returns one value an axis in every combination, the last axis varying fastest; none for no axis.
func combinations(axes []axis) [][]*yaml.Node {
	if len(axes) == 0 {
		return nil
	}
	list := [][]*yaml.Node{nil}
	for _, a := range axes {
		var next [][]*yaml.Node
		for _, c := range list {
			for _, v := range a.values {
				next = append(next, append(slices.Clone(c), v))
			}
		}
		list = next
	}
	return list
}

// valueLabel writes a value for a name: lists joined by +, none for an empty list, mappings as JSON.
func valueLabel(n *yaml.Node) string {
	var r reader
	v, _ := r.plain("", n)
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []any:
		if len(x) == 0 {
			return "none"
		}
		parts := make([]string, len(x))
		for i, item := range resolve(n).Content {
			parts[i] = valueLabel(item)
		}
		return strings.Join(parts, "+")
	case map[string]any:
		b, err := json.Marshal(x)
		if err != nil {
			return "?" // unreachable: plain returns what JSON can hold
		}
		return string(b)
	}
	return fmt.Sprint(v)
}
