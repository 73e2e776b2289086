// Package odf takes the text of OpenDocument texts (OASIS OpenDocument 1.3) in reading order, with headings, list items
// and table rows in Markdown's notation.
package odf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ragbench/internal/load/blocks"
	"ragbench/internal/load/container"
)

// Document is what a text document holds.
type Document struct{ Title, Author, Text string }

// Read reads a document.
func Read(a *container.Archive) (*Document, error) {
	d := &Document{}
	if a.Has("META-INF/manifest.xml") {
		err := container.Each(a, "META-INF/manifest.xml", func(_ *xml.Decoder, e xml.StartElement) error {
			if e.Name.Local == "encryption-data" {
				return container.ErrEncrypted
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if a.Has("meta.xml") {
		err := container.Each(a, "meta.xml", func(x *xml.Decoder, e xml.StartElement) error {
			var to *string
			switch e.Name.Local {
			case "title":
				to = &d.Title
			case "creator", "initial-creator":
				to = &d.Author
			default:
				return nil
			}
			return x.DecodeElement(to, &e)
		})
		if err != nil {
			return nil, err
		}
	}
	x, c, err := a.XML("content.xml")
	if err != nil {
		return nil, err
	}
	defer c.Close()
	w := &walker{frames: []*frame{{out: &blocks.Builder{}}}}
	for {
		t, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("content.xml: %w", container.Broken(err))
		}
		w.token(t)
	}
	d.Text = w.frames[0].out.String()
	if len(w.notes) > 0 {
		d.Text += "\n\n" + strings.Join(w.notes, "\n")
	}
	return d, nil
}

// walker goes through the tokens of the body.
type walker struct {
	frames []*frame // the body, and the cells, notes and text boxes that are open
	skip   int      // depth of elements that are passed over
	list   int      // depth of lists
	notes  []string
}

type frame struct {
	out   *blocks.Builder
	rows  [][]string
	boxes []string
	para  int // depth of paragraphs: only their characters are text
}

func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

// unwanted are elements that are passed over with all that is in them.
var unwanted = map[string]bool{
	"tracked-changes": true, "annotation": true, "note-citation": true, "automatic-styles": true, "font-face-decls": true,
	"scripts": true, "forms": true, "desc": true, "sequence-decls": true,
}

func (w *walker) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		if w.skip > 0 || unwanted[t.Name.Local] {
			w.skip++
			return
		}
		w.start(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return
		}
		w.end(t)
	case xml.CharData:
		if f := w.top(); w.skip == 0 && f.para > 0 {
			f.out.Text(string(t))
		}
	}
}

func (w *walker) start(e xml.StartElement) {
	f := w.top()
	switch e.Name.Local {
	case "h":
		level, err := strconv.Atoi(container.Attr(e, "outline-level"))
		if err != nil {
			level = 1
		}
		f.out.Heading(level)
		f.para++
	case "p":
		f.para++
	case "s", "tab":
		f.out.Text(" ")
	case "line-break":
		f.out.Break()
	case "list":
		w.list++
	case "list-item":
		f.out.Item(w.list-1, "-")
	case "table-row":
		f.rows = append(f.rows, nil)
	case "table-cell", "note-body", "text-box":
		w.frames = append(w.frames, &frame{out: &blocks.Builder{}})
	}
}

func (w *walker) end(e xml.EndElement) {
	f := w.top()
	switch e.Name.Local {
	case "h":
		f.para--
		f.out.EndPrefixed()
	case "p":
		f.para--
		if w.list > 0 {
			f.out.Line()
		} else {
			f.out.Para()
		}
		for _, box := range f.boxes {
			f.out.Block(box)
		}
		f.boxes = nil
	case "list":
		if w.list--; w.list == 0 {
			f.out.Para()
		}
	case "list-item":
		f.out.EndPrefixed()
	case "table":
		f.out.Para()
	case "table-row":
		if n := len(f.rows); n > 0 {
			f.out.Row(f.rows[n-1])
			f.rows = f.rows[:n-1]
		}
	case "table-cell", "note-body", "text-box":
		if len(w.frames) == 1 {
			return
		}
		w.frames = w.frames[:len(w.frames)-1]
		w.closed(e.Name.Local, f.out.String())
	}
}

// closed puts the text of a cell, a note or a text box where it belongs.
func (w *walker) closed(kind, text string) {
	f := w.top()
	switch kind {
	case "table-cell":
		if n := len(f.rows); n > 0 {
			f.rows[n-1] = append(f.rows[n-1], text)
			return
		}
		f.out.Block(text)
	case "note-body":
		w.notes = append(w.notes, fmt.Sprintf("[^%d]: %s", len(w.notes)+1, strings.Join(strings.Fields(text), " ")))
		f.out.Text(fmt.Sprintf("[^%d]", len(w.notes)))
	case "text-box":
		if f.para > 0 {
			f.boxes = append(f.boxes, text)
			return
		}
		f.out.Block(text)
	}
}
