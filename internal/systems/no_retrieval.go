package systems

import (
	"context"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

var _ = statements("no_retrieval")

var noRetrievalEntry = spec.Entry[Kind]{
	Name:  "no_retrieval",
	Title: "the floor",
	Doc: "The model answers from its own knowledge, with no documents and a prompt that tells it to say so rather than invent " +
		"names, numbers or identifiers. It shows what retrieval earns.",
	Options: options(generation),
	New: Kind{
		New: func(e Env) (rag.System, error) { return &noRetrieval{Env: e}, nil },
		Diagram: `flowchart LR
    Q["Question"] --> G{{"Generator LLM<br/>no context"}} --> A["Answer"]`,
		Ingestion: "Nothing.",
		Cost:      "nothing",
		Latency:   "one generation",
		Trace:     []string{"generate:answer"},
		Required:  []string{"generate:answer"},
		Strengths: "The hallucination baseline of your domain: how often the model answers confidently without the documents.",
		WatchOut:  "On public knowledge it can score embarrassingly well: your questions may not need your documents. Retrieval columns are blank, never 0.",
	},
}

// noRetrieval asks the generator alone.
type noRetrieval struct{ Env }

var _ rag.System = (*noRetrieval)(nil)

// Ingest does nothing: the system has no index.
func (s *noRetrieval) Ingest(context.Context, rag.Corpus) (rag.IngestReport, error) {
	return rag.IngestReport{}, nil
}

func (s *noRetrieval) Retrieve(context.Context, rag.Question, int, rag.Trace) (rag.Ranking, error) {
	return rag.Ranking{Unscored: true}, nil
}

func (s *noRetrieval) Answer(ctx context.Context, q rag.Question, _ rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.generate(ctx, q, prompt.NoRetrieval(q.Text), nil, tr)
}
