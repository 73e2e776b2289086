package load

import (
	"context"
	"strings"
	"unicode/utf8"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadRST reads a reStructuredText file as one document, with its markup. Only the title is taken from it.
func loadRST(_ context.Context, f *File, yield func(rag.Document) error) error {
	body, encoding, err := f.Text()
	if err != nil {
		return err
	}
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(rstTitle(body)), Text: body, Encoding: encoding})
}

// rstTitle returns the first section title: a line over a line of one repeated sign that is at least as long, with or
// without another above (reStructuredText, "Sections").
func rstTitle(s string) string {
	before, above := "", ""
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		if adorns(line) && before != "" && !adorns(before) && utf8.RuneCountInString(line) >= utf8.RuneCountInString(strings.TrimRight(before, " ")) {
			indented := before != strings.TrimLeft(before, " \t")
			if !indented || above == line {
				return strings.TrimSpace(before)
			}
		}
		before, above = line, before
	}
	return ""
}

// adorns reports whether a line is one sign of ASCII punctuation, repeated.
func adorns(line string) bool {
	if len(line) < 2 || !strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rune(line[0])) {
		return false
	}
	return strings.Trim(line, line[:1]) == ""
}
