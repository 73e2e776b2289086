package chunk

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text/tokens"
)

// Recursive breaks a text at the widest separators that make pieces of at most Size tokens, and packs them.
type Recursive struct {
	Size, Overlap, MinSize int
	Tokenizer              tokens.Tokenizer
}

var _ rag.Chunker = Recursive{}

// Spans returns the packed pieces.
func (c Recursive) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	r := newRuler(c.Tokenizer, d.Text)
	p := packer{size: c.Size, overlap: c.Overlap, ruler: r}
	x := splitter{text: d.Text, size: c.Size, ruler: r}
	x.split(0, len(d.Text), separators, p.add)
	return foldSmall(p.finish(), c.MinSize, c.Size, r), nil
}
