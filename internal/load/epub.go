package load

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"ragbench/internal/load/container"
	"ragbench/internal/load/htmltext"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// epubPackage is the part of a book that lists the others (EPUB 3.3, 5).
type epubPackage struct {
	Title   []string `xml:"metadata>title"`
	Creator []string `xml:"metadata>creator"`
	Items   []struct {
		ID   string `xml:"id,attr"`
		Href string `xml:"href,attr"`
		Type string `xml:"media-type,attr"`
	} `xml:"manifest>item"`
	Spine []struct {
		ID string `xml:"idref,attr"`
	} `xml:"spine>itemref"`
}

// loadEPUB reads a book as one document, its chapters in the order of the spine.
func loadEPUB(ctx context.Context, f *File, yield func(rag.Document) error) error {
	a, err := f.Archive()
	if err != nil {
		return err
	}
	if a.Has("META-INF/encryption.xml") && a.Has("META-INF/rights.xml") {
		return fmt.Errorf("%w: the book is under digital rights management", container.ErrEncrypted)
	}
	var book struct {
		Root []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	if err := decodePart(a, "META-INF/container.xml", &book); err != nil {
		return err
	}
	if len(book.Root) == 0 {
		return fmt.Errorf("%w: it names no package", container.ErrBroken)
	}
	var p epubPackage
	if err := decodePart(a, book.Root[0].Path, &p); err != nil {
		return err
	}
	hrefs := map[string]string{}
	for _, item := range p.Items {
		if strings.Contains(item.Type, "html") {
			hrefs[item.ID] = item.Href
		}
	}
	var out []string
	for _, ref := range p.Spine {
		href, ok := hrefs[ref.ID]
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := a.Bytes(path.Join(path.Dir(book.Root[0].Path), pathOf(href)))
		if err != nil {
			return err
		}
		body, _, err := f.decodeHTML(b)
		if err != nil {
			return err
		}
		if page := htmltext.Parse(body); page.Text != "" {
			out = append(out, page.Text)
		}
	}
	d := rag.Document{ID: text.DocumentID(f.Path), Title: f.or(first(p.Title)), Text: strings.Join(out, "\n\n")}
	return yield(f.packed(d, first(p.Creator)))
}

// pathOf is the path that a reference within a book means.
func pathOf(href string) string {
	href, _, _ = strings.Cut(href, "#")
	if p, err := url.PathUnescape(href); err == nil {
		return p
	}
	return href
}

// first is the first entry that is not blank, on one line.
func first(list []string) string {
	for _, s := range list {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			return s
		}
	}
	return ""
}

// decodePart reads a small part of an archive into v.
func decodePart(a *container.Archive, name string, v any) error {
	d, c, err := a.XML(name)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, container.Broken(err))
	}
	return nil
}
