// Package rerank reorders the candidates of a first stage with a closer look at each. A reranker can only promote what was
// found.
//
// A cross-encoder, which reads question and passage together, is a reranker too and fits the interface. It is not in the
// table: that takes a trained model, and none comes with the program; an entry that quietly scored by other means would be
// measured under a false name.
package rerank

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

// Reranker orders candidates by how well they serve a question.
type Reranker interface {
	// Rerank returns the topK best candidates, best first, with ranks from 1, new scores, and the place before in the
	// metadata original_rank. The result is a part of the candidates, each at most once. The candidates are not changed.
	// What is worth knowing of the work, and what it cost, goes into step; a reranker that had to make way for another says
	// so there with fallback: true, and the metadata reranker of each hit names the one that ordered it.
	Rerank(ctx context.Context, question string, candidates []rag.Hit, topK int, step *rag.Step) ([]rag.Hit, error)
}

// Env is what a reranker is made with.
type Env struct {
	Chat rag.Chat // of the reranker llm
}

// All lists the rerankers in reading order.
var All = spec.Table[func(Env) Reranker]{
	{
		Name:  "simple_keyword_overlap",
		Title: "distinct words of the question",
		Doc: "Counts the distinct words of the question, of more than two letters, that the candidate holds. The place and the score " +
			"of the first stage only break ties.",
		New: func(Env) Reranker { return Keyword{} },
	},
	{
		Name:  "local_relevance",
		Title: "TF-IDF over the candidates",
		Doc: "TF-IDF of single words and pairs, English stop words left out, fitted on the question and the candidates: the cosine to the " +
			"question, plus a quarter of the share of question words that the candidate holds, plus 0.05 over its place. When no text holds a " +
			"word, simple_keyword_overlap takes over, and the step says so. Also called local, tfidf and tfidf_relevance.",
		New: func(Env) Reranker { return Local{} },
	},
	{
		Name:  "llm",
		Title: "a model chooses",
		Doc: "One call of the generator model shows the first 700 characters of every candidate and asks for the ids of the most useful ones " +
			"in order. Candidates that are not named are dropped, so the list may be shorter than asked for. When no id can be used, " +
			"local_relevance takes over, the step says so, and the call is charged all the same.",
		Cite: "Sun et al., Is ChatGPT Good at Search?, 2023",
		New:  func(e Env) Reranker { return LLM(e) },
	},
}

// aliases are other names of entries.
var aliases = map[string]string{"local": "local_relevance", "tfidf": "local_relevance", "tfidf_relevance": "local_relevance"}

// Find returns the entry that a name or another name of it stands for. The error of an unknown name lists the valid ones.
func Find(name string) (*spec.Entry[func(Env) Reranker], error) {
	if to, ok := aliases[name]; ok {
		name = to
	}
	return All.Find("reranker", name)
}

// scored is a candidate with its new score.
type scored struct {
	at       int // place among the candidates, from 0
	score    float64
	metadata map[string]string
}

// pick makes hits of the first topK of an order.
func pick(candidates []rag.Hit, order []scored, topK int, reranker string) []rag.Hit {
	out := make([]rag.Hit, min(max(topK, 0), len(order)))
	for i := range out {
		s := order[i]
		h := candidates[s.at]
		h.Metadata = maps.Clone(h.Metadata)
		if h.Metadata == nil {
			h.Metadata = map[string]string{}
		}
		maps.Copy(h.Metadata, s.metadata)
		h.Metadata["original_rank"] = strconv.Itoa(h.Rank)
		h.Metadata["reranker"] = reranker
		h.Rank, h.Score = i+1, s.score
		out[i] = h
	}
	return out
}

// byScore sorts by falling score; of equals the earlier candidate comes first.
func byScore(order []scored) {
	slices.SortStableFunc(order, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
}

// note adds to a step's metadata.
func note(s *rag.Step, key string, value any) {
	if s.Metadata == nil {
		s.Metadata = map[string]any{}
	}
	s.Metadata[key] = value
}
