package text

import "strings"

// Tokenize returns the runs of A-Z, a-z, 0-9 and _ in s, lower-cased, in order. It is ASCII only: an accented letter
// splits a word. Routing, keyword overlap and the mock models count on exactly this rule.
func Tokenize(s string) []string {
	var out []string
	start := -1
	for i := 0; i < len(s); i++ {
		if isWordByte(s[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			out = append(out, strings.ToLower(s[start:i]))
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, strings.ToLower(s[start:]))
	}
	return out
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// EstimateTokens guesses the number of model tokens in s as 1.3 for each whitespace-separated word, rounded down, and
// at least 1. It is an estimate: where a count is stored, package tokens counts exactly.
func EstimateTokens(s string) int {
	words, in := 0, false
	for _, r := range s {
		space := isSpace(r)
		if !space && !in {
			words++
		}
		in = !space
	}
	return max(1, words*13/10)
}
