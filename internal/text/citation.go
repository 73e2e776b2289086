package text

import (
	"regexp"
	"strings"
)

var bracketed = regexp.MustCompile(`\[([^\[\]]{1,200})\]`)

// Citations lists the document ids that an answer cites in square brackets, in the order of their first mention. known
// tells an id from other bracketed text. Several ids may share a pair of brackets; what follows " | " names a place
// inside the document.
func Citations(answer string, known func(id string) bool) []string {
	var ids []string
	seen := map[string]bool{}
	for _, m := range bracketed.FindAllStringSubmatch(answer, -1) {
		candidates := []string{m[1]}
		if !known(m[1]) {
			candidates = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' })
		}
		for _, c := range candidates {
			id, _, _ := strings.Cut(c, " | ")
			if id = strings.TrimSpace(id); known(id) && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}
