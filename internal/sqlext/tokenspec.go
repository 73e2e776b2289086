package sqlext

import (
	"fmt"
	"strings"
)

// tokenizerWords splits the value of FTS5's tokenize option as FTS5 does: words of letters, digits, _ and non-ASCII, or
// literals in single quotes (” stands for one quote), with spaces between. An empty text means the default, unicode61.
func tokenizerWords(spec string) ([]string, error) {
	if spec == "" {
		return []string{"unicode61"}, nil
	}
	if strings.IndexByte(spec, 0) >= 0 {
		return nil, fmt.Errorf("parse tokenizer %q: NUL is not allowed", spec)
	}
	var words []string
	for rest := strings.TrimLeft(spec, " "); ; rest = strings.TrimLeft(rest, " ") {
		var word string
		var ok bool
		if strings.HasPrefix(rest, "'") {
			word, rest, ok = literal(rest)
		} else {
			word, rest, ok = bareword(rest)
		}
		if !ok {
			return nil, fmt.Errorf("parse tokenizer %q: expected a word or a 'literal' at %q", spec, rest)
		}
		words = append(words, word)
		if strings.Trim(rest, " ") == "" {
			return words, nil
		}
	}
}

// bareword cuts the longest bareword off the front; there is none when ok is false.
func bareword(s string) (word, rest string, ok bool) {
	i := 0
	for i < len(s) && isBareword(s[i]) {
		i++
	}
	return s[:i], s[i:], i > 0
}

// isBareword holds for the bytes that FTS5 accepts without quotes (its documentation, section 3.1: also 0x1A).
func isBareword(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == 0x1a || c >= 0x80
}

// literal cuts a quoted literal off the front; ok is false when it has no end.
func literal(s string) (word, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '\'':
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == '\'':
			b.WriteByte('\'')
			i++
		default:
			return b.String(), s[i+1:], true
		}
	}
	return "", s, false
}
