package config

import (
	"fmt"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// textTo reads text into dst; with choices, one of these.
func (r *reader) textTo(dst *string, choices ...string) func(string, *yaml.Node) {
	return to(r, dst, option{kind: text, choices: choices})
}

// to reads what o allows into dst, whose type is that of o's kind.
func to[T any](r *reader, dst *T, o option) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		if v, ok := r.value(where, n, o); ok {
			*dst = v.(T)
		}
	}
}

// nameTo reads a name into dst: text on one line, with something to see in it.
func (r *reader) nameTo(dst *string) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		v, ok := r.value(where, n, option{kind: text})
		if !ok {
			return
		}
		name := v.(string)
		switch {
		case strings.TrimSpace(name) != name || name == "":
			r.fail(n, "%s: want a name without spaces around it, got %q", where, name)
		case strings.ContainsFunc(name, unicode.IsControl):
			r.fail(n, "%s: want a name without control characters, got %q", where, name)
		default:
			*dst = name
		}
	}
}

// listTo reads a list of what o allows into dst.
func listTo[T any](r *reader, dst *[]T, o option) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.fail(n, "%s: want a list, each item %s, got %s", where, o.wants(), describe(n))
			return
		}
		list := []T{}
		for i, item := range n.Content {
			if v, ok := r.value(fmt.Sprintf("%s[%d]", where, i), item, o); ok {
				list = append(list, v.(T))
			}
		}
		*dst = list
	}
}

// plain turns n into nil, bool, int, float64, string, []any and map[string]any, as JSON can hold them.
func (r *reader) plain(where string, n *yaml.Node) (any, bool) {
	budget := 10_000
	before := len(r.problems)
	v := r.plainAt(where, n, 0, &budget)
	if budget <= 0 {
		r.fail(n, "%s: the value is too large or nested too deeply", where)
	}
	return v, len(r.problems) == before
}

func (r *reader) plainAt(where string, n *yaml.Node, depth int, budget *int) any {
	n = resolve(n)
	if *budget--; depth > maxDepth {
		*budget = 0
	}
	if *budget <= 0 || isNull(n) {
		return nil
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for i, item := range n.Content {
			list = append(list, r.plainAt(fmt.Sprintf("%s[%d]", where, i), item, depth+1, budget))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for _, p := range r.pairs(n, where) {
			m[p.key] = r.plainAt(join(where, p.key), p.value, depth+1, budget)
		}
		return m
	}
	for _, k := range []kind{whole, number, boolean, text} {
		if v, ok := scalar(n, k); ok {
			return v
		}
	}
	r.fail(n, "%s: want text, a number, true or false, got %s", where, describe(n))
	return nil
}

// describe says what n is, for a message.
func describe(n *yaml.Node) string {
	n = resolve(n)
	switch {
	case isNull(n):
		return "nothing"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "keys with values"
	}
	value := n.Value
	if runes := []rune(value); len(runes) > 40 {
		value = string(runes[:37]) + "..."
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "the number " + value
	case "!!bool":
		return value
	case "!!str":
		return fmt.Sprintf("the text %q", value)
	}
	return fmt.Sprintf("%q of type %s", value, n.ShortTag())
}
