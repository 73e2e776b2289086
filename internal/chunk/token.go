package chunk

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text/tokens"
)

// Token slides a window of Size model tokens. A token belongs where it starts: a window reaches up to the start of the
// first token after it.
type Token struct {
	Size, Overlap int
	Tokenizer     tokens.Tokenizer
}

var _ rag.Chunker = Token{}

// Spans returns the windows.
func (t Token) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	starts := t.Tokenizer.Starts(make([]int, 0, len(d.Text)/4+1), d.Text)
	var spans []rag.Span
	windows(len(starts), t.Size, t.Overlap, func(first, last int) {
		end := len(d.Text)
		if last < len(starts) {
			end = starts[last]
		}
		spans = append(spans, rag.Span{Start: starts[first], End: end})
	})
	return spans, nil
}
