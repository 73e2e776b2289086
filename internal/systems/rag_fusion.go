package systems

import (
	"context"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text"
)

var ragFusionSQL = statements("rag_fusion", "retrieve")

var ragFusionEntry = spec.Entry[Kind]{
	Name:  "rag_fusion",
	Title: "several wordings from a model, fused by rank",
	Doc: "A model writes num_queries other wordings of the question; each is searched, and a chunk that many wordings agree on rises. " +
		"The difference to multi_query of hybrid is who words them: here a model, there local rules. When the reply cannot be used, the " +
		"question alone is searched, and the step says so.",
	Cite: "Raudaschl, RAG-Fusion, 2023",
	Options: options(chunking, lexical, dense, fusion, retriever, []spec.Option{
		{Name: "retrieval.num_queries", Default: "4", Doc: "Wordings that the model is asked for; it may spend 60 tokens on each and 60 more."},
		{Name: "retrieval.include_original", Default: "true", Doc: "Search the question itself too."},
	}, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newRAGFusion(e) },
		Diagram: `flowchart TD
    Q["Question"] --> P{{"LLM writes num_queries alternative queries<br/>(other wording, synonyms, angles; never a repeat)"}}
    P --> Qs["Original question + alternatives<br/>(include_original)"]
    Qs --> S1("variant_search #0") & S2("variant_search #1") & S3("variant_search #n")
    S1 & S2 & S3 --> F["RRF over all rankings"]
    F --> R["Ranked chunks"]`,
		Ingestion: "Chunks, a lexical index (retriever hybrid), and one embedding a chunk.",
		Cost:      "one call of the generator model for the wordings, and a query embedding each",
		Latency:   "one short generation, then a search a wording",
		Trace:     []string{"llm:query_variants", "retrieve:variant_search", "generate:answer"},
		Required:  []string{"llm:query_variants", "retrieve:variant_search", "generate:answer"},
		Strengths: "Questions worded unlike the documents.",
		WatchOut:  "Variants can drift off the topic; you pay for the plan and for every search.",
	},
}

// ragFusion searches several wordings of the question.
type ragFusion struct {
	Env
	lexical, vectors int64
	retriever        string
	queries          int
	original         bool
}

var _ rag.System = (*ragFusion)(nil)

func newRAGFusion(e Env) (rag.System, error) {
	s := &ragFusion{Env: e, original: e.switchOption("retrieval.include_original")}
	var err error
	if s.retriever, err = e.textOption("retrieval.retriever", retrievers...); err != nil {
		return nil, err
	}
	s.queries, err = e.wholeOption("retrieval.num_queries", 1)
	return s, err
}

func (s *ragFusion) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	s.lexical, s.vectors, err = s.buildRetriever(ctx, c, s.retriever, &rep)
	return rep, err
}

func (s *ragFusion) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	queries, err := s.words(ctx, q.Text, tr)
	if err != nil {
		return rag.Ranking{}, err
	}
	o := s.Config.Retrieval
	found, err := s.searchEach(ctx, tr, "variant", queries, 0, func(list string) (lists, error) {
		return s.query(ctx, ragFusionSQL.SQL("retrieve"), named("queries", list), named("lexical", s.lexical), named("vectors", s.vectors),
			named("depth", depth), named("bm25_top_k", o.BM25TopK), named("vector_top_k", o.VectorTopK), named("bm25_weight", o.BM25Weight),
			named("vector_weight", o.VectorWeight), named("rrf_k", o.RRFK))
	})
	if err != nil {
		return rag.Ranking{}, err
	}
	r := found.ranking()
	r.Metadata = map[string]any{"query_variants": queries}
	return r, nil
}

// words returns what to search: the question first, when it is included, then the model's wordings; the question alone
// when there are none to use.
func (s *ragFusion) words(ctx context.Context, question string, tr rag.Trace) ([]string, error) {
	var list []string
	req := rag.ChatRequest{Messages: prompt.Variants(question, s.queries), MaxTokens: 60*s.queries + 60, JSON: true}
	ok, err := s.plan(ctx, tr, "query_variants", question, req, func(reply string) (repair text.Repair, err error) {
		list, repair, err = queryList(reply, "queries", s.queries, question)
		return repair, err
	})
	if err != nil {
		return nil, err
	}
	if s.original || !ok {
		list = append([]string{question}, list...)
	}
	return list, nil
}

func (s *ragFusion) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
