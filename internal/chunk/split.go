package chunk

import "ragbench/internal/text"

// piece is a part of a text that packing does not cut.
type piece struct {
	start, end int
	tokens     int
	atom       bool // not to be cut for an overlap either
}

// splitter breaks regions of a text into pieces of at most size tokens.
type splitter struct {
	text string
	size int
	*ruler
}

// separator returns the end of the first separator in s[from:end], or end where there is none.
type separator func(s string, from, end int) int

// separators go from the widest break to the narrowest.
var separators = []separator{blankLine, lineEnd, sentenceStop, spaces}

// split emits the pieces of [start, end): the whole where it fits; else what lies between the first separators that
// break it, each split by the later ones where it is too long. A separator stays with the piece before it. What no
// separator breaks becomes windows of size tokens.
func (x *splitter) split(start, end int, by []separator, emit func(piece)) {
	if n := x.count(start, end); n <= x.size {
		emit(piece{start: start, end: end, tokens: n})
		return
	}
	if len(by) == 0 {
		x.windows(start, end, emit)
		return
	}
	x.splitAt(start, end, by, emit)
}

// splitAt is split for a region that is to be broken at the first separators whether it fits or not.
func (x *splitter) splitAt(start, end int, by []separator, emit func(piece)) {
	for start < end {
		cut := by[0](x.text, start, end)
		x.split(start, cut, by[1:], emit)
		start = cut
	}
}

// windows emits windows of size tokens, the last shorter.
func (x *splitter) windows(start, end int, emit func(piece)) {
	i, last := x.index(start), x.index(end)
	for ; last-i > x.size; i += x.size {
		cut := x.starts[i+x.size]
		emit(piece{start: start, end: cut, tokens: x.size})
		start = cut
	}
	emit(piece{start: start, end: end, tokens: last - i})
}

// blankLine ends after the whitespace that holds a blank line.
func blankLine(s string, from, end int) int {
	for i := from; i < end; {
		if s[i] != '\n' && s[i] != '\r' {
			i++
			continue
		}
		after, blank := text.SpaceRun(s[:end], i)
		if blank {
			return after
		}
		i = after
	}
	return end
}

// lineEnd ends after LF, CR LF or CR.
func lineEnd(s string, from, end int) int {
	for i := from; i < end; i++ {
		if s[i] == '\n' || s[i] == '\r' && (i+1 == end || s[i+1] != '\n') {
			return i + 1
		}
	}
	return end
}

// sentenceStop ends after a full stop and a space, or after the full stop, exclamation or question mark of Chinese and
// Japanese, which no space follows.
func sentenceStop(s string, from, end int) int {
	for i := from; i < end; i++ {
		switch {
		case s[i] == '.' && i+1 < end && s[i+1] == ' ':
			return i + 2
		case s[i] >= 0xE3 && i+3 <= end:
			if c := s[i : i+3]; c == "。" || c == "！" || c == "？" {
				return i + 3
			}
		}
	}
	return end
}

// spaces ends after a run of spaces and tabs.
func spaces(s string, from, end int) int {
	for i := from; i < end; i++ {
		if s[i] != ' ' && s[i] != '\t' {
			continue
		}
		for i++; i < end && (s[i] == ' ' || s[i] == '\t'); i++ {
		}
		return i
	}
	return end
}
