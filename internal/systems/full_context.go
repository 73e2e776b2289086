package systems

import (
	"context"
	"fmt"

	"ragbench/internal/config"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var fullContextSQL = statements("full_context", "retrieve")

var fullContextEntry = spec.Entry[Kind]{
	Name:  "full_context",
	Title: "the ceiling for small corpora",
	Doc: "Retrieval is skipped and whole documents go into the prompt: in BM25's order, then those that share no word with the " +
		"question by id, until the token budget is full. The document that does not fit is cut at a token boundary, and filling " +
		"stops. The generator reads everything that fits; top_k only sets how deep the metric ranking goes.",
	Options: options([]spec.Option{{Name: "retrieval.context_token_budget", Default: "100000", Doc: "Tokens of documents in the prompt."}}, lexical, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newFullContext(e) },
		Diagram: `flowchart TD
    I[("Ingest: whole documents, token counts,<br/>BM25 index over them")]
    Q["Question"] --> BM["BM25 order of documents<br/>(documents sharing no word follow, in id order)"]
    I --> BM
    BM --> FILL("fill_context: add documents until the token budget is full,<br/>cut the one that does not fit")
    FILL --> G{{"Generator LLM reads everything that fit"}}
    G --> A["Answer"]`,
		Ingestion: "Whole documents and a lexical index. No model is called.",
		Cost:      "nothing besides a very large prompt",
		Latency:   "that of the large prompt",
		Trace:     []string{"retrieve:fill_context", "generate:answer"},
		Required:  []string{"retrieve:fill_context", "generate:answer"},
		Strengths: "What \"just read everything\" costs and earns, against a retrieval pipeline.",
		WatchOut:  "When the corpus does not fit the budget, BM25 alone decides what is dropped; long contexts can dilute attention.",
	},
}

// fullContext reads whole documents.
type fullContext struct {
	Env
	budget         int
	index, lexical int64
	rows           int
}

var _ rag.System = (*fullContext)(nil)

func newFullContext(e Env) (rag.System, error) {
	const option = "retrieval.context_token_budget"
	budget, ok := e.Config.Options[option].(int)
	if !ok || budget < 1 {
		return nil, fmt.Errorf("%s: want a whole number from 1, got %v", option, e.Config.Options[option])
	}
	return &fullContext{Env: e, budget: budget}, nil
}

func (s *fullContext) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	if s.index, err = s.buildChunks(ctx, c, config.ChunkerOptions{Type: "document", Tokenizer: "o200k_base"}, &rep); err != nil {
		return rep, err
	}
	s.rows = rep.Chunks
	s.lexical, err = s.buildLexical(ctx, s.index, &rep)
	return rep, err
}

func (s *fullContext) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	step, end := tr.Step(rag.StepRetrieve, "fill_context", q.Text)
	defer end()
	r, err := s.fill(ctx, q, depth)
	if err != nil {
		step.Error = err.Error()
		return r, err
	}
	step.Output = trace.Chunks(r.Context)
	for k, v := range r.Metadata {
		note(step, k, v)
	}
	return r, nil
}

// fill ranks the documents and puts them into the context until the budget is full.
func (s *fullContext) fill(ctx context.Context, q rag.Question, depth int) (r rag.Ranking, err error) {
	st, err := s.DB.Prepare(ctx, fullContextSQL.SQL("retrieve"))
	if err != nil {
		return r, fmt.Errorf("prepare retrieval: %w", err)
	}
	rows, err := st.QueryContext(ctx, named("index", s.index), named("lexical", s.lexical), named("question", q.Text),
		named("rows", s.rows), named("budget", s.budget), named("depth", depth))
	if err != nil {
		return r, fmt.Errorf("run retrieval: %w", err)
	}
	defer rows.Close()
	var ids []int64
	var room []int // tokens of each document that fit
	for rows.Next() {
		var leg string
		var h rag.Hit
		var elapsed float64
		var tokens, used int
		if err := rows.Scan(&leg, &h.Rank, &h.Chunk.RowID, &h.Score, &elapsed, &tokens, &used); err != nil {
			return r, fmt.Errorf("run retrieval: %w", err)
		}
		r.Hits = append(r.Hits, h)
		ids = append(ids, h.Chunk.RowID)
		room = append(room, max(0, min(tokens, s.budget-used)))
	}
	if err := rows.Err(); err != nil {
		return r, fmt.Errorf("run retrieval: %w", err)
	}
	chunks, err := s.DB.Chunks(ctx, ids)
	if err != nil {
		return r, err
	}
	r.Context = []rag.Hit{}
	truncated := false
	for i := range r.Hits {
		r.Hits[i].Chunk = chunks[i]
		if room[i] == 0 {
			continue
		}
		read := r.Hits[i]
		if room[i] < chunks[i].Tokens {
			truncated = true
			if read.Chunk.Text, err = cutTokens(chunks[i].Text, room[i]); err != nil {
				return r, err
			}
		}
		r.Context = append(r.Context, read)
	}
	r.Metadata = map[string]any{"truncated": truncated, "documents_in_context": len(r.Context)}
	return r, nil
}

func (s *fullContext) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
