package score

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"ragbench/internal/text"
)

// cited is a bracketed text without brackets in it.
var cited = regexp.MustCompile(`\[([^\[\]]{1,200})\]`)

// Citations lists what an answer cites in square brackets, in order and each once: document ids by known, and other
// texts that look like an id, so that an invented one is seen. A text looks like an id when it has no white space and
// holds a digit or one of "_-./"; what follows " | " names a place and is left out.
func Citations(answer string, known func(id string) bool) []string {
	list := text.Citations(answer, known)
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		seen[id] = true
	}
	for _, m := range cited.FindAllStringSubmatch(answer, -1) {
		if known(strings.TrimSpace(m[1])) {
			continue // an id may hold a comma
		}
		for _, id := range citedParts(m[1]) {
			if !seen[id] && looksLikeID(id) {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list
}

// citedParts splits what stands in a pair of brackets into ids, without the place that follows " | ".
func citedParts(inside string) []string {
	parts := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ';' })
	for i, p := range parts {
		id, _, _ := strings.Cut(p, " | ")
		parts[i] = strings.TrimSpace(id)
	}
	return parts
}

func looksLikeID(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= maxCitation && !strings.ContainsAny(s, " \t\n\r") && strings.ContainsAny(s, "0123456789_-./")
}

// WithoutCitations returns the answer without its bracketed citations, as Normalise leaves them out.
func WithoutCitations(answer string) string {
	return cited.ReplaceAllStringFunc(answer, func(m string) string {
		if utf8.RuneCountInString(m) <= maxCitation+2 && isCitation(m[1:len(m)-1]) {
			return " "
		}
		return m
	})
}
