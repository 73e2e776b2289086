package systems

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

// retrievers are the searches that rag_fusion and decompose run for each query.
var retrievers = []string{"hybrid", "vector"}

// retriever documents the option that chooses among them.
var retriever = []spec.Option{
	{Name: "retrieval.retriever", Default: "hybrid", Doc: "What each query is searched with: hybrid (BM25 and vectors) or vector."},
}

// wording is one query of several as a statement reads it: its number, its text, its vector in hexadecimal.
type wording struct {
	N      int    `json:"n"`
	Text   string `json:"text"`
	Vector string `json:"vector,omitempty"`
}

// searchEach embeds queries in one call and has run search them in one statement, which reads them as JSON. Each query
// gets a step called leg_search, with its part of the embedding and the time of its own searches; the first is number
// from, which names its lists.
func (e *Env) searchEach(ctx context.Context, tr rag.Trace, leg string, queries []string, from int, run func(queries string) (lists, error)) (lists, error) {
	steps := make([]*rag.Step, len(queries))
	for i, q := range queries {
		step, end := tr.Step(rag.StepRetrieve, leg+"_search", q)
		defer end()
		steps[i] = step
	}
	start := e.Now()
	found, err := e.embedAndRun(ctx, queries, from, steps, run)
	if err != nil {
		steps[0].Error = err.Error()
		return found, err
	}
	searched := e.Now().Sub(start)
	for i, step := range steps {
		step.Output = trace.Chunks(found.legs[legName(leg, from+i)])
		own := max(found.elapsed[legName("bm25", from+i)]+found.elapsed[legName("vector", from+i)], 1)
		step.Latency = own
		searched -= own
	}
	steps[0].Latency += max(searched, 0) // the embedding and the fusion
	return found, nil
}

func (e *Env) embedAndRun(ctx context.Context, queries []string, from int, steps []*rag.Step, run func(string) (lists, error)) (lists, error) {
	blobs, err := e.embedQueries(ctx, queries, steps...)
	if err != nil {
		return lists{}, err
	}
	list := make([]wording, len(queries))
	for i, q := range queries {
		list[i] = wording{from + i, q, hex.EncodeToString(blobs[i])}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return lists{}, err
	}
	return run(string(b))
}

// buildRetriever makes what a retriever searches: chunks with their vectors and, for hybrid, a lexical index, whose id
// is 0 otherwise.
func (e *Env) buildRetriever(ctx context.Context, c rag.Corpus, which string, rep *rag.IngestReport) (lexical, vectors int64, err error) {
	index, err := e.buildChunks(ctx, c, e.Config.Chunker, rep)
	if err != nil {
		return 0, 0, err
	}
	if which == "hybrid" {
		if lexical, err = e.buildLexical(ctx, index, rep); err != nil {
			return 0, 0, err
		}
	}
	vectors, err = e.buildVectors(ctx, index, rep)
	return lexical, vectors, err
}
