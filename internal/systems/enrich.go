package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"ragbench/internal/chunk"
	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// The sizes of an enrichment, in code points and tokens.
const (
	enrichChars   = 3500 // of the chunk that the model sees
	enrichTokens  = 400  // of its reply
	leadChars     = 300  // of the summary that stands in for an unreadable reply
	callsPerWrite = 32   // stored in one transaction
)

// enrichment is what describing the chunks of an index took. It is kept with the index.
type enrichment struct {
	Model            string   `json:"model"`
	PromptTokens     int      `json:"prompt_tokens"`
	CompletionTokens int      `json:"completion_tokens"`
	Cost             rag.Cost `json:"cost"`
	Chunks           int      `json:"chunks"`
	Failed           int      `json:"failed"`     // calls that gave no reply
	Unreadable       int      `json:"unreadable"` // replies that were not the JSON asked for
	Repaired         int      `json:"repaired"`
	CutTokens        int      `json:"cut_tokens"` // embedded to cut the documents
	FirstError       string   `json:"first_error,omitempty"`
}

// report adds the enrichment to what ingestion reports.
func (n enrichment) report(rep *rag.IngestReport) {
	rep.Usage.PromptTokens += n.PromptTokens
	rep.Usage.CompletionTokens += n.CompletionTokens
	rep.Usage.LLM = rep.Usage.LLM.Plus(n.Cost)
	if n.Failed > 0 {
		rep.Warnings = append(rep.Warnings, rag.Warning{Code: "enrichment_failed", Subject: n.Model,
			Message: fmt.Sprintf("%d of %d chunks are indexed with their first words as the summary because the call failed, first with: %s", n.Failed, n.Chunks, n.FirstError)})
	}
	if n.Unreadable > 0 {
		rep.Warnings = append(rep.Warnings, rag.Warning{Code: "enrichment_unreadable", Subject: n.Model,
			Message: fmt.Sprintf("%d of %d chunks are indexed with their first words as the summary because the reply was no JSON as asked for", n.Unreadable, n.Chunks)})
	}
}

// described is one chunk on its way through the model.
type described struct {
	chunk rag.Chunk
	reply rag.ChatReply
	err   error
	done  chan struct{}
}

// enrichAll has the model describe every chunk that the cutter makes, IngestWorkers calls at a time, and returns the
// chunks in their order, each with what it is to be indexed as. Calls are stored as they come, so that an interrupted
// ingestion has not paid for nothing; therefore the chunks are held in memory, which the price of a call each keeps few.
// A call that fails degrades its chunk and is counted; when all fail, the first error is the result.
func (e *Env) enrichAll(ctx context.Context, c rag.Corpus, cutter *chunk.Cutter) (chunks []rag.Chunk, n enrichment, err error) {
	n.Model = e.Chat.Ref()
	cutTokens := 0
	workers := max(1, e.IngestWorkers)
	todo, order := make(chan *described), make(chan *described, 4*workers)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		return e.cutDocuments(gctx, c.DatasetID, cutter, func(done cut) error {
			cutTokens += done.tokens
			if err := e.keepCalls(gctx, done.calls); err != nil {
				return err
			}
			for i := range done.chunks {
				d := &described{chunk: done.chunks[i], done: make(chan struct{})}
				for _, queue := range []chan *described{order, todo} {
					select {
					case queue <- d:
					case <-gctx.Done():
						return gctx.Err()
					}
				}
			}
			return nil
		})
	})
	for range workers {
		g.Go(func() error {
			for d := range todo {
				e.describe(gctx, d)
			}
			return nil
		})
	}
	var calls []rag.Call
	var first error
	g.Go(func() error {
		for d := range order {
			select {
			case <-d.done:
			case <-gctx.Done():
				return gctx.Err()
			}
			if gctx.Err() != nil {
				return gctx.Err()
			}
			if d.err != nil && first == nil {
				first = d.err
			}
			d.chunk.SearchText = n.add(d)
			chunks = append(chunks, d.chunk)
			if calls = append(calls, d.reply.Call); len(calls) == callsPerWrite {
				if err := e.keepCalls(gctx, calls); err != nil {
					return err
				}
				calls = nil
			}
		}
		return nil
	})
	err = g.Wait()
	if kept := e.keepCalls(context.WithoutCancel(ctx), calls); err == nil {
		err = kept
	}
	if err == nil && n.Chunks > 0 && n.Failed == n.Chunks {
		err = first
	}
	if first != nil {
		n.FirstError = first.Error()
	}
	n.CutTokens = cutTokens
	return chunks, n, err
}

// describe makes the call for one chunk.
func (e *Env) describe(ctx context.Context, d *described) {
	defer close(d.done)
	seen := d.chunk.Text[:text.FloorBoundary(d.chunk.Text, text.ByteOffset(d.chunk.Text, enrichChars))]
	zero := 0.0
	d.reply, d.err = e.Chat.Chat(ctx, rag.ChatRequest{Messages: prompt.Enrich(seen), MaxTokens: enrichTokens, Temperature: &zero, JSON: true, Purpose: "enrich_chunk"})
}

// add counts a reply and returns what its chunk is indexed as.
func (n *enrichment) add(d *described) string {
	n.Chunks++
	call := d.reply.Call
	n.PromptTokens += call.PromptTokens
	n.CompletionTokens += call.CompletionTokens
	n.Cost = n.Cost.Plus(call.Cost)
	if d.err != nil {
		n.Failed++
		return augmented(d.chunk.Text, text.Truncate(d.chunk.Text, leadChars), nil, nil)
	}
	reply, repair, err := readEnrichment(d.reply)
	if err != nil {
		n.Unreadable++
		return augmented(d.chunk.Text, text.Truncate(d.chunk.Text, leadChars), nil, nil)
	}
	if repair != text.RepairNone {
		n.Repaired++
	}
	return augmented(d.chunk.Text, reply.Summary, reply.Entities, reply.Questions)
}

// enrichReply is the JSON that the prompt asks for.
type enrichReply struct {
	Summary   string   `json:"summary"`
	Entities  []string `json:"entities"`
	Questions []string `json:"questions"`
}

// readEnrichment reads a reply. One without anything to index is unreadable.
func readEnrichment(r rag.ChatReply) (out enrichReply, repair text.Repair, err error) {
	if reason := unusable(r); reason != "" {
		return out, "", fmt.Errorf("enrich chunk: %s", reason)
	}
	if repair, err = text.DecodeJSON(r.Text, &out); err != nil {
		return out, "", err
	}
	if text.Blank(out.Summary) && len(out.Entities) == 0 && len(out.Questions) == 0 {
		return out, "", fmt.Errorf("enrich chunk: the reply says nothing")
	}
	return out, repair, nil
}

// augmented puts a description behind a chunk's text.
func augmented(chunk, summary string, entities, questions []string) string {
	var b strings.Builder
	b.WriteString(chunk)
	for _, part := range []struct{ label, text string }{
		{"Summary", text.Normalise(summary)},
		{"Key entities", strings.Join(compact(entities), ", ")},
		{"Hypothetical questions", strings.Join(compact(questions), " ")},
	} {
		if part.text != "" {
			b.WriteString("\n\n" + part.label + ": " + part.text)
		}
	}
	return strings.ReplaceAll(b.String(), "\x00", "")
}

// compact normalises texts and drops blank ones.
func compact(list []string) []string {
	var out []string
	for _, s := range list {
		if s = text.Normalise(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// keepCalls stores calls in a transaction of their own.
func (e *Env) keepCalls(ctx context.Context, calls []rag.Call) error {
	if len(calls) == 0 {
		return nil
	}
	return e.DB.Write(ctx, func(tx *sql.Tx) error {
		_, err := e.SaveCalls(ctx, tx, calls)
		return err
	})
}

// enrichedRecipe is the recipe of chunks that a model describes: how they are cut, the text of the prompt, the model.
func enrichedRecipe(cut chunk.Recipe, model string) (string, error) {
	b, err := json.Marshal(struct {
		Chunks chunk.Recipe `json:"chunks"`
		Prompt string       `json:"enrich_prompt_sha256"`
		Model  string       `json:"enrich_model"`
	}{cut, prompt.EnrichSHA256(), model})
	return string(b), err
}
