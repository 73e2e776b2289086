package load

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"ragbench/internal/load/container"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadXML reads the character data of any XML file, a line for each element that has some. Entities of the file's own
// are refused: they could expand without end.
func loadXML(ctx context.Context, f *File, yield func(rag.Document) error) error {
	b, err := f.Bytes()
	if err != nil {
		return err
	}
	body, encoding, err := f.decodeXML(b)
	if err != nil {
		return err
	}
	d := xml.NewDecoder(strings.NewReader(body))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	var out strings.Builder
	var title string
	fresh, inTitle := true, false
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return container.Broken(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			fresh, inTitle = true, t.Name.Local == "title"
		case xml.EndElement:
			fresh, inTitle = true, false
		case xml.CharData:
			words := strings.Join(strings.Fields(string(t)), " ")
			if words == "" {
				continue
			}
			if inTitle && title == "" {
				title = words
			}
			if out.Len() > 0 {
				out.WriteString(map[bool]string{true: "\n", false: " "}[fresh])
			}
			out.WriteString(words)
			fresh = false
		}
	}
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: out.String(), Encoding: encoding})
}

// decodeXML decodes a file by its byte order mark, else by its declaration, else as any text.
func (f *File) decodeXML(b []byte) (text, encoding string, err error) {
	label := declared(b)
	if label == "" || strings.HasPrefix(strings.ToLower(label), "utf") {
		return f.decode(b)
	}
	r, err := container.Charset(label, b)
	if err != nil {
		return "", "", fmt.Errorf("declared encoding %q: %w", label, err)
	}
	return f.withoutNUL(unixLines(r), ""), strings.ToLower(label), nil
}

// declared is the encoding that an XML declaration names, or "".
func declared(b []byte) string {
	head := string(b[:min(len(b), 200)])
	if !strings.HasPrefix(head, "<?xml") {
		return ""
	}
	head, _, _ = strings.Cut(head, "?>")
	_, rest, ok := strings.Cut(head, "encoding=")
	if !ok || len(rest) < 2 {
		return ""
	}
	label, _, ok := strings.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return label
}
