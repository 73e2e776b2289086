package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences returns the byte spans of the sentences of s. They tile s: the whitespace after a sentence belongs to it,
// and so does whitespace at the start of the text. A text without a boundary is one sentence, an empty one has none.
//
// A sentence ends after . ! ? and closing quotes or brackets where whitespace and an opener follow (a capital, a letter
// of a script without capitals, a digit, a quote or a bracket); after the full stops of Chinese, Japanese and other
// scripts; and at a blank line. A full stop after an abbreviation, an initial or the number of a list item ends none,
// unless the next word is one that hardly follows them but often begins a sentence. The time is linear in len(s).
func Sentences(s string) [][2]int {
	var out [][2]int
	start := 0
	for i := 0; i < len(s); {
		r, w := decode(s, i)
		end := 0
		switch {
		case isTerminator(r):
			i, end = sentenceEnd(s, start, i)
		case isSpace(r):
			var blank bool
			i, blank = SpaceRun(s, i)
			if blank {
				end = i
			}
		default:
			i += w
		}
		if 0 < end && end < len(s) && !Blank(s[start:end]) {
			out = append(out, [2]int{start, end})
			start = end
		}
	}
	if start < len(s) {
		out = append(out, [2]int{start, len(s)})
	}
	return out
}

// sentenceEnd judges the terminator at i: next is where to read on, and end is the end of the sentence that began at
// start, or 0 where it goes on.
func sentenceEnd(s string, start, i int) (next, end int) {
	stops := i // the terminators
	wide := false
	for stops < len(s) {
		r, w := decode(s, stops)
		if !isTerminator(r) {
			break
		}
		wide = wide || isWideStop(r)
		stops += w
	}
	closed := stops // the closing marks after them, and notes such as [1]
	for closed < len(s) {
		r, w := decode(s, closed)
		if r == '[' {
			w = noteLen(s[closed:])
		} else if !isCloser(r) {
			break
		}
		if w == 0 {
			break
		}
		closed += w
	}
	after, blank := SpaceRun(s, closed)
	switch {
	case after == len(s):
		return after, 0
	case blank:
		return after, after
	}
	r, _ := decode(s, after)
	spaced := after > closed
	ends := false
	switch {
	case wide && closed > stops && !spaced:
		ends = !isHiragana(r) // a particle after a quotation carries the sentence on
	case wide && strings.ContainsRune("：:，、；", r), wide && isTerminator(r):
		// What cannot begin a sentence.
	case wide:
		ends = spaced || !unicode.IsDigit(r) || s[i:stops] != "．" // a full stop of full width also marks decimals
	case !spaced:
		before, _ := utf8.DecodeLastRuneInString(s[start:i])
		ends = isHan(before) && isHan(r) && stops == i+1 && s[i] < utf8.RuneSelf
	case s[i:stops] != ".":
		ends = opens(s, after)
	case standsAlone(s, start, i):
		ends = r != '.' // dots with spaces between them are an ellipsis or a leader
	default:
		ends = opens(s, after) && !abbreviates(s, start, i, after)
	}
	if ends {
		return after, after
	}
	return after, 0
}

// standsAlone reports whether the full stop at i follows a space: how tokenised text ends sentences, capitals or not.
func standsAlone(s string, start, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[start:i])
	return isSpace(r)
}

// longestNote is in bytes.
const longestNote = 40

// noteLen returns the length of the note in brackets that s begins with, or 0 where it is no short one.
func noteLen(s string) int {
	return 1 + strings.IndexByte(s[:min(len(s), longestNote)], ']')
}

// SpaceRun returns the end of the whitespace of s at i and whether it holds a blank line: two line ends, each LF, CR LF or
// CR, or a paragraph separator.
func SpaceRun(s string, i int) (end int, blank bool) {
	lines := 0
	for i < len(s) {
		r, w := decode(s, i)
		if !isSpace(r) {
			break
		}
		switch r {
		case '\n':
			lines++
		case '\r':
			if i+1 == len(s) || s[i+1] != '\n' {
				lines++
			}
		case '\u2029':
			lines += 2
		}
		i += w
	}
	return i, lines > 1
}

// opens reports whether a sentence may begin at i.
func opens(s string, i int) bool {
	for i < len(s) {
		r, w := decode(s, i)
		switch {
		case unicode.IsUpper(r), unicode.IsTitle(r), unicode.Is(unicode.Lo, r), unicode.IsDigit(r):
			return true
		case strings.ContainsRune("\"'“”‘«‹„‚([{¿¡「『（【《〈`", r):
			return true
		case strings.ContainsRune("-–—•", r) && i+w < len(s) && s[i+w] == ' ': // a list item or a new speaker
			i++
		case !strings.ContainsRune("*_~", r): // marks of emphasis
			return false
		}
		i += w
	}
	return false
}

func isTerminator(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '.' || r == '!' || r == '?'
	}
	return r == '…' || r == '‼' || r == '⁇' || r == '⁈' || r == '⁉' || isWideStop(r)
}

// isWideStop reports whether r ends a sentence in a script that has no capitals, whatever follows it.
func isWideStop(r rune) bool {
	switch r {
	case '。', '．', '｡', '！', '？', // Chinese, Japanese
		'؟', '۔', '।', '॥', '։', '።', '፧', '។', '။': // Arabic, Urdu, Devanagari, Armenian, Ethiopic, Khmer, Myanmar
		return true
	}
	return false
}

func isCloser(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '"' || r == '\'' || r == ')' || r == ']' || r == '}' || r == '*' || r == '_' || r == '`'
	}
	return strings.ContainsRune("”’»›」』）】》〉］｝", r)
}

func isHiragana(r rune) bool { return 0x3041 <= r && r < 0x30A0 }

func isHan(r rune) bool {
	return 0x3041 <= r && r < 0x3100 || 0x3400 <= r && r < 0xA000 || 0x20000 <= r && r < 0x40000
}
