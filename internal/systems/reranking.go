package systems

import (
	"context"
	"fmt"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/rerank"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

// reranking documents the option that chooses a reranker.
func reranking(def string) []spec.Option {
	return []spec.Option{
		{Name: "retrieval.reranker", Default: def, Doc: "What reorders the candidates: " + strings.Join(rerank.All.Names(), ", ") + "; see the list of rerankers."},
	}
}

// rerankSteps is the step of a reranker in a trace: it bears the name of the reranker that the configuration chooses.
func rerankSteps() []string { return []string{"rerank:<reranker>"} }

// reranker is a reranker with its name.
type reranker struct {
	rerank.Reranker
	name string
}

// newReranker makes the reranker of a name; without one, that of the option retrieval.reranker.
func (e *Env) newReranker(name string) (*reranker, error) {
	if name == "" {
		name = fmt.Sprint(e.Config.Options["retrieval.reranker"])
	}
	entry, err := rerank.Find(name)
	if err != nil {
		return nil, fmt.Errorf("retrieval.reranker: %w", err)
	}
	return &reranker{entry.New(rerank.Env{Chat: e.Chat}), entry.Name}, nil
}

// rerankHits returns the depth best of the candidates, as a step named after the reranker.
func (e *Env) rerankHits(ctx context.Context, r *reranker, q rag.Question, candidates []rag.Hit, depth int, tr rag.Trace) ([]rag.Hit, error) {
	step, end := tr.Step(rag.StepRerank, r.name, trace.Chunks(candidates))
	defer end()
	note(step, "candidates", len(candidates))
	hits, err := r.Rerank(ctx, q.Text, candidates, depth, step)
	if err != nil {
		step.Error = err.Error()
		return nil, err
	}
	step.Output = trace.Chunks(hits)
	return hits, nil
}
