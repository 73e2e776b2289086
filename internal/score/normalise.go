package score

import (
	"slices"
	"strings"
	"unicode"
)

// maxCitation is the longest bracketed text, in code points, that normalisation takes for a citation.
const maxCitation = 80

// Normalise returns the tokens by which answers are compared: lower-cased; bracketed citations of at most 80 characters
// out, where every part looks like an id (a bracketed word, such as [Date], may be the answer); commas between thousands out; every other character that is no letter, mark, digit or underscore a space, except
// a period between digits; the articles a, an and the dropped. Han characters and kana are a token each, as these
// scripts put no spaces between words.
//
// SQuAD's rule differs in two ways: it deletes ASCII punctuation where this one leaves a space (don't is dont there and
// "don t" here, 3.5 is 35 there and 3.5 here), and it keeps other punctuation and symbols, such as £, inside their word.
func Normalise(s string) []string {
	rs := []rune(strings.ToLower(s))
	var tokens []string
	var word []rune
	end := func() {
		if t := string(word); len(word) > 0 && t != "a" && t != "an" && t != "the" {
			tokens = append(tokens, t)
		}
		word = word[:0]
	}
	for i := 0; i < len(rs); i++ {
		r := rs[i]
		switch {
		case r == '[' && closes(rs[i:]) > 0:
			end()
			i += closes(rs[i:])
		case r == ',' && thousands(rs, i):
		case r == '.' && digitAt(rs, i-1) && digitAt(rs, i+1):
			word = append(word, r)
		case unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r):
			end()
			tokens = append(tokens, string(r))
		case r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			word = append(word, r)
		default:
			end()
		}
	}
	end()
	return tokens
}

// closes returns the place of the bracket that ends the citation rs begins with, 0 when there is none.
func closes(rs []rune) int {
	for i := 1; i < len(rs) && i <= maxCitation+1; i++ {
		switch rs[i] {
		case '[':
			return 0
		case ']':
			if isCitation(string(rs[1:i])) {
				return i
			}
			return 0
		}
	}
	return 0
}

// isCitation tells whether each of the ids in a pair of brackets looks like one.
func isCitation(inside string) bool {
	parts := citedParts(inside)
	for _, id := range parts {
		if !looksLikeID(id) {
			return false
		}
	}
	return len(parts) > 0
}

// thousands tells whether the comma at i stands between a digit and exactly three digits.
func thousands(rs []rune, i int) bool {
	return digitAt(rs, i-1) && digitAt(rs, i+1) && digitAt(rs, i+2) && digitAt(rs, i+3) && !digitAt(rs, i+4)
}

func digitAt(rs []rune, i int) bool { return i >= 0 && i < len(rs) && unicode.IsDigit(rs[i]) }

// ExactMatch is 1 when answer and reference have the same tokens, else 0 (Rajpurkar et al. 2016).
func ExactMatch(answer, reference string) float64 {
	a, r := Normalise(answer), Normalise(reference)
	if len(a) != len(r) {
		return 0
	}
	for i := range a {
		if a[i] != r[i] {
			return 0
		}
	}
	return 1
}

// TokenF1 is the harmonic mean of precision and recall over the multisets of tokens, from 0 to 1; 1 when both are empty
// and 0 when one is (Rajpurkar et al. 2016).
func TokenF1(answer, reference string) float64 {
	a, r := Normalise(answer), Normalise(reference)
	if len(a) == 0 && len(r) == 0 {
		return 1
	}
	left := make(map[string]int, len(r))
	for _, t := range r {
		left[t]++
	}
	same := 0
	for _, t := range a {
		if left[t] > 0 {
			left[t]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(r))
}

// Best returns the largest F1 and exact match over several references, as SQuAD does; 0 for none. A reference without a
// token counts only where all are: it would make every empty answer right.
func Best(answer string, references []string) (f1, em float64) {
	some := slices.DeleteFunc(slices.Clone(references), func(r string) bool { return len(Normalise(r)) == 0 })
	if len(some) == 0 {
		some = references
	}
	for _, r := range some {
		f1, em = max(f1, TokenF1(answer, r)), max(em, ExactMatch(answer, r))
	}
	return f1, em
}

// KeywordRecall is the share of keywords whose tokens stand in the answer one after another. A keyword without a token,
// such as "£", counts when the answer holds it as written, in any case. The result for no keywords is 0.
func KeywordRecall(answer string, keywords []string) float64 {
	if len(keywords) == 0 {
		return 0
	}
	text := " " + strings.Join(Normalise(answer), " ") + " "
	found := 0
	for _, k := range keywords {
		tokens := Normalise(k)
		switch {
		case len(tokens) > 0 && strings.Contains(text, " "+strings.Join(tokens, " ")+" "):
			found++
		case len(tokens) == 0 && strings.Contains(strings.ToLower(answer), strings.ToLower(k)):
			found++
		}
	}
	return float64(found) / float64(len(keywords))
}
