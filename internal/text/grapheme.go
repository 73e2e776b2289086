package text

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Boundaries moves byte offsets of one text forward to grapheme cluster boundaries (Unicode Annex 29), so that no cut
// falls inside an emoji sequence, a letter with combining marks or a CR LF pair. Offsets must be asked for in ascending
// order; the whole text is then read at most once, and most scripts hardly at all. The zero value is not usable.
type Boundaries struct {
	s   string
	pos int // a boundary; no boundary asked for later lies before it
}

// NewBoundaries returns a Boundaries for s.
func NewBoundaries(s string) *Boundaries { return &Boundaries{s: s} }

// At returns the first boundary at or after off. An offset outside the text is cut to its end.
func (b *Boundaries) At(off int) int {
	if off <= b.pos {
		return b.pos
	}
	if off >= len(b.s) {
		b.pos = len(b.s)
		return b.pos
	}
	b.pos = lastPlain(b.s, b.pos, off)
	for b.pos < off {
		b.pos += clusterLen(b.s[b.pos:])
	}
	return b.pos
}

// lastPlain returns the greatest offset in (lo, off] that lies between two plain characters other than CR LF, which is
// always a boundary, or lo where there is none.
func lastPlain(s string, lo, off int) int {
	p := off
	for p > lo && !utf8.RuneStart(s[p]) {
		p--
	}
	for right, _ := decode(s, p); p > lo; {
		left, w := decodeLast(s, p)
		if plain(left) && plain(right) && (left != '\r' || right != '\n') {
			return p
		}
		p, right = p-w, left
	}
	return lo
}

// plain reports whether r is sure to neither join what is before it nor hold what is after it: the characters of class
// Other (Unicode Annex 29, rule GB999) in the blocks that hold most text, and ASCII.
func plain(r rune) bool {
	switch {
	case r < 0x80:
		return true
	case r < 0x3000:
		return 0xC0 <= r && r < 0x300 || 0x370 <= r && r < 0x483 || 0x48A <= r && r < 0x530
	case r < 0x4E00:
		return 0x3000 <= r && r < 0x302A || 0x3041 <= r && r < 0x3097 || 0x30A1 <= r && r < 0x30FB
	}
	return r < 0xA000 || 0xFF01 <= r && r < 0xFF61
}

// decode and decodeLast read the character after and before offset i of s, with a short cut for ASCII.
func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func decodeLast(s string, i int) (rune, int) {
	if c := s[i-1]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeLastRuneInString(s[:i])
}

// clusterLen returns the length in bytes of the first grapheme cluster of s, which is not empty.
func clusterLen(s string) int {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(c)
}

// FloorBoundary returns the last grapheme cluster boundary of s at or before byte offset off.
func FloorBoundary(s string, off int) int {
	if off <= 0 {
		return 0
	}
	if off >= len(s) {
		return len(s)
	}
	p := lastPlain(s, 0, off)
	for p < off {
		n := clusterLen(s[p:])
		if p+n > off {
			return p
		}
		p += n
	}
	return p
}

// TrimSpan shrinks the byte span [start, end) of s by its outer whitespace, without splitting a grapheme cluster: a
// space that carries a combining mark stays. A span of whitespace alone becomes empty.
func TrimSpan(s string, start, end int) (int, int) {
	for start < end {
		r, w := utf8.DecodeRuneInString(s[start:end])
		if !isSpace(r) || carriesMark(s[start:end], w) {
			break
		}
		start += w
	}
	for end > start {
		r, w := utf8.DecodeLastRuneInString(s[start:end])
		if !isSpace(r) || bindsNext(s[start:end-w], r) {
			break
		}
		end -= w
	}
	return start, end
}

// carriesMark reports whether the first w bytes of s, one whitespace character, are joined to what follows. CR LF is
// whitespace throughout and counts as not joined.
func carriesMark(s string, w int) bool {
	if w >= len(s) || s[w] < utf8.RuneSelf {
		return false
	}
	return clusterLen(s) > w
}

// bindsNext reports whether the last character of s takes the space after it into its own cluster, as the prepended
// number signs of Arabic do.
func bindsNext(s string, space rune) bool {
	if s == "" || s[len(s)-1] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	pair := string(r) + string(space)
	return clusterLen(pair) == len(pair)
}
