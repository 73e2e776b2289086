package systems

import (
	"context"
	"strconv"

	"ragbench/internal/chunk"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var sentenceWindowSQL = statements("sentence_window", "retrieve")

var sentenceWindowEntry = spec.Entry[Kind]{
	Name:  "sentence_window",
	Title: "sentences found, their surroundings read",
	Doc: "The finest index: every sentence has a vector. The hits are walked best first; one that lies in the window of a better hit is " +
		"skipped, so that the results are distinct places. Each place becomes a window of its sentence and the neighbours, and windows of " +
		"a document that touch or overlap are merged. A sentence further down never widens a window; only overlap does. The text is cut " +
		"from the document, so what the generator reads is verbatim. A window is ranked under its best sentence, with its span of the document " +
		"in the metadata of the hit.",
	Options: options(dense, candidates("30", "Sentences searched; at least four times the retrieval depth, and more until there are as many places."), []spec.Option{
		{Name: "retrieval.window", Default: "2", Doc: "Sentences read on either side of a hit."},
	}, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newSentenceWindow(e) },
		Diagram: `flowchart TD
    D["Document"] --> SS["Split into sentences, remember each one's span"]
    SS --> E{{"Embed sentences"}} --> VI[("Sentence vectors")]
    Q["Question"] --> SR("sentence_search<br/>pool = max(candidate_top_k, 4 x depth)")
    VI --> SR
    SR --> SEED["Walk the hits best first, skip a sentence<br/>inside a better hit's window"]
    SEED --> WIN["Each place becomes a window: sentence ± window"]
    WIN --> MERGE["Windows of a document that touch or overlap are merged"]
    MERGE --> R["Ranked windows<br/>(text cut from the document)"]`,
		Ingestion: "Sentences, and one embedding a sentence.",
		Cost:      "one query embedding",
		Latency:   "one embedding call and one exact scan of all sentences",
		Trace:     []string{"retrieve:sentence_search", "generate:answer"},
		Required:  []string{"retrieve:sentence_search", "generate:answer"},
		Strengths: "Pinpoint matches in long, dense documents.",
		WatchOut: "A sentence that makes sense only with its paragraph embeds poorly on its own; a larger window helps the reader, not the search. " +
			"Merging can leave fewer windows than the retrieval depth.",
	},
}

// sentenceWindow searches sentences and ranks windows.
type sentenceWindow struct {
	Env
	sentences      *chunk.Cutter
	candidates     int
	window         int
	index, vectors int64
}

var _ rag.System = (*sentenceWindow)(nil)

func newSentenceWindow(e Env) (s *sentenceWindow, err error) {
	s = &sentenceWindow{Env: e}
	if s.candidates, err = e.wholeOption("retrieval.candidate_top_k", 1); err != nil {
		return nil, err
	}
	if s.window, err = e.wholeOption("retrieval.window", 0); err != nil {
		return nil, err
	}
	s.sentences, err = newSentenceCutter()
	return s, err
}

func (s *sentenceWindow) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (r rag.Ranking, err error) {
	step, end := tr.Step(rag.StepRetrieve, "sentence_search", q.Text)
	defer end()
	vectors, err := s.embedQueries(ctx, []string{q.Text}, step)
	var found lists
	for pool := max(s.candidates, 4*depth); err == nil; pool *= 2 {
		found, err = s.query(ctx, sentenceWindowSQL.SQL("retrieve"), named("index", s.index), named("vectors", s.vectors),
			named("query_vector", vectors[0]), named("pool", pool), named("window", s.window), named("depth", depth))
		if places(found.legs[rag.LegFinal]) >= depth || len(found.legs["sentence"]) < pool {
			break
		}
	}
	if err != nil {
		step.Error = err.Error()
		return r, err
	}
	r = found.ranking()
	for i := range r.Hits {
		widen(&r.Hits[i])
	}
	step.Output = trace.Chunks(found.legs["sentence"])
	note(step, "sentences", len(found.legs["sentence"]))
	note(step, "places", places(r.Hits))
	note(step, "windows", len(r.Hits))
	return r, nil
}

// places counts the distinct places behind windows.
func places(windows []rag.Hit) (n int) {
	for _, h := range windows {
		k, _ := strconv.Atoi(h.Metadata["places"]) // a number that the statement wrote
		n += k
	}
	return n
}

// widen gives the chunk of a hit, a sentence, the span and the text of its window.
func widen(h *rag.Hit) {
	c := &h.Chunk
	c.Text = h.Metadata["text"]
	delete(h.Metadata, "text")
	c.Start, _ = strconv.Atoi(h.Metadata["start_char"])
	c.End, _ = strconv.Atoi(h.Metadata["end_char"])
	c.Prefix, c.SearchText = 0, ""
}

func (s *sentenceWindow) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
