package pdf

import (
	"regexp"
	"strings"
	"unicode"
)

// Marks that PDFium puts where a word is hyphenated at the end of a line.
const hyphenMarks = "\x02\ufffe"

var ligatures = strings.NewReplacer("\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl", "\ufb05", "st", "\ufb06", "st")

// broken is a word that a hyphen at the end of a line cuts in two.
var broken = regexp.MustCompile(`([\pL\pM]+)(?:[` + hyphenMarks + `]|[-\x{2010}\x{00ad}]\n)([\pL\pM]+)`)

// tidy turns what engines return into plain lines: LF, no control characters, no ligatures, and words that were cut at
// the end of a line in one piece.
func tidy(pages []Page) {
	var all strings.Builder
	for i := range pages {
		s := strings.ToValidUTF8(pages[i].Text, "\ufffd")
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
		s = strings.ReplaceAll(ligatures.Replace(s), "\u00a0", " ")
		pages[i].Text = s
		all.WriteString(strings.ToLower(s))
		all.WriteByte('\n')
	}
	words := map[string]bool{} // what the file spells with a hyphen within a line
	for _, w := range regexp.MustCompile(`[\pL\pM]+-[\pL\pM]+`).FindAllString(all.String(), -1) {
		words[w] = true
	}
	for i := range pages {
		s := broken.ReplaceAllStringFunc(pages[i].Text, func(m string) string { return join(m, words) })
		s = strings.Map(func(r rune) rune {
			switch {
			case strings.ContainsRune(hyphenMarks, r):
				return '-'
			case r == '\n' || r == '\t':
				return r
			case r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029':
				return '\n'
			case unicode.IsControl(r):
				return -1
			}
			return r
		}, s)
		pages[i].Text = strings.Trim(trimLines(s), "\n")
	}
}

// join puts the halves of a word together. The hyphen stays where the second half begins with a capital, or where the
// file has the word with its hyphen elsewhere.
func join(m string, hyphenated map[string]bool) string {
	p := broken.FindStringSubmatch(m)
	left, right := p[1], p[2]
	first := []rune(right)[0]
	if !unicode.IsLower(first) || hyphenated[strings.ToLower(left+"-"+right)] {
		return left + "-" + right
	}
	return left + right
}

// trimLines takes the spaces off the ends of lines.
func trimLines(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight(strings.TrimSuffix(line, "\n"), " \t"))
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
