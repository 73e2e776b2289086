package docx

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"ragbench/internal/load/blocks"
	"ragbench/internal/load/container"
)

// deepest is how many tables and text boxes may stand within each other; what lies deeper is read as plain blocks.
const deepest = 20

// walker reads the text of a part: the body, a header, a footer or the notes.
type walker struct {
	*reader
	frames []*frame // the part, and the cells and text boxes that are open
	skip   int      // depth of elements that are passed over
	chose  []bool   // for each alternative that is open, whether its first choice was there
}

// frame is a place that takes blocks.
type frame struct {
	out    *blocks.Builder
	rows   [][]string // cells of the rows that are open
	boxes  []string   // text boxes of the paragraph
	begun  bool       // the paragraph has its prefix
	para   paragraph
	inText int // depth of elements whose characters are text
}

// paragraph is what the properties of a paragraph say.
type paragraph struct {
	style string
	list  string
	depth int
	level int // an outline level of its own, from 1
}

func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

func (r *reader) walker() *walker {
	return &walker{reader: r, frames: []*frame{{out: &blocks.Builder{}}}}
}

// story reads a whole part.
func (r *reader) story(name string) (string, error) {
	d, c, err := r.archive.XML(name)
	if err != nil {
		return "", err
	}
	defer c.Close()
	w := r.walker()
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return w.frames[0].out.String(), nil
		}
		if err != nil {
			return "", container.Broken(err)
		}
		w.token(t)
	}
}

// readNotes reads the notes of a part, each by itself.
func (r *reader) readNotes(kind, name string) error {
	var w *walker
	id := ""
	d, c, err := r.archive.XML(name)
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return container.Broken(err)
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == kind {
			id, w = container.Attr(e, "id"), r.walker()
			continue
		}
		if e, ok := t.(xml.EndElement); ok && e.Name.Local == kind && w != nil {
			if text := strings.Join(strings.Fields(w.frames[0].out.String()), " "); text != "" {
				r.notes[kind+id] = text
			}
			w = nil
		}
		if w != nil {
			w.token(t)
		}
	}
}

// token takes one token.
func (w *walker) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		if w.skip > 0 || w.unwanted(t) {
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
		if w.skip == 0 && w.top().inText > 0 {
			w.text(string(t))
		}
	}
}

// unwanted reports whether an element is passed over with all that is in it: deleted text, field codes, drawings'
// measures, and the fallback of an alternative whose choice was read.
func (w *walker) unwanted(e xml.StartElement) bool {
	switch e.Name.Local {
	case "moveFrom", "instrText", "delText", "delInstrText", "sdtPr", "rPrChange", "pPrChange", "posOffset", "align":
		return true
	case "Fallback":
		return len(w.chose) > 0 && w.chose[len(w.chose)-1]
	}
	return false
}

// text adds characters, starting the paragraph where they are its first.
func (w *walker) text(s string) {
	f := w.top()
	if !f.begun && strings.TrimSpace(s) != "" {
		w.begin()
	}
	f.out.Text(s)
}

// begin writes what a paragraph begins with.
func (w *walker) begin() {
	f := w.top()
	f.begun = true
	s := w.styleOf(f.para.style)
	if f.para.level > 0 {
		s.level = f.para.level
	}
	if f.para.list != "" {
		s.list, s.depth = f.para.list, f.para.depth
	}
	switch {
	case s.level > 0:
		f.out.Heading(s.level)
	case s.list != "" && s.list != "0":
		if m := w.marker(s.list, s.depth); m != "" {
			f.out.Item(s.depth, m)
		}
	default:
		f.out.Para()
	}
}

// note mentions a note, under the number of its first mention.
func (w *walker) note(key string) {
	if w.notes[key] == "" {
		return
	}
	n := 0
	for i, k := range w.cited {
		if k == key {
			n = i + 1
		}
	}
	if n == 0 {
		w.cited = append(w.cited, key)
		n = len(w.cited)
	}
	w.text("[^" + strconv.Itoa(n) + "]")
}
