package chunk

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// FixedChar slides a window of Size code points.
type FixedChar struct {
	Size, Overlap int
}

var _ rag.Chunker = FixedChar{}

// Spans returns the windows. Both ends are found by walking on from the window before, so the time is that of two
// readings of the text.
func (f FixedChar) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	var spans []rag.Span
	start, end := 0, text.Advance(d.Text, 0, f.Size)
	for start < len(d.Text) {
		spans = append(spans, rag.Span{Start: start, End: end})
		if end == len(d.Text) {
			break
		}
		start = text.Advance(d.Text, start, f.Size-f.Overlap)
		end = text.Advance(d.Text, end, f.Size-f.Overlap)
	}
	return spans, nil
}
