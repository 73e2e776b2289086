package systems

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

var rerankSQL = statements("rerank", "retrieve")

var rerankEntry = spec.Entry[Kind]{
	Name:  "rerank",
	Title: "vector search, then a reranker",
	Doc: "Two stages: vector search hands candidate_top_k chunks to a reranker, which keeps the best. With multi_query the local wordings " +
		"of the question are searched too, and a chunk that several find keeps its best score. Each chunk of the ranking keeps its " +
		"original_rank.",
	Cite: "Nogueira and Cho, Passage Re-ranking with BERT, 2019 (the two stages)",
	Options: options(chunking, dense, candidates("30", "Chunks that the reranker sees; at least the retrieval depth."),
		reranking("simple_keyword_overlap"), variants, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newReranked(e) },
		Diagram: `flowchart LR
    Q["Question<br/>(and local variants if multi_query)"] --> V("vector_search<br/>candidate_top_k")
    V --> RR("rerank:reranker") --> R["Ranked chunks"]`,
		Ingestion: "Chunks, and one embedding a chunk.",
		Cost:      "one query embedding, or one a variant; one call of the generator model if reranker is llm",
		Latency:   "that of vector, and the reranker",
		Trace:     []string{"retrieve:vector_search", "rerank:<reranker>", "generate:answer"},
		Required:  []string{"retrieve:vector_search", "rerank:<reranker>", "generate:answer"},
		Strengths: "Shows what the reranker alone contributes, against vector; hybrid_rerank then shows what the lexical half adds.",
		WatchOut:  "A reranker can only promote what the first stage retrieved: raise candidate_top_k before blaming it.",
	},
}

// reranked is vector search behind a reranker.
type reranked struct {
	Env
	vectors    int64
	candidates int
	reranker   *reranker
}

var _ rag.System = (*reranked)(nil)

func newReranked(e Env) (s *reranked, err error) {
	s = &reranked{Env: e}
	if s.candidates, err = e.wholeOption("retrieval.candidate_top_k", 1); err != nil {
		return nil, err
	}
	s.reranker, err = e.newReranker("")
	return s, err
}

func (s *reranked) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	index, err := s.buildChunks(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, index, &rep)
	return rep, err
}

func (s *reranked) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	queries := s.wordings(q.Text)
	found, err := s.searchEach(ctx, tr, "vector", queries, 0, func(list string) (lists, error) {
		return s.query(ctx, rerankSQL.SQL("retrieve"), named("queries", list), named("vectors", s.vectors), named("candidates", max(s.candidates, depth)))
	})
	if err != nil {
		return rag.Ranking{}, err
	}
	r := found.ranking()
	if len(queries) > 1 {
		r.Metadata = map[string]any{"query_variants": queries}
	}
	r.Hits, err = s.rerankHits(ctx, s.reranker, q, r.Hits, depth, tr)
	return r, err
}

func (s *reranked) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
