package chunk

import (
	"sort"

	"ragbench/internal/text/tokens"
)

// ruler measures spans of one text in tokens of the whole text, so that sizes add up and no span is tokenised twice. A
// token belongs where it starts, not counting the space that it may begin with: cuts fall behind spaces.
type ruler struct {
	starts []int // byte offsets, ascending
	last   int   // index of the answer before, where the next search begins
}

func newRuler(t tokens.Tokenizer, s string) *ruler {
	starts := t.Starts(make([]int, 0, len(s)/4+1), s)
	for i, at := range starts {
		next := len(s)
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		if s[at] == ' ' && at+1 < next {
			starts[i]++
		}
	}
	return &ruler{starts: starts}
}

// index returns how many tokens start before off. Its time is logarithmic in the distance from the question before.
func (r *ruler) index(off int) int {
	lo, hi := r.last, r.last
	for step := 1; lo > 0 && r.starts[lo-1] >= off; step *= 2 {
		hi = lo - 1
		lo = max(0, lo-step)
	}
	for step := 1; hi < len(r.starts) && r.starts[hi] < off; step *= 2 {
		lo = hi + 1
		hi = min(len(r.starts), hi+step)
	}
	r.last = lo + sort.SearchInts(r.starts[lo:hi], off)
	return r.last
}

// count returns how many tokens start in [start, end).
func (r *ruler) count(start, end int) int {
	i := r.index(start)
	return r.index(end) - i
}
