package docx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"ragbench/internal/load/blocks"
	"ragbench/internal/load/container"
)

// start takes the start of an element. Names are told apart by their local part, so that the namespaces of the
// transitional and the strict kind do equally.
func (w *walker) start(e xml.StartElement) {
	f := w.top()
	switch e.Name.Local {
	case "p":
		w.endPara()
	case "pStyle":
		f.para.style = container.Attr(e, "val")
	case "numId":
		f.para.list = container.Attr(e, "val")
	case "ilvl":
		f.para.depth, _ = strconv.Atoi(container.Attr(e, "val")) // 0 is the level of what says none
	case "outlineLvl":
		if n, err := strconv.Atoi(container.Attr(e, "val")); err == nil && n < 9 {
			f.para.level = n + 1
		}
	case "t":
		f.inText++
	case "tab", "ptab":
		f.out.Text(" ")
	case "br", "cr":
		f.out.Break()
	case "noBreakHyphen":
		w.text("-")
	case "footnoteReference":
		w.note("footnote" + container.Attr(e, "id"))
	case "endnoteReference":
		w.note("endnote" + container.Attr(e, "id"))
	case "AlternateContent":
		w.chose = append(w.chose, false)
	case "Choice":
		if n := len(w.chose); n > 0 {
			w.chose[n-1] = true
		}
	case "tbl":
		w.endPara()
	case "tr":
		f.rows = append(f.rows, nil)
	case "tc":
		w.push()
	case "txbxContent":
		w.push()
	default:
		w.formula(e)
	}
}

// formula puts the signs that the layout of a formula stands for.
func (w *walker) formula(e xml.StartElement) {
	if !strings.HasSuffix(e.Name.Space, "/math") {
		return
	}
	switch e.Name.Local {
	case "den":
		w.text("/")
	case "sup":
		w.text("^")
	case "sub":
		w.text("_")
	case "rad":
		w.text("√")
	case "d":
		w.text("(")
	}
}

// end takes the end of an element.
func (w *walker) end(e xml.EndElement) {
	f := w.top()
	switch e.Name.Local {
	case "p":
		w.endPara()
	case "t":
		f.inText = max(f.inText-1, 0)
	case "tc":
		if text, ok := w.pop(); ok {
			f = w.top()
			if n := len(f.rows); n > 0 {
				f.rows[n-1] = append(f.rows[n-1], text)
			} else {
				f.out.Block(text)
			}
		}
	case "tr":
		if n := len(f.rows); n > 0 {
			f.out.Row(f.rows[n-1])
			f.rows = f.rows[:n-1]
		}
	case "tbl":
		f.out.Para()
	case "txbxContent":
		if text, ok := w.pop(); ok {
			w.top().boxes = append(w.top().boxes, text)
		}
	case "AlternateContent":
		if n := len(w.chose); n > 0 {
			w.chose = w.chose[:n-1]
		}
	case "d":
		if strings.HasSuffix(e.Name.Space, "/math") {
			w.text(")")
		}
	}
}

// endPara ends a paragraph. Its text boxes follow it as blocks.
func (w *walker) endPara() {
	f := w.top()
	s := w.styleOf(f.para.style)
	heading := s.level > 0 || f.para.level > 0
	switch list := f.para.list != "" || s.list != ""; {
	case f.begun && (heading || list):
		f.out.EndPrefixed()
	case f.begun:
		f.out.Para()
	}
	for _, box := range f.boxes {
		f.out.Block(box)
	}
	f.begun, f.boxes, f.para = false, nil, paragraph{}
}

// push opens a cell or a text box.
func (w *walker) push() {
	if len(w.frames) > deepest {
		w.frames = append(w.frames, w.top()) // too deep: its blocks go to the one around it
		return
	}
	w.frames = append(w.frames, &frame{out: &blocks.Builder{}})
}

// pop closes a cell or a text box and returns its text, unless that went to the one around it.
func (w *walker) pop() (string, bool) {
	n := len(w.frames)
	if n == 1 {
		return "", false
	}
	f := w.frames[n-1]
	w.frames = w.frames[:n-1]
	if f == w.top() {
		return "", false
	}
	return f.out.String(), true
}
