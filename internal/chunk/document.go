package chunk

import (
	"context"

	"ragbench/internal/rag"
)

// Document makes one chunk of a whole document.
type Document struct{}

var _ rag.Chunker = Document{}

// Spans returns the one span.
func (Document) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	return []rag.Span{{Start: 0, End: len(d.Text)}}, nil
}

// keySuffix makes the key {doc}::chunk::full: there is nothing to tell apart.
func (Document) keySuffix() string { return "full" }
