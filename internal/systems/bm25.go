package systems

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var bm25SQL = statements("bm25", "retrieve")

var bm25Entry = spec.Entry[Kind]{
	Name:  "bm25",
	Title: "lexical search",
	Doc: "Chunks are cut into terms and scored with Okapi BM25: a term counts more when it is rare in the corpus and when it " +
		"appears often in the chunk, with diminishing returns and a length normalisation. Only chunks that share a term with " +
		"the question are returned.",
	Cite:    "Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009",
	Options: options(chunking, lexical, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return &bm25{Env: e}, nil },
		Diagram: `flowchart LR
    D[("Chunks")] --> BI[("BM25 index")]
    Q["Question"] --> S("bm25_search") --> R["Ranked chunks"]
    BI --> S`,
		Ingestion: "Chunks and a lexical index. No model is called.",
		Cost:      "nothing",
		Latency:   "lowest of all searches",
		Trace:     []string{"retrieve:bm25_search", "generate:answer"},
		Required:  []string{"retrieve:bm25_search", "generate:answer"},
		Strengths: "Exact identifiers, product codes, rare names. On keyword-rich corpora it is often statistically tied with systems that cost ten times more.",
		WatchOut:  "It is blind to paraphrase: \"refund window\" does not find \"return period\".",
	},
}

// bm25 searches one lexical index.
type bm25 struct {
	Env
	lexical int64
}

var _ rag.System = (*bm25)(nil)

func (s *bm25) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	index, err := s.buildChunks(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	s.lexical, err = s.buildLexical(ctx, index, &rep)
	return rep, err
}

func (s *bm25) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	step, end := tr.Step(rag.StepRetrieve, "bm25_search", q.Text)
	defer end()
	found, err := s.query(ctx, bm25SQL.SQL("retrieve"), named("lexical", s.lexical), named("question", q.Text), named("depth", depth))
	if err != nil {
		step.Error = err.Error()
		return rag.Ranking{}, err
	}
	r := found.single("bm25")
	step.Output = trace.Chunks(r.Hits)
	return r, nil
}

func (s *bm25) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
