package load

import (
	"context"

	"ragbench/internal/load/odf"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadODT reads an OpenDocument text.
func loadODT(_ context.Context, f *File, yield func(rag.Document) error) error {
	a, err := f.Archive()
	if err != nil {
		return err
	}
	d, err := odf.Read(a)
	if err != nil {
		return err
	}
	title := d.Title
	if title == "" {
		title = firstHeading(d.Text)
	}
	return yield(f.packed(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: d.Text}, d.Author))
}
