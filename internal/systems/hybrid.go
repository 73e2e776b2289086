package systems

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

var hybridSQL = statements("hybrid", "retrieve", "retrieve_variants")

var hybridEntry = spec.Entry[Kind]{
	Name:  "hybrid",
	Title: "BM25 and vectors, fused by rank",
	Doc: "BM25 and vector search run side by side, and the two rankings are fused by weighted reciprocal rank, so that a chunk " +
		"found by either rises and one found by both rises most. With multi_query a few rule-based wordings of the question " +
		"(the sides of a comparison, the clauses, capitalised names) are searched as well; no model is called for them.",
	Cite:    "Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods, 2009",
	Options: options(chunking, lexical, dense, fusion, diversity, variants, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return &hybrid{Env: e}, nil },
		Diagram: `flowchart LR
    Q["Question<br/>(or local variants if multi_query)"] --> B("bm25_search<br/>bm25_top_k candidates")
    Q --> V("vector_search<br/>vector_top_k candidates")
    B --> F["Weighted RRF<br/>bm25_weight, vector_weight, rrf_k"]
    V --> F
    F --> MM("mmr, optional") --> R["Ranked chunks"]`,
		Ingestion: "Chunks, a lexical index, and one embedding a chunk.",
		Cost:      "one query embedding, or one a variant",
		Latency:   "a lexical and a vector search",
		Trace:     []string{"retrieve:bm25_search", "retrieve:vector_search", "[rerank:mmr]", "generate:answer"},
		Required:  []string{"retrieve:bm25_search", "retrieve:vector_search", "generate:answer"},
		Strengths: "The two retrievers fail on different questions, and rank fusion needs no calibration of scores. It usually wins the cheap tier.",
		WatchOut:  "With a weak embedding the vector half pulls good lexical hits down: compare it with bm25 and vector, and use the weights.",
	},
}

// hybrid searches a lexical and a vector index of the same chunks.
type hybrid struct {
	Env
	lexical, vectors int64
}

var _ rag.System = (*hybrid)(nil)

func (s *hybrid) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	index, err := s.buildChunks(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	if s.lexical, err = s.buildLexical(ctx, index, &rep); err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, index, &rep)
	return rep, err
}

func (s *hybrid) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	queries, pool := s.wordings(q.Text), s.pool(depth)
	found, err := s.searchBoth(ctx, tr, queries, func(vectors [][]byte) (lists, error) { return s.fuse(ctx, queries, vectors, pool) })
	if err != nil {
		return rag.Ranking{}, err
	}
	r := found.ranking()
	if len(queries) > 1 {
		r.Metadata = map[string]any{"query_variants": queries}
	}
	return s.diversify(r, s.vectors, depth, tr)
}

// fuse executes the statement for one query or for several.
func (s *hybrid) fuse(ctx context.Context, queries []string, vectors [][]byte, depth int) (lists, error) {
	o := s.Config.Retrieval
	args := []any{named("lexical", s.lexical), named("vectors", s.vectors), named("depth", depth), named("bm25_top_k", o.BM25TopK),
		named("vector_top_k", o.VectorTopK), named("bm25_weight", o.BM25Weight), named("vector_weight", o.VectorWeight), named("rrf_k", o.RRFK)}
	if len(queries) == 1 {
		return s.query(ctx, hybridSQL.SQL("retrieve"), append(args, named("question", queries[0]), named("query_vector", vectors[0]))...)
	}
	list, err := queriesJSON(queries, vectors)
	if err != nil {
		return lists{}, err
	}
	return s.query(ctx, hybridSQL.SQL("retrieve_variants"), append(args, named("queries", list))...)
}

func (s *hybrid) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
