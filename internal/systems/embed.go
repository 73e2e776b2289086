package systems

import (
	"context"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/vec"
)

// embedQueries embeds texts in one call and books it on the steps given: one step for all, or one a text. A text whose
// vector is zero, as hashing gives for a text without words, has no direction: its blob is nil, which finds nothing.
func (e *Env) embedQueries(ctx context.Context, texts []string, steps ...*rag.Step) ([][]byte, error) {
	reply, err := e.Embedder.Embed(ctx, rag.EmbedRequest{Texts: texts, Query: true})
	steps[0].Calls = append(steps[0].Calls, reply.Call)
	if err != nil {
		return nil, fmt.Errorf("embed the question: %w", err)
	}
	if len(reply.Vectors) != len(texts) {
		return nil, fmt.Errorf("embed the question: got %d vectors for %d texts", len(reply.Vectors), len(texts))
	}
	blobs := make([][]byte, len(texts))
	for i, v := range reply.Vectors {
		step := steps[min(i, len(steps)-1)]
		step.Usage.EmbeddingTokens += reply.Tokens[i]
		step.Usage.Embedding = step.Usage.Embedding.Plus(e.EmbeddingCost(reply.Tokens[i]))
		if reply.Truncated != nil && reply.Truncated[i] {
			note(step, "truncated", true)
		}
		if vec.Norm(v) == 0 {
			note(step, "zero_vector", true)
			continue
		}
		blobs[i] = vec.Encode(v)
	}
	return blobs, nil
}

// note adds to a step's metadata.
func note(s *rag.Step, key string, value any) {
	if s.Metadata == nil {
		s.Metadata = map[string]any{}
	}
	s.Metadata[key] = value
}
