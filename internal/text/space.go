package text

import (
	"strings"
	"unicode"
)

// Normalise collapses every run of whitespace in s to one space and trims both ends.
func Normalise(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// Blank reports whether s is empty or holds nothing but whitespace.
func Blank(s string) bool {
	for _, r := range s {
		if !isSpace(r) {
			return false
		}
	}
	return true
}

// Truncate normalises s and cuts it to at most n code points: a longer text keeps its first n-3, less trailing space
// and less a grapheme cluster that would be split, and ends in "...". For n below 3 nothing but dots remain.
func Truncate(s string, n int) string {
	s = Normalise(s)
	if len(s) <= n || RuneCount(s) <= n {
		return s
	}
	if n <= 3 {
		return "..."[:max(0, n)]
	}
	keep := ByteOffset(s, n-3)
	return strings.TrimRightFunc(s[:FloorBoundary(s, keep)], unicode.IsSpace) + "..."
}

// isSpace is unicode.IsSpace with a short cut for ASCII.
func isSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r)
}
