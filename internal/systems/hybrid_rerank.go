package systems

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

var hybridRerankSQL = statements("hybrid_rerank", "retrieve")

var hybridRerankEntry = spec.Entry[Kind]{
	Name:  "hybrid_rerank",
	Title: "BM25 and vectors fused, then a reranker",
	Doc: "Hybrid retrieval for recall, a reranker for precision: the fused list of hybrid, candidate_top_k chunks deep, is reordered, and " +
		"the best are kept. Each chunk of the ranking keeps its original_rank.",
	Cite: "Nogueira and Cho, Passage Re-ranking with BERT, 2019 (the two stages); Cormack, Clarke and Büttcher 2009 (the fusion)",
	Options: options(chunking, lexical, dense, fusion, candidates("30", "Fused chunks that the reranker sees; at least the retrieval depth."),
		reranking("local_relevance"), variants, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newHybridRerank(e) },
		Diagram: `flowchart LR
    Q["Question<br/>(and local variants if multi_query)"] --> B("bm25_search") & V("vector_search")
    B --> F["Weighted RRF"]
    V --> F
    F --> C["candidate_top_k fused candidates"]
    C --> RR("rerank:reranker")
    RR --> R["Ranked chunks"]`,
		Ingestion: "Chunks, a lexical index, and one embedding a chunk.",
		Cost:      "one query embedding, or one a variant; one call of the generator model if reranker is llm",
		Latency:   "that of hybrid, and the reranker",
		Trace:     []string{"retrieve:bm25_search", "retrieve:vector_search", "rerank:<reranker>", "generate:answer"},
		Required:  []string{"retrieve:bm25_search", "retrieve:vector_search", "rerank:<reranker>", "generate:answer"},
		Strengths: "The two searches fail on different questions, and the reranker sees what either found.",
		WatchOut:  "A reranker can only promote what the first stage retrieved: raise candidate_top_k before blaming it.",
	},
}

// hybridRerank is hybrid search behind a reranker.
type hybridRerank struct {
	hybrid
	candidates int
	reranker   *reranker
}

var _ rag.System = (*hybridRerank)(nil)

func newHybridRerank(e Env) (s *hybridRerank, err error) {
	s = &hybridRerank{hybrid: hybrid{Env: e}}
	if s.candidates, err = e.wholeOption("retrieval.candidate_top_k", 1); err != nil {
		return nil, err
	}
	s.reranker, err = e.newReranker("")
	return s, err
}

func (s *hybridRerank) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	queries := s.wordings(q.Text)
	found, err := s.searchBoth(ctx, tr, queries, func(vectors [][]byte) (lists, error) {
		list, err := queriesJSON(queries, vectors)
		if err != nil {
			return lists{}, err
		}
		o := s.Config.Retrieval
		return s.query(ctx, hybridRerankSQL.SQL("retrieve"), named("queries", list), named("lexical", s.lexical), named("vectors", s.vectors),
			named("candidates", max(s.candidates, depth)), named("bm25_top_k", o.BM25TopK), named("vector_top_k", o.VectorTopK),
			named("bm25_weight", o.BM25Weight), named("vector_weight", o.VectorWeight), named("rrf_k", o.RRFK))
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
