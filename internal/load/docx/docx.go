// Package docx takes the text of Word documents (ECMA-376, part 1, WordprocessingML; transitional and strict) in
// reading order: headings, list items and table rows in Markdown's notation, notes, text boxes, headers and footers.
package docx

import (
	"encoding/xml"
	"fmt"
	"strings"

	"ragbench/internal/load/container"
)

// Document is what a Word document holds.
type Document struct {
	Title, Author string // of its properties
	Text          string // headers, the body, notes as [^1], footers
	Comments      int    // remarks of reviewers, which are not part of the text
}

// reader is the state of reading one document.
type reader struct {
	archive *container.Archive
	parts   map[string][]string // targets by the last word of their relationship's type
	styles  map[string]style
	numbers map[string]numbering
	counts  map[string][]int  // list items so far, by list and level
	notes   map[string]string // texts by kind and id
	cited   []string          // notes in the order of their first mention
}

// Read reads a document.
func Read(a *container.Archive) (*Document, error) {
	r := &reader{archive: a, counts: map[string][]int{}, notes: map[string]string{}}
	main, err := mainPart(a)
	if err != nil {
		return nil, err
	}
	if r.parts, err = container.Relations(a, main); err != nil {
		return nil, err
	}
	if r.styles, err = readStyles(a, r.parts["styles"]); err != nil {
		return nil, err
	}
	if r.numbers, err = readNumbering(a, r.parts["numbering"]); err != nil {
		return nil, err
	}
	for _, kind := range []string{"footnote", "endnote"} {
		for _, name := range r.parts[kind+"s"] {
			if err := r.readNotes(kind, name); err != nil {
				return nil, err
			}
		}
	}
	var out []string
	seen := map[string]bool{}
	story := func(name string) error {
		text, err := r.story(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if text != "" && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
		return nil
	}
	order := append(append(append([]string{}, r.parts["header"]...), main), r.parts["footer"]...)
	for _, name := range order {
		if err := story(name); err != nil {
			return nil, err
		}
		if name == main && len(r.cited) > 0 {
			out = append(out, r.citedNotes())
		}
	}
	d := &Document{Text: strings.Join(out, "\n\n")}
	if d.Title, d.Author, err = container.Properties(a); err != nil {
		return nil, err
	}
	for _, name := range r.parts["comments"] {
		n, err := count(a, name, "comment")
		if err != nil {
			return nil, err
		}
		d.Comments += n
	}
	return d, nil
}

func (r *reader) citedNotes() string {
	var b strings.Builder
	for i, key := range r.cited {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[^%d]: %s", i+1, r.notes[key])
	}
	return b.String()
}

func count(a *container.Archive, name, element string) (n int, err error) {
	err = container.Each(a, name, func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local == element {
			n++
		}
		return nil
	})
	return n, err
}

// mainPart finds the part that holds the body.
func mainPart(a *container.Archive) (string, error) {
	const usual = "word/document.xml"
	if a.Has("_rels/.rels") {
		top, err := container.Relations(a, "")
		if err != nil {
			return "", err
		}
		for _, name := range top["officeDocument"] {
			if a.Has(name) {
				return name, nil
			}
		}
	}
	if !a.Has(usual) {
		return "", fmt.Errorf("%w: it has no %s", container.ErrBroken, usual)
	}
	return usual, nil
}
