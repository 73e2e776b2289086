package systems

import (
	"context"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text"
	"ragbench/internal/trace"
)

var hydeSQL = statements("hyde", "retrieve")

var hydeEntry = spec.Entry[Kind]{
	Name:  "hyde",
	Title: "search with a hypothetical answer",
	Doc: "A short question and a passage that answers it lie in different parts of the embedding space. A model writes a " +
		"hypothetical passage, and the search uses its vector; the ranking of the question itself is fused in by reciprocal rank as " +
		"insurance against an invented passage that leads astray. The passage is never shown to the generator. The paper averages " +
		"the vectors of several passages; here two rankings are fused, as in the Python original.",
	Cite: "Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, 2022",
	Options: options(chunking, dense, []spec.Option{
		{Name: "retrieval.fuse_with_question", Default: "true", Doc: "Fuse the ranking of the question in; false ranks by the passage alone."},
		{Name: "retrieval.probe_top_k", Doc: "Results of each search. Default: twice the retrieval depth, at least 10; never less than the depth."},
		{Name: "retrieval.rrf_k", Default: "60", Doc: "Softens how much rank 1 beats rank 5."},
		{Name: "llm_features.max_tokens", Default: "220", Doc: "Length of the passage at most, in tokens."},
	}, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newHyde(e) },
		Diagram: `flowchart TD
    Q["Question"] --> H{{"LLM writes a short hypothetical passage<br/>(invented facts are fine: it is only a probe)"}}
    H --> VH("vector_search:hypothesis")
    Q --> VQ("vector_search:question")
    VH --> F["RRF<br/>(fuse_with_question)"]
    VQ --> F
    F --> R["Ranked chunks"]`,
		Ingestion: "Chunks, and one embedding a chunk.",
		Cost:      "one call of the generator model for the passage, and two query embeddings",
		Latency:   "one short generation before the search",
		Trace:     []string{"llm:hypothetical_document", "retrieve:vector_search:hypothesis", "[retrieve:vector_search:question]", "generate:answer"},
		Required:  []string{"llm:hypothetical_document", "retrieve:vector_search:hypothesis", "generate:answer"},
		Strengths: "Vague or very short questions.",
		WatchOut: "The model can invent a plausible, wrong passage and pull the search away: metadata.hypothetical_document shows it. An empty " +
			"reply searches with the question and flags the step fallback.",
	},
}

// hyde searches a vector index with a passage that the model invents.
type hyde struct {
	Env
	vectors          int64
	fuse             bool
	probe, maxTokens int
}

var _ rag.System = (*hyde)(nil)

func newHyde(e Env) (rag.System, error) {
	s := &hyde{Env: e}
	s.fuse = e.switchOption("retrieval.fuse_with_question")
	var err error
	if s.probe, err = e.wholeOption("retrieval.probe_top_k", 0); err != nil {
		return nil, err
	}
	s.maxTokens, err = e.wholeOption("llm_features.max_tokens", 1)
	return s, err
}

func (s *hyde) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	index, err := s.buildChunks(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, index, &rep)
	return rep, err
}

func (s *hyde) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	passage := q.Text
	ok, err := s.plan(ctx, tr, "hypothetical_document", q.Text, rag.ChatRequest{Messages: prompt.Hyde(q.Text), MaxTokens: s.maxTokens},
		func(reply string) (text.Repair, error) {
			passage = text.Normalise(reply)
			return text.RepairNone, nil
		})
	if err != nil {
		return rag.Ranking{}, err
	}
	found, err := s.search(ctx, passage, q.Text, depth, tr)
	if err != nil {
		return rag.Ranking{}, err
	}
	r := found.ranking()
	r.Metadata = map[string]any{"hypothetical_document": ""}
	if ok {
		r.Metadata["hypothetical_document"] = text.Truncate(passage, 500)
	}
	return r, nil
}

// search embeds the passage and the question in one call and runs one statement over both vectors.
func (s *hyde) search(ctx context.Context, passage, question string, depth int, tr rag.Trace) (found lists, err error) {
	hypothesis, end := tr.Step(rag.StepRetrieve, "vector_search:hypothesis", passage)
	defer end()
	texts, steps := []string{passage}, []*rag.Step{hypothesis}
	if s.fuse {
		asked, end := tr.Step(rag.StepRetrieve, "vector_search:question", question)
		defer end()
		texts, steps = append(texts, question), append(steps, asked)
	}
	start := s.Now()
	blobs, err := s.embedQueries(ctx, texts, steps...)
	hypothesis.Latency = s.Now().Sub(start)
	if err == nil {
		if !s.fuse {
			blobs = append(blobs, nil)
		}
		probe := s.probe
		if probe == 0 {
			probe = max(2*depth, 10)
		}
		found, err = s.query(ctx, hydeSQL.SQL("retrieve"), named("vectors", s.vectors), named("hypothesis_vector", blobs[0]), named("question_vector", blobs[1]),
			named("probe", max(probe, depth)), named("depth", depth), named("fuse", s.fuse), named("rrf_k", s.Config.Retrieval.RRFK))
	}
	if err != nil {
		hypothesis.Error = err.Error()
		return found, err
	}
	for i, leg := range []string{"hypothesis", "question"}[:len(steps)] {
		steps[i].Output = trace.Chunks(found.legs[leg])
		steps[i].Latency += max(found.elapsed[leg], 1)
	}
	return found, nil
}

func (s *hyde) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
