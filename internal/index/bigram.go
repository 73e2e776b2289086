package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unspaced holds the scripts that are cut into bigrams: those written without spaces between words, and Hangul, whose words
// carry their particles with them. Lucene's CJKBigramFilter takes the same four East Asian scripts.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

const (
	firstUnspaced = 0x0e00 // nothing below is cut, which is most text
	firstByte     = 0xe0   // what its UTF-8, and that of all above, begins with or goes beyond
	soundMark     = 0x30fc // the long vowels of Katakana belong to no script
	halfSoundMark = 0xff70
)

// isUnspaced reports whether r is a letter or number of one of these scripts. Conjoining Hangul letters are not: they spell
// syllables, and unicode61 keeps a word of them together.
func isUnspaced(r rune) bool {
	switch {
	case r < firstUnspaced, r >= 0x1100 && r <= 0x11ff:
		return false
	case r == soundMark, r == halfSoundMark:
		return true
	}
	return unicode.In(r, unspaced...) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// bigrams returns text with every run of an unspaced script turned into its overlapping pairs, separated by spaces from each
// other and from what stands beside them; a run of one character stays as it is. The rest of the text keeps its bytes. A
// text without such runs is returned as it is, with false.
//
// Marks within a run (the vowels of Thai, joined signs of Khmer and Myanmar, variation selectors) are left out: unicode61
// takes them for separators, and would cut the pairs at them. Marks that compose, such as those of decomposed Kana, are
// composed first.
func bigrams(text string) (string, bool) {
	first := firstHigh(text)
	if first < len(text) {
		if next := strings.IndexFunc(text[first:], isUnspaced); next < 0 {
			first = len(text)
		}
	}
	if first == len(text) {
		return text, false
	}
	var out strings.Builder
	out.Grow(len(text) + 2*(len(text)-first))
	for at := 0; at < len(text); {
		next := strings.IndexFunc(text[at:], isUnspaced)
		if next < 0 {
			out.WriteString(text[at:])
			break
		}
		out.WriteString(text[at : at+next])
		at += next
		end := at + runLength(text[at:])
		if at > 0 {
			out.WriteByte(' ')
		}
		writePairs(&out, letters(text[at:end]))
		if end < len(text) {
			out.WriteByte(' ')
		}
		at = end
	}
	return out.String(), true
}

// firstHigh returns where the first character of three bytes or more may begin, or len(s).
func firstHigh(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= firstByte {
			return i
		}
	}
	return len(s)
}

// runLength returns the length in bytes of the run of unspaced letters and their marks that s starts with.
func runLength(s string) int {
	for i, r := range s {
		if !isUnspaced(r) && !isMark(r) {
			return i
		}
	}
	return len(s)
}

func isMark(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsMark(r)
}

// letters returns the run composed and without marks.
func letters(run string) []rune {
	if strings.IndexFunc(run, isMark) >= 0 {
		run = norm.NFC.String(run)
	}
	var kept []rune
	for _, r := range run {
		if !isMark(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

func writePairs(out *strings.Builder, run []rune) {
	if len(run) == 1 {
		out.WriteRune(run[0])
	}
	for i := 0; i+1 < len(run); i++ {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(run[i])
		out.WriteRune(run[i+1])
	}
}
