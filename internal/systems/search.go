package systems

import (
	"context"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/rerank"
)

// SearchInput is one search of indexes that exist, without a system. A search without Lexical or without Vectors leaves
// that half out; with both, the two lists are fused with RAGLite's weights.
type SearchInput struct {
	Index    int64 // the chunks, which both searches share
	Lexical  int64
	Vectors  int64
	Question string
	Filter   map[string]any // on the documents' metadata; see raglite
	K        int            // hits at most
	Reranker string         // empty for none; it sees four times K candidates
}

// rerankOversample is how many times the hits wanted a reranker sees, as RAGLite's search_and_rerank_chunks.
const rerankOversample = 4

// Search runs one search and returns its best hits. The steps of raglite are left in tr. Of e it uses DB, Now, the
// embedder when there are Vectors, and the chat model when the reranker is one.
func Search(ctx context.Context, e Env, in SearchInput, tr rag.Trace) ([]rag.Hit, error) {
	s := &raglite{Env: e, index: in.Index, lexical: in.Lexical, vectors: in.Vectors, oversample: 2, rrfK: 60, bm25Weight: 0.25, vectorWeight: 0.75}
	if s.lexical == 0 && s.vectors == 0 {
		return nil, fmt.Errorf("search: neither a lexical nor a vector index is given")
	}
	var err error
	var filter any
	if len(in.Filter) > 0 {
		filter = in.Filter
	}
	if s.filter, err = filterJSON(filter); err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	candidates := in.K
	if in.Reranker != "" {
		entry, err := rerank.Find(in.Reranker)
		if err != nil {
			return nil, err
		}
		s.reranker = &reranker{entry.New(rerank.Env{Chat: e.Chat}), entry.Name}
		candidates *= rerankOversample
	}
	found, err := s.search(ctx, in.Question, candidates, tr)
	if err != nil {
		return nil, err
	}
	hits := found.legs["fused"]
	switch {
	case s.vectors == 0:
		hits = found.legs["bm25"]
	case s.lexical == 0:
		hits = found.legs["vector"]
	}
	hits = hits[:min(candidates, len(hits))]
	if s.reranker == nil {
		return hits, nil
	}
	return s.rerankHits(ctx, s.reranker, rag.Question{Text: in.Question}, hits, in.K, tr)
}
