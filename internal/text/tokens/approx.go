package tokens

import (
	"unicode"
	"unicode/utf8"
)

// Approx counts every run of at most five word characters (letters, digits, _) and every other character that is no
// space as one token.
type Approx struct{}

var _ Tokenizer = Approx{}

// approxRun is the greatest number of word characters in one token.
const approxRun = 5

// Name returns "approx", the name under which its counts are stored.
func (Approx) Name() string { return "approx" }

// Count returns the number of tokens of text.
func (Approx) Count(text string) int { return approxScan(text, nil) }

// Starts appends the byte offset of every token; whitespace belongs to none.
func (Approx) Starts(dst []int, text string) []int {
	approxScan(text, &dst)
	return dst
}

func approxScan(text string, starts *[]int) int {
	n, run := 0, 0
	for i, r := range text {
		word, space := approxClass(r)
		if space {
			run = 0
			continue
		}
		if word && run > 0 && run < approxRun {
			run++
			continue
		}
		run = 0
		if word {
			run = 1
		}
		n++
		if starts != nil {
			*starts = append(*starts, i)
		}
	}
	return n
}

func approxClass(r rune) (word, space bool) {
	if r < utf8.RuneSelf {
		c := byte(r)
		word = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
		return word, c == ' ' || '\t' <= c && c <= '\r'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r), unicode.IsSpace(r)
}
