package rerank

import (
	"context"
	"slices"
	"strconv"

	"ragbench/internal/rag"
)

// Local is local_relevance: cosine + 0.25 * coverage + 0.05 / rank. The cosine is that of TF-IDF vectors fitted on the
// question and the candidates; coverage is the share of the question's words, as Keyword counts them, that the candidate
// holds; rank is the place before.
type Local struct{}

var _ Reranker = Local{}

// Rerank implements Reranker. Of equals the later candidate comes first. Each hit keeps its cosine as tfidf_similarity.
func (Local) Rerank(ctx context.Context, question string, candidates []rag.Hit, topK int, step *rag.Step) ([]rag.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	texts := make([]string, len(candidates))
	for i, h := range candidates {
		texts[i] = h.Chunk.Text
	}
	similar, ok := similarities(question, texts)
	if !ok {
		note(step, "fallback", true)
		note(step, "reason", "no text holds a word to weigh")
		return Keyword{}.Rerank(ctx, question, candidates, topK, step)
	}
	terms := questionTerms(question)
	order := make([]scored, len(candidates))
	for i, h := range candidates {
		coverage := float64(terms.matches(h.Chunk.Text)) / float64(max(1, len(terms)))
		order[i] = scored{
			at:       i,
			score:    similar[i] + 0.25*coverage + 0.05/float64(max(1, h.Rank)),
			metadata: map[string]string{"tfidf_similarity": strconv.FormatFloat(similar[i], 'g', -1, 64)},
		}
	}
	slices.Reverse(order)
	byScore(order)
	return pick(candidates, order, topK, "local_relevance"), nil
}
