package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// withSetting returns the entries of a system with the setting of an axis at its dotted path. A section that the entry
// has keeps its other keys; a value the entry gives for the setting itself is replaced.
func withSetting(own []pair, a axis, v *yaml.Node) []pair {
	section, key, dotted := strings.Cut(a.path, ".")
	if !dotted {
		return setPair(own, pair{key: section, name: a.name, value: v})
	}
	inner := []pair{}
	at := a.name
	if i := slices.IndexFunc(own, func(p pair) bool { return p.key == section }); i >= 0 && !isNull(own[i].value) {
		if own[i].value.Kind != yaml.MappingNode {
			return own // at fault anyway, and reported when the entry is read
		}
		at = own[i].name
		inner = (&reader{}).pairs(own[i].value, section)
	}
	inner = setPair(inner, pair{key: key, name: a.name, value: v})
	return setPair(own, pair{key: section, name: at, value: mappingNode(at, inner)})
}

// setPair returns list with p in place of the pair of its key, or at the end.
func setPair(list []pair, p pair) []pair {
	list = slices.Clone(list)
	for i := range list {
		if list[i].key == p.key {
			list[i] = p
			return list
		}
	}
	return append(list, p)
}

// mappingNode makes a mapping of pairs that stands where at does.
func mappingNode(at *yaml.Node, list []pair) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
	for _, p := range list {
		name := *p.name
		name.Value = p.key
		n.Content = append(n.Content, &name, p.value)
	}
	return n
}

// textPair makes a pair of a text that stands where at does.
func textPair(at *yaml.Node, key, value string) pair {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.Line, Column: at.Column}
	name := *node
	name.Value = key
	return pair{key: key, name: &name, value: node}
}
