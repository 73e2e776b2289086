package rerank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// shownChars is how many code points of a candidate the model sees.
const shownChars = 700

// LLM has a chat model name the useful candidates in order. A hit scores topK - rank + 1.
type LLM struct {
	Chat rag.Chat
}

var _ Reranker = LLM{}

// Rerank implements Reranker. Ids that no candidate has and repeats are dropped and counted in step; candidates that are
// not named are dropped too. A reply without a usable id makes way for local_relevance. The call is booked as reranking,
// whatever it was good for; a call that fails is an error.
func (l LLM) Rerank(ctx context.Context, question string, candidates []rag.Hit, topK int, step *rag.Step) ([]rag.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(candidates) == 0 || topK < 1 {
		return nil, nil
	}
	reply, err := l.ask(ctx, question, candidates, topK, step)
	if err != nil {
		return nil, err
	}
	order, err := l.read(reply, candidates, step)
	if err != nil {
		note(step, "fallback", true)
		note(step, "reason", err.Error())
		return Local{}.Rerank(ctx, question, candidates, topK, step)
	}
	for i := range order {
		order[i].score = float64(topK - i)
	}
	return pick(candidates, order, topK, "llm"), nil
}

// ask makes the call.
func (l LLM) ask(ctx context.Context, question string, candidates []rag.Hit, topK int, step *rag.Step) (rag.ChatReply, error) {
	passages := make([]prompt.Candidate, len(candidates))
	for i, h := range candidates {
		cut := text.ByteOffset(h.Chunk.Text, shownChars)
		passages[i] = prompt.Candidate{ID: h.Chunk.Key, Text: h.Chunk.Text[:text.FloorBoundary(h.Chunk.Text, cut)]}
	}
	wanted := min(topK, len(candidates))
	zero := 0.0
	reply, err := l.Chat.Chat(ctx, rag.ChatRequest{
		Messages: prompt.Rerank(question, passages, wanted), MaxTokens: 60*wanted + 60, Temperature: &zero, JSON: true, Purpose: "rerank",
	})
	step.Calls = append(step.Calls, reply.Call)
	if err != nil {
		return reply, fmt.Errorf("rerank with %s: %w", l.Chat.Ref(), err)
	}
	step.Usage.PromptTokens += reply.Call.PromptTokens
	step.Usage.CompletionTokens += reply.Call.CompletionTokens
	step.Usage.Rerank = step.Usage.Rerank.Plus(reply.Call.Cost)
	return reply, nil
}

// read returns the candidates that a reply names, in its order.
func (l LLM) read(reply rag.ChatReply, candidates []rag.Hit, step *rag.Step) ([]scored, error) {
	raw, repair, err := text.JSON(reply.Text)
	if err != nil {
		return nil, err
	}
	ids, err := idList(raw)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(candidates))
	for i, h := range candidates {
		at[h.Chunk.Key] = i
	}
	var order []scored
	unknown, repeated := 0, 0
	named := make([]bool, len(candidates))
	for _, id := range ids {
		i, ok := at[id]
		switch {
		case !ok:
			unknown++
		case named[i]:
			repeated++
		default:
			named[i] = true
			order = append(order, scored{at: i})
		}
	}
	for key, n := range map[string]int{"unknown_ids": unknown, "repeated_ids": repeated} {
		if n > 0 {
			note(step, key, n)
		}
	}
	if repair != text.RepairNone {
		note(step, "repaired", string(repair))
	}
	if len(order) == 0 {
		return nil, errors.New("the reply names no candidate")
	}
	return order, nil
}

// idList returns the ids of {"chunk_ids": [...]}, or of the list alone. What is no text becomes an id that no candidate
// has.
func idList(raw json.RawMessage) ([]string, error) {
	if raw[0] == '{' {
		var object struct {
			ChunkIDs json.RawMessage `json:"chunk_ids"`
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, fmt.Errorf("read the reply: %w", err)
		}
		if raw = object.ChunkIDs; raw == nil {
			return nil, errors.New("the reply has no chunk_ids")
		}
	}
	var items []any
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, errors.New("chunk_ids is no list")
	}
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i], _ = item.(string)
	}
	return ids, nil
}
