package tokens

import "unicode/utf8"

// pieceEnd returns the end of the piece of s that starts at i < len(s). Pieces tile the text and tokens never cross
// them. The rule is that of o200k_base's pattern, whose alternatives are tried in this order:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func pieceEnd(s string, i int) int {
	r, w := utf8.DecodeRuneInString(s[i:])
	c := classOf(r)
	if c&(letter|number|newline) == 0 { // may lead a word
		// A mark is also a small letter, so it prefers to be one over leading capitals alone.
		if end, small := wordEnd(s, i+w); end > 0 && (small || c&lower == 0) {
			return contraction(s, end)
		}
	}
	if c&(upper|lower) != 0 {
		end, _ := wordEnd(s, i)
		return contraction(s, end)
	}
	switch {
	case c&number != 0:
		return numberEnd(s, i)
	case c&space == 0:
		return symbolsEnd(s, i)
	case r == ' ' && i+1 < len(s) && isSymbol(s[i+1:]):
		return symbolsEnd(s, i+1)
	}
	return spaceEnd(s, i)
}

// wordEnd matches the letters of the first two alternatives at i and returns their end, or 0 where there are none, and
// whether it was the first. There the capitals' run gives characters back until the small letters' run has at least
// one: hence the word ends after the last character that can be a small letter.
func wordEnd(s string, i int) (end int, small bool) {
	j, lastLower := i, 0
	for j < len(s) {
		r, w := decode(s, j)
		c := classOf(r)
		if c&upper == 0 {
			if c&lower != 0 {
				return lowerEnd(s, j), true
			}
			break
		}
		j += w
		if c&lower != 0 {
			lastLower = j
		}
	}
	if lastLower > 0 {
		return lastLower, true
	}
	if j > i {
		return j, false
	}
	return 0, false
}

func lowerEnd(s string, j int) int {
	for j < len(s) {
		r, w := decode(s, j)
		if classOf(r)&lower == 0 {
			break
		}
		j += w
	}
	return j
}

// contraction extends a word that ends at i by an English contraction. Case does not count, and by Unicode's simple
// case folding the long s (U+017F) is an s.
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(s) && s[i+2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(s) && s[i+2]|0x20 == 'l' {
			return i + 3
		}
	}
	if len(s) >= i+3 && s[i+1:i+3] == "\u017f" {
		return i + 3
	}
	return i
}

func numberEnd(s string, i int) int {
	for range 3 {
		if i >= len(s) {
			break
		}
		r, w := decode(s, i)
		if classOf(r)&number == 0 {
			break
		}
		i += w
	}
	return i
}

func isSymbol(s string) bool {
	r, _ := decode(s, 0)
	return classOf(r)&(space|letter|number) == 0
}

// symbolsEnd matches symbols, then line ends and slashes.
func symbolsEnd(s string, i int) int {
	for i < len(s) {
		r, w := decode(s, i)
		if classOf(r)&(space|letter|number) != 0 {
			break
		}
		i += w
	}
	for i < len(s) && (s[i] == '\r' || s[i] == '\n' || s[i] == '/') {
		i++
	}
	return i
}

// spaceEnd matches whitespace: through the last line end of the run where it has one; else all of it at the end of the
// text; else all but its last character, which leads the next piece.
func spaceEnd(s string, i int) int {
	j, lineEnd, last := i, 0, i
	for j < len(s) {
		r, w := decode(s, j)
		c := classOf(r)
		if c&space == 0 {
			break
		}
		last = j
		j += w
		if c&newline != 0 {
			lineEnd = j
		}
	}
	switch {
	case lineEnd > 0:
		return lineEnd
	case j == len(s) || last == i:
		return j
	}
	return last
}

// decode is utf8.DecodeRuneInString(s[i:]) with a short cut for ASCII.
func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}
