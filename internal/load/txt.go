package load

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadText reads a file of plain text as one document.
func loadText(_ context.Context, f *File, yield func(rag.Document) error) error {
	body, encoding, err := f.Text()
	if err != nil {
		return err
	}
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: titleOf(f.Path), Text: body, Encoding: encoding})
}
