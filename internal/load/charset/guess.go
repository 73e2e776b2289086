package charset

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// guessSize is how many bytes from the start decide on a code page.
const guessSize = 64 << 10

// fair is the score that a guess needs: text in the right page has .5 and more, noise about .2.
const fair = 0.4

// ahead is how much better than windows-1252 another page must be, beside one over the number of bytes outside ASCII: a
// few of them prove nothing.
const ahead = 0.02

// weights gives, for each page, what its letters count: 1 for the commonest, falling to .1, or to .5 where the list is
// short, or but the top of thousands.
var weights = sync.OnceValue(func() []map[rune]float64 {
	out := make([]map[rune]float64, len(pages))
	for i, p := range pages {
		letters := []rune(p.common)
		out[i] = make(map[rune]float64, len(letters))
		fall := 0.9
		if len(letters) < 12 || len(letters) > 100 {
			fall = 0.5
		}
		for j, r := range letters {
			if _, twice := out[i][r]; !twice {
				out[i][r] = 1 - fall*float64(j)/float64(len(letters))
			}
		}
	}
	return out
})

// guessPage finds the code page that makes the likeliest text of b, which is not UTF-8: windows-1252 where none makes
// text that looks like any language.
func guessPage(b []byte) *page {
	b = b[:min(len(b), guessSize)]
	high := 0
	for _, c := range b {
		if c >= 0x80 {
			high++
		}
	}
	best, need := 0, max(score(0, b)+ahead+1/float64(max(high, 1)), fair)
	for i := 1; i < len(pages); i++ {
		if s := score(i, b); s > need {
			best, need = i, s+1e-9
		}
	}
	return &pages[best]
}

// score is the mean, over the characters outside ASCII that b gives in a page, of how likely they are there: the weight
// of a common letter, less for other letters of the script, little for punctuation, negative for what text does not
// hold.
func score(i int, b []byte) float64 {
	p := &pages[i]
	out, err := p.enc.NewDecoder().Bytes(b)
	if err != nil {
		return -1
	}
	common := weights()[i]
	script := unicode.Scripts[p.script]
	sum, n := 0.0, 0
	before := ' '
	for len(out) > 0 {
		r, w := utf8.DecodeRune(out)
		out = out[w:]
		if r >= 0x80 {
			if len(out) == 0 && r == utf8.RuneError {
				break // the sample ends within a character
			}
			sum += likelihood(r, before, common, script)
			n++
		} else if unicode.IsLower(before) && before >= 0x80 && r >= 'A' && r <= 'Z' {
			sum--
		}
		before = r
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

func likelihood(r, before rune, common map[rune]float64, script *unicode.RangeTable) float64 {
	lower := unicode.ToLower(r)
	weight, ok := common[lower]
	if !ok {
		weight, ok = common[r]
	}
	switch {
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Co, r):
		return -2
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return -1 // a capital within a word: letters of the wrong page
	case unicode.IsLetter(r) && r < 0x2e80 && unicode.IsLetter(before) && otherScript(before, script):
		return -1 // two scripts in one word
	case ok && unicode.IsUpper(r) && !unicode.IsUpper(before):
		return weight * 0.8
	case ok:
		return weight
	case strings.ContainsRune("’‘“”–—…«»•€£°§©®„‚·²³½¿¡ªº\u00a0\u200e\u200f\u200c،؛؟、。，「」『』（）：；！？ー", r):
		return 0.4
	case r >= 0xff61 && r <= 0xff9f: // half-width katakana: seldom text, often another encoding
		return -0.5
	case unicode.Is(script, r) && (r < 0x2e80 || unicode.Is(unicode.Hangul, r)):
		return 0.1
	case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r):
		return 0.15
	case unicode.IsLetter(r), unicode.IsMark(r):
		return -0.5
	}
	return -0.2
}

// otherScript reports whether a letter is of another script than the page's. ASCII letters are Latin.
func otherScript(r rune, script *unicode.RangeTable) bool { return !unicode.Is(script, r) }
