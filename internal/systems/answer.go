package systems

import (
	"context"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// answer is the shared answering: the generator reads the ranking's context, or its first ContextK hits, and cites
// documents as [doc_id].
func (e *Env) answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	read := r.Context
	if read == nil {
		read = r.Hits[:min(e.ContextK, len(r.Hits))]
	}
	blocks := make([]prompt.Block, len(read))
	docs := make(map[string]bool, len(read))
	for i := range read {
		blocks[i] = prompt.BlockOf(&read[i].Chunk)
		docs[read[i].Chunk.DocID] = true
	}
	return e.generate(ctx, q, prompt.Answer(q.Text, blocks), docs, tr)
}

// generate makes the answering call and reads its citations, which count only when they name a document in docs.
func (e *Env) generate(ctx context.Context, q rag.Question, messages []rag.Message, docs map[string]bool, tr rag.Trace) (rag.Answer, error) {
	step, end := tr.Step(rag.StepGenerate, "answer", q.Text)
	defer end()
	zero := 0.0
	reply, err := e.Chat.Chat(ctx, rag.ChatRequest{Messages: messages, Temperature: &zero, Purpose: "answer"})
	step.Calls = append(step.Calls, reply.Call)
	if err != nil {
		step.Error = err.Error()
		return rag.Answer{}, err
	}
	step.Usage = rag.Usage{PromptTokens: reply.Call.PromptTokens, CompletionTokens: reply.Call.CompletionTokens, LLM: reply.Call.Cost}
	step.Output = reply.Text
	return rag.Answer{
		Text:      reply.Text,
		Refused:   text.Refuses(reply.Text),
		Citations: text.Citations(reply.Text, func(id string) bool { return docs[id] }),
		Finish:    reply.Finish,
	}, nil
}
