package chunk

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text"
	"ragbench/internal/text/tokens"
)

// Sentence packs whole sentences up to Size tokens; Overlap and the pieces of an overlong sentence count as sentences.
type Sentence struct {
	Size, Overlap, MinSize int
	Tokenizer              tokens.Tokenizer
}

var _ rag.Chunker = Sentence{}

// Spans returns the packed sentences.
func (c Sentence) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	r := newRuler(c.Tokenizer, d.Text)
	p := packer{size: c.Size, overlap: c.Overlap, sentences: true, ruler: r}
	x := splitter{text: d.Text, size: c.Size, ruler: r}
	for _, s := range text.Sentences(d.Text) {
		x.split(s[0], s[1], nil, p.add)
	}
	return foldSmall(p.finish(), c.MinSize, c.Size, r), nil
}
