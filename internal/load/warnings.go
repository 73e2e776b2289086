package load

import (
	"fmt"

	"ragbench/internal/rag"
)

// mostOfAKind is how many warnings of one code are kept in full; the others are counted.
const mostOfAKind = 20

// warnings collects warnings in order.
type warnings struct {
	list  []rag.Warning
	count map[string]int
	codes []string
}

func (w *warnings) add(x rag.Warning) {
	if w.count == nil {
		w.count = map[string]int{}
	}
	if w.count[x.Code] == 0 {
		w.codes = append(w.codes, x.Code)
	}
	w.count[x.Code]++
	if w.count[x.Code] <= mostOfAKind {
		w.list = append(w.list, x)
	}
}

// all returns the warnings and, for every code that has more, one with their number.
func (w *warnings) all() []rag.Warning {
	out := w.list
	for _, code := range w.codes {
		if more := w.count[code] - mostOfAKind; more > 0 {
			out = append(out, rag.Warning{Code: code, Message: fmt.Sprintf("and %d more", more)})
		}
	}
	return out
}
