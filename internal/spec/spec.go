// Package spec is one generic table of named variants: the same shape lists systems, chunkers, tokenizers and models,
// and feeds the list and doc commands, the generated pages and the messages about a misspelt name.
package spec

import (
	"fmt"
	"strings"
)

// Option documents one option of a variant.
type Option struct {
	Name    string // dotted path in the configuration, such as retrieval.rrf_k
	Default string // as written in YAML; empty when there is none
	Doc     string // one sentence
}

// Entry is one variant of a family.
type Entry[New any] struct {
	Name    string
	Title   string // a few words
	Doc     string // the idea, one paragraph
	Cite    string // paper or standard, empty when there is none
	Options []Option
	New     New
}

// Table lists a family in reading order.
type Table[New any] []Entry[New]

// Find returns the entry called name. The error of an unknown name lists the valid ones and the nearest.
func (t Table[New]) Find(family, name string) (*Entry[New], error) {
	for i := range t {
		if t[i].Name == name {
			return &t[i], nil
		}
	}
	return nil, Unknown(family, name, t.Names())
}

// Names returns the names in table order.
func (t Table[New]) Names() []string {
	names := make([]string, len(t))
	for i := range t {
		names[i] = t[i].Name
	}
	return names
}

// Unknown is the error for a name that is not among valid.
func Unknown(family, name string, valid []string) error {
	msg := fmt.Sprintf("unknown %s %q", family, name)
	if near := Nearest(name, valid); near != "" {
		msg += fmt.Sprintf(", did you mean %q?", near)
	}
	return fmt.Errorf("%s (valid: %s)", msg, strings.Join(valid, ", "))
}

// Nearest returns the valid name closest to name by edit distance, or "" when none is close enough to be a slip of
// the pen: at most a third of the longer name's length, and at most 3.
func Nearest(name string, valid []string) string {
	best, bestDist := "", 1<<30
	for _, v := range valid {
		d := distance(strings.ToLower(name), strings.ToLower(v))
		if limit := min(3, max(len(name), len(v))/3); d <= max(1, limit) && d < bestDist {
			best, bestDist = v, d
		}
	}
	return best
}

// distance is the edit distance in bytes, a swap of neighbours counting as one edit (optimal string alignment).
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
