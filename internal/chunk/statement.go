package chunk

import (
	"slices"
	"strings"

	"ragbench/internal/text"
)

// statement is a sentence as chunklets are made of: at least 4 code points where the text has them, at most a hard limit.
type statement struct {
	start, end int // bytes
	size       int // code points
	words      int
}

// shortest is the least number of code points of a sentence (RAGLite, min_len).
const shortest = 4

// statements splits s at the ends of its sentences and around headings, never inside one (RAGLite, _split_sentences, with
// rules in place of the SaT model). They tile s.
func statements(s string, headings []heading, limit int) []statement {
	var out []statement
	at := 0
	for _, end := range sentenceEnds(s, headings) {
		for at < end {
			cut := end
			if !atMost(s[at:end], limit) {
				cut = hardCut(s, at, end, limit)
			}
			out = append(out, statement{start: at, end: cut, size: text.RuneCount(s[at:cut]), words: len(strings.Fields(s[at:cut]))})
			at = cut
		}
	}
	return out
}

// sentenceEnds returns the ends of sentences in ascending order, the last len(s).
func sentenceEnds(s string, headings []heading) []int {
	type boundary struct {
		at    int
		fixed bool // of a heading
	}
	var all []boundary
	h := 0
	for _, span := range text.Sentences(s) {
		for h < len(headings) && headings[h].end < span[1] {
			h++
		}
		if h < len(headings) && headings[h].start < span[1] && span[1] < headings[h].end {
			continue
		}
		all = append(all, boundary{at: span[1]})
	}
	for _, h := range headings {
		end, _ := text.SpaceRun(s, h.end)
		all = append(all, boundary{h.start, true}, boundary{end, true})
	}
	slices.SortStableFunc(all, func(a, b boundary) int { return a.at - b.at })
	var ends []int
	var fixed []bool
	before := func() int {
		if len(ends) == 0 {
			return 0
		}
		return ends[len(ends)-1]
	}
	for _, b := range all {
		if b.at <= before() || b.at >= len(s) || atMost(s[b.at:], shortest-1) {
			continue
		}
		if atMost(s[before():b.at], shortest-1) {
			// Too near the boundary before: a heading's goes before a sentence's.
			last := len(ends) - 1
			if !b.fixed || last < 0 || fixed[last] {
				continue
			}
			ends, fixed = ends[:last], fixed[:last]
		}
		ends, fixed = append(ends, b.at), append(fixed, b.fixed)
	}
	return append(ends, len(s))
}

// atMost reports whether s has at most n code points, reading no more than it must.
func atMost(s string, n int) bool { return text.Advance(s, 0, n) == len(s) }

// hardCut returns where s[start:end], which has more than limit code points, is cut: behind the last whitespace in the
// second half of the limit, else at the last grapheme boundary within it, else behind the first cluster.
func hardCut(s string, start, end, limit int) int {
	most := text.Advance(s, start, limit)
	half := text.Advance(s, start, (limit+1)/2)
	if i := strings.LastIndexAny(s[half:most], " \t\n\r"); i >= 0 {
		return half + i + 1
	}
	if cut := start + text.FloorBoundary(s[start:end], most-start); cut > start {
		return cut
	}
	b := text.NewBoundaries(s[start:end])
	return start + b.At(1)
}
