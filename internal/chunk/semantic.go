package chunk

import (
	"context"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text"
	"ragbench/internal/text/tokens"
)

// Semantic begins a new group after every sentence that is farther from the next than Percentile of the document's
// neighbours are, and packs each group by itself as Sentence does.
type Semantic struct {
	Size, Overlap, MinSize int
	Percentile             float64 // 0 to 100
	Tokenizer              tokens.Tokenizer
	Models                 Models
}

var _ rag.Chunker = Semantic{}

func (Semantic) embeds() {}

// fewSentences is the number of sentences below which a document is one group.
const fewSentences = 3

// Spans returns the packed groups. The vectors of at most two batches are in memory at a time.
func (c Semantic) Spans(ctx context.Context, d *rag.Document) ([]rag.Span, error) {
	sentences := text.Sentences(d.Text)
	r := newRuler(c.Tokenizer, d.Text)
	p := packer{size: c.Size, overlap: c.Overlap, sentences: true, ruler: r}
	x := splitter{text: d.Text, size: c.Size, ruler: r}
	var distances []float64
	if len(sentences) >= fewSentences {
		var err error
		if distances, err = c.distances(ctx, d.Text, sentences); err != nil {
			return nil, err
		}
	}
	threshold := quantile(distances, c.Percentile/100)
	for i, s := range sentences {
		if i > 0 && distances != nil && distances[i-1] > threshold {
			p.finish()
		}
		x.split(s[0], s[1], nil, p.add)
	}
	return foldSmall(p.finish(), c.MinSize, c.Size, r), nil
}

// distances returns 1 - cosine of each sentence and the next.
func (c Semantic) distances(ctx context.Context, s string, sentences [][2]int) ([]float64, error) {
	out := make([]float64, 0, len(sentences)-1)
	var before []float32
	err := c.Models.each(ctx, len(sentences), func(i int) string {
		return strings.TrimSpace(s[sentences[i][0]:sentences[i][1]])
	}, func(i int, v []float32) {
		if i > 0 {
			out = append(out, 1-cosine(before, v))
		}
		before = v
	})
	return out, err
}
