package load

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"ragbench/internal/load/blocks"
	"ragbench/internal/load/container"
	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadPPTX reads a presentation, its slides in order and the notes of each behind it. The slides are its pages.
func loadPPTX(ctx context.Context, f *File, yield func(rag.Document) error) error {
	a, err := f.Archive()
	if err != nil {
		return err
	}
	slides, err := slidesOf(a)
	if err != nil {
		return err
	}
	var pages []pdf.Page
	for _, name := range slides {
		if err := ctx.Err(); err != nil {
			return err
		}
		body, err := slideText(a, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		about, err := container.Relations(a, name)
		if err != nil {
			return err
		}
		for _, notes := range about["notesSlide"] {
			s, err := slideText(a, notes)
			if err != nil {
				return fmt.Errorf("%s: %w", notes, err)
			}
			if s != "" {
				body = strings.TrimLeft(body+"\n\nNotes: "+s, "\n")
			}
		}
		pages = append(pages, pdf.Page{Text: body})
	}
	all, spans, _ := join(pages)
	title, author, err := container.Properties(a)
	if err != nil {
		return err
	}
	if title == "" || strings.EqualFold(title, "PowerPoint Presentation") {
		title = firstHeading(all)
	}
	d := f.packed(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: all}, author)
	if len(spans) > 0 {
		where, err := json.Marshal(spans)
		if err != nil {
			return err
		}
		if d.Metadata == nil {
			d.Metadata = map[string]string{}
		}
		d.Metadata[PagesKey] = string(where)
	}
	return yield(d)
}

// slidesOf lists the slides in the order in which they are shown.
func slidesOf(a *container.Archive) ([]string, error) {
	const main = "ppt/presentation.xml"
	byID, err := container.RelationIDs(a, main)
	if err != nil {
		return nil, err
	}
	var out []string
	err = container.Each(a, main, func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "sldId" {
			return nil
		}
		for _, at := range e.Attr {
			if at.Name.Local == "id" && at.Name.Space != "" && byID[at.Value] != "" {
				out = append(out, byID[at.Value])
			}
		}
		return nil
	})
	return out, err
}

// slideText reads the paragraphs and tables of a slide. The placeholder of the title becomes a heading.
func slideText(a *container.Archive, name string) (string, error) {
	d, c, err := a.XML(name)
	if err != nil {
		return "", err
	}
	defer c.Close()
	out := []*blocks.Builder{{}}
	var row []string
	var inText, inTitle, started, quiet bool
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out[0].String(), nil
		}
		if err != nil {
			return "", container.Broken(err)
		}
		b := out[len(out)-1]
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "sp":
				inTitle, started, quiet = false, false, false
				b.Para()
			case "ph":
				kind := container.Attr(t, "type")
				inTitle = kind == "title" || kind == "ctrTitle"
				quiet = kind == "sldNum" || kind == "dt" || kind == "ftr" // the number, date and foot of every slide
			case "t":
				inText = !quiet
			case "br":
				b.Break()
			case "tr":
				row = nil
			case "tc":
				out = append(out, &blocks.Builder{})
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "p":
				b.Line()
			case "sp":
				if inTitle {
					b.EndPrefixed()
				}
				inTitle, quiet = false, false
				b.Para()
			case "tc":
				if len(out) > 1 {
					out = out[:len(out)-1]
					row = append(row, b.String())
				}
			case "tr":
				b.Row(row)
			case "tbl":
				b.Para()
			}
		case xml.CharData:
			if !inText {
				continue
			}
			if inTitle && !started && strings.TrimSpace(string(t)) != "" {
				b.Heading(2)
				started = true
			}
			b.Text(string(t))
		}
	}
}
