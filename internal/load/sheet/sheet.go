// Package sheet reads the cells of Excel workbooks (ECMA-376, part 1, SpreadsheetML) row by row.
package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ragbench/internal/load/container"
)

// most is how many columns a row may have.
const most = 16384

// Book is an open workbook.
type Book struct {
	archive *container.Archive
	sheets  []Sheet
	shared  []string // the texts that cells refer to
	formats []format // of the cell styles
	from    float64  // the day that serial number 0 means, after 1899-12-30
}

// Sheet is one table of a workbook.
type Sheet struct {
	Name string
	part string
}

// Open reads what the tables of a workbook share.
func Open(a *container.Archive) (*Book, error) {
	top, err := container.Relations(a, "")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	if names := top["officeDocument"]; len(names) > 0 {
		main = names[0]
	}
	b := &Book{archive: a}
	ids, err := container.RelationIDs(a, main)
	if err != nil {
		return nil, err
	}
	err = container.Each(a, main, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			if v := container.Attr(e, "date1904"); v == "1" || v == "true" {
				b.from = 1462
			}
		case "sheet":
			for _, at := range e.Attr {
				if at.Name.Local == "id" && ids[at.Value] != "" && strings.Contains(ids[at.Value], "sheet") {
					b.sheets = append(b.sheets, Sheet{Name: container.Attr(e, "name"), part: ids[at.Value]})
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	kinds, err := container.Relations(a, main)
	if err != nil {
		return nil, err
	}
	for _, name := range kinds["styles"] {
		if err := b.readStyles(name); err != nil {
			return nil, err
		}
	}
	for _, name := range kinds["sharedStrings"] {
		if err := b.readShared(name); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Sheets lists the tables in the order of the workbook.
func (b *Book) Sheets() []Sheet { return b.sheets }

// readShared reads the texts that cells refer to by number.
func (b *Book) readShared(name string) error {
	d, c, err := b.archive.XML(name)
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
			return fmt.Errorf("%s: %w", name, container.Broken(err))
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "si" {
			s, err := richText(d)
			if err != nil {
				return fmt.Errorf("%s: %w", name, container.Broken(err))
			}
			b.shared = append(b.shared, s)
		}
	}
}

// richText joins the runs of a text up to the end of its element; readings of characters are left out.
func richText(d *xml.Decoder) (string, error) {
	var s strings.Builder
	inText := false
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := d.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			inText = t.Name.Local == "t"
		case xml.EndElement:
			depth--
			inText = false
		case xml.CharData:
			if inText {
				s.Write(t)
			}
		}
	}
	return s.String(), nil
}

// Rows calls yield with the cells of each row that has any, and the row's number from 1.
func (b *Book) Rows(s Sheet, yield func(cells []string, row int) error) error {
	d, c, err := b.archive.XML(s.part)
	if err != nil {
		return err
	}
	defer c.Close()
	var cells []string
	row := 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.part, container.Broken(err))
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "row":
				cells = cells[:0]
				row++
				if n, err := strconv.Atoi(container.Attr(t, "r")); err == nil && n >= row {
					row = n
				}
			case "c":
				at := column(container.Attr(t, "r"), len(cells))
				value, err := b.cell(d, t)
				if err != nil {
					return fmt.Errorf("%s: row %d: %w", s.part, row, container.Broken(err))
				}
				if at >= most {
					continue
				}
				for len(cells) <= at {
					cells = append(cells, "")
				}
				cells[at] = value
			}
		case xml.EndElement:
			if t.Name.Local == "row" && len(cells) > 0 {
				if err := yield(append([]string(nil), cells...), row); err != nil {
					return err
				}
			}
		}
	}
}

// column is the index of a cell such as "AB12"; next is that of one without a name.
func column(name string, next int) int {
	n := 0
	for _, c := range name {
		if c < 'A' || c > 'Z' || n > most {
			break
		}
		n = n*26 + int(c-'A'+1)
	}
	if n == 0 {
		return next
	}
	return n - 1
}

// cell reads the value of a cell as a reader sees it, more or less: dates as ISO 8601, numbers as stored.
func (b *Book) cell(d *xml.Decoder, e xml.StartElement) (string, error) {
	kind := container.Attr(e, "t")
	var value, inline string
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				if err := d.DecodeElement(&value, &t); err != nil {
					return "", err
				}
			case "is":
				if inline, err = richText(d); err != nil {
					return "", err
				}
			default:
				depth++
			}
		case xml.EndElement:
			depth--
		}
	}
	switch kind {
	case "inlineStr":
		return inline, nil
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(b.shared) {
			return "", fmt.Errorf("%w: it refers to text %q of %d", container.ErrBroken, value, len(b.shared))
		}
		return b.shared[n], nil
	case "b":
		return map[bool]string{true: "TRUE", false: "FALSE"}[strings.TrimSpace(value) == "1"], nil
	case "str", "e", "d":
		return value, nil
	}
	style, err := strconv.Atoi(container.Attr(e, "s"))
	if err != nil || style < 0 || style >= len(b.formats) {
		return value, nil
	}
	return b.formats[style].show(value, b.from), nil
}
