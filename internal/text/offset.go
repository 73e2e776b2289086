package text

import "unicode/utf8"

// RuneCount returns the number of code points in s: the unit of every stored offset.
func RuneCount(s string) int { return utf8.RuneCountInString(s) }

// ByteOffset returns the byte offset of code point n of s, or len(s) where s has no more than n.
func ByteOffset(s string, n int) int {
	if n <= 0 {
		return 0
	}
	return Advance(s, 0, n)
}

// Advance returns the byte offset n code points after byte offset i, or len(s) where s ends first.
func Advance(s string, i, n int) int {
	for n > 0 && i < len(s) {
		if s[i] < utf8.RuneSelf {
			i++
		} else {
			_, w := utf8.DecodeRuneInString(s[i:])
			i += w
		}
		n--
	}
	return i
}

// Slice returns the code points [start, end) of s, as SQLite's substr(s, start+1, end-start) does. Offsets past the end
// are cut to it; an empty or inverted range gives "".
func Slice(s string, start, end int) string {
	if end <= start {
		return ""
	}
	from := ByteOffset(s, start)
	return s[from:Advance(s, from, end-max(start, 0))]
}
