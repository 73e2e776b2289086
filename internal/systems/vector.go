package systems

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var vectorSQL = statements("vector", "retrieve")

var vectorEntry = spec.Entry[Kind]{
	Name:  "vector",
	Title: "dense vector search",
	Doc: "Each chunk is embedded once at ingestion and the question once a query; chunks are ranked by cosine similarity, " +
		"exactly. With diversity: mmr a pool of candidates is picked from greedily, so that near-copies do not fill the list.",
	Cite:    "Karpukhin et al., Dense Passage Retrieval for Open-Domain Question Answering, 2020; MMR: Carbonell and Goldstein 1998",
	Options: options(chunking, dense, diversity, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return &vector{Env: e}, nil },
		Diagram: `flowchart LR
    D[("Chunks")] --> E{{"Embed"}} --> VI[("Vectors")]
    Q["Question"] --> QE{{"Embed query"}} --> S("vector_search")
    VI --> S --> M("mmr, optional") --> R["Ranked chunks"]`,
		Ingestion: "Chunks, and one embedding a chunk.",
		Cost:      "one query embedding",
		Latency:   "one embedding call and one exact scan",
		Trace:     []string{"retrieve:vector_search", "[rerank:mmr]", "generate:answer"},
		Required:  []string{"retrieve:vector_search", "generate:answer"},
		Strengths: "Paraphrase and meaning.",
		WatchOut:  "Exact strings, numbers and rare tokens are diluted into a vector; short ambiguous questions embed poorly.",
	},
}

// vector searches one vector index.
type vector struct {
	Env
	vectors int64
}

var _ rag.System = (*vector)(nil)

func (s *vector) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	index, err := s.buildChunks(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, index, &rep)
	return rep, err
}

func (s *vector) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	found, err := s.search(ctx, q, s.pool(depth), tr)
	if err != nil {
		return rag.Ranking{}, err
	}
	return s.diversify(found.single("vector"), s.vectors, depth, tr)
}

// search embeds the question and searches, as one step.
func (s *vector) search(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (found lists, err error) {
	step, end := tr.Step(rag.StepRetrieve, "vector_search", q.Text)
	defer end()
	blobs, err := s.embedQueries(ctx, []string{q.Text}, step)
	if err == nil {
		found, err = s.query(ctx, vectorSQL.SQL("retrieve"), named("vectors", s.vectors), named("query_vector", blobs[0]), named("depth", depth))
	}
	if err != nil {
		step.Error = err.Error()
		return found, err
	}
	step.Output = trace.Chunks(found.legs["vector"])
	return found, nil
}

func (s *vector) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
