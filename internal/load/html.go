package load

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	htmlcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/transform"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/htmltext"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadHTML reads the visible text of a page.
func loadHTML(_ context.Context, f *File, yield func(rag.Document) error) error {
	b, err := f.Bytes()
	if err != nil {
		return err
	}
	body, encoding, err := f.decodeHTML(b)
	if err != nil {
		return err
	}
	page := htmltext.Parse(body)
	return yield(rag.Document{
		ID: text.DocumentID(f.Path), Title: f.or(page.Title), Text: page.Text, Encoding: encoding, Metadata: page.Meta,
	})
}

// declaredCharset is an encoding named by a meta element (HTML, 13.2.3.2), in either of its forms.
var declaredCharset = regexp.MustCompile(`(?is)<meta\s[^>]*charset\s*=\s*["']?\s*([a-z0-9_:.-]+)`)

// decodeHTML decodes a page by its byte order mark, else by the encoding that it declares in its first kilobyte, else as
// any text. A page that declares UTF-16 without a mark is no UTF-16, or the declaration could not be read.
func (f *File) decodeHTML(b []byte) (text, encoding string, err error) {
	m := declaredCharset.FindSubmatch(b[:min(len(b), 1024)])
	if m == nil || charset.Marked(b) {
		return f.decode(b)
	}
	enc, name := htmlcharset.Lookup(string(m[1]))
	if enc == nil || strings.HasPrefix(name, "utf-") {
		return f.decode(b)
	}
	out, _, err := transform.Bytes(enc.NewDecoder(), b)
	if err != nil {
		return "", "", fmt.Errorf("decode as %s: %w", name, err)
	}
	return f.withoutNUL(unixLines(string(out)), ""), name, nil
}

// or is the title that a file states, else the one of its path.
func (f *File) or(title string) string {
	if text.Blank(title) {
		return titleOf(f.Path)
	}
	return title
}
