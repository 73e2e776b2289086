package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// kind is what type of value an option takes.
type kind int

const (
	anything kind = iota // any YAML, lists and mappings included
	whole                // int
	number               // float64, finite
	boolean              // bool
	text                 // string
)

// option says which values a key takes. Of the bounds lo and hi, infinite ones do not count.
type option struct {
	name    string // key within its section
	kind    kind
	lo, hi  float64
	above   bool     // lo itself is not allowed
	choices []string // the only texts allowed; none means any
	def     string   // default as written in YAML; empty when there is none
}

var inf = math.Inf(1)

// wholeFrom is an option that takes whole numbers from lo.
func wholeFrom(lo int) option { return option{kind: whole, lo: float64(lo), hi: inf} }

// numberIn is an option that takes numbers from lo to hi.
func numberIn(lo, hi float64) option { return option{kind: number, lo: lo, hi: hi} }

// oneOf is an option that takes one of a few texts.
func oneOf(choices ...string) option { return option{kind: text, choices: choices} }

// fromSpec makes an option of a documented one. The type of its default decides what it takes, so a default for numbers
// that need not be whole is written with a decimal point; an option without a default takes anything.
func fromSpec(name string, o spec.Option) option {
	out := option{name: name, def: o.Default, lo: -inf, hi: inf}
	n := defaultNode(o.Default)
	if isNull(n) || n.Kind != yaml.ScalarNode {
		return out
	}
	switch n.ShortTag() {
	case "!!int":
		out.kind = whole
	case "!!float":
		out.kind = number
	case "!!bool":
		out.kind = boolean
	case "!!str":
		out.kind = text
	}
	return out
}

// defaultNode parses a default, nil when there is none.
func defaultNode(def string) *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(def), &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	n := doc.Content[0]
	n.Line, n.Column = 0, 0 // it is in no file
	return n
}

// value reads n as o says: an int, a float64, a bool, a string, or for anything what plain returns. It is false, and a
// problem, when n is something else or out of range.
func (r *reader) value(where string, n *yaml.Node, o option) (any, bool) {
	n = resolve(n)
	if o.kind == anything {
		return r.plain(where, n)
	}
	v, ok := scalar(n, o.kind)
	if !ok {
		hint := ""
		if o.kind == text && n.Kind == yaml.ScalarNode {
			hint = " (text that looks like something else goes in quotes)"
		}
		r.fail(n, "%s: want %s, got %s%s", where, o.wants(), describe(n), hint)
		return nil, false
	}
	switch x := v.(type) {
	case int:
		ok = o.allows(float64(x))
	case float64:
		ok = o.allows(x)
	case string:
		if o.choices != nil && !slices.Contains(o.choices, x) {
			r.fail(n, "%s: %v", where, spec.Unknown("value", x, o.choices))
			return nil, false
		}
	}
	if !ok {
		r.fail(n, "%s: want %s, got %s", where, o.wants(), n.Value)
	}
	return v, ok
}

// scalar returns the value of n when n is of kind k. Whole numbers are numbers too.
func scalar(n *yaml.Node, k kind) (any, bool) {
	if n.Kind != yaml.ScalarNode {
		return nil, false
	}
	tag := n.ShortTag()
	switch {
	case k == whole && tag == "!!int":
		var v int
		return into(n, &v)
	case k == number && (tag == "!!int" || tag == "!!float"):
		var v float64
		got, ok := into(n, &v)
		return got, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
	case k == boolean && tag == "!!bool":
		var v bool
		return into(n, &v)
	case k == text && tag == "!!str":
		return n.Value, true
	}
	return nil, false
}

// into decodes n into v.
func into[T any](n *yaml.Node, v *T) (any, bool) {
	err := n.Decode(v)
	return *v, err == nil
}

// allows says whether v is within the bounds.
func (o option) allows(v float64) bool {
	if o.above {
		return v > o.lo && v <= o.hi
	}
	return v >= o.lo && v <= o.hi
}

// wants describes the values o takes.
func (o option) wants() string {
	s := map[kind]string{whole: "a whole number", number: "a number", boolean: "true or false", text: "text"}[o.kind]
	if o.kind != whole && o.kind != number {
		return s
	}
	lo, hi := !math.IsInf(o.lo, 0), !math.IsInf(o.hi, 0)
	switch {
	case lo && hi:
		return fmt.Sprintf("%s from %s to %s", s, short(o.lo), short(o.hi))
	case lo && o.above:
		return fmt.Sprintf("%s above %s", s, short(o.lo))
	case lo:
		return fmt.Sprintf("%s of at least %s", s, short(o.lo))
	}
	return s
}

// short writes v with as few digits as identify it.
func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
