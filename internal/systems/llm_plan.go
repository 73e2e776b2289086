package systems

import (
	"context"
	"fmt"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// plan asks the model for help with the search, as a step of kind llm, booked as spent on the query. read takes what it
// needs from the reply and says how the reply had to be repaired. A reply that is empty, refused or unreadable fails no
// question: ok is false, the step is flagged fallback with the reason, and the caller goes on with the question itself.
// A call that fails is an error.
func (e *Env) plan(ctx context.Context, tr rag.Trace, name, input string, req rag.ChatRequest, read func(reply string) (text.Repair, error)) (ok bool, err error) {
	step, end := tr.Step(rag.StepLLM, name, input)
	defer end()
	reply, err := e.consult(ctx, step, name, req)
	if err != nil {
		return false, err
	}
	step.Usage.QueryRewrite, step.Usage.LLM = step.Usage.LLM, rag.Cost{}
	if reason := unusable(reply); reason != "" {
		note(step, "fallback", true)
		note(step, "reason", reason)
		return false, nil
	}
	repair, err := read(reply.Text)
	if err != nil {
		note(step, "fallback", true)
		note(step, "reason", err.Error())
		return false, nil
	}
	if repair != text.RepairNone {
		note(step, "repaired", string(repair))
	}
	if reply.Finish == "length" {
		note(step, "truncated_reply", true)
	}
	return true, nil
}

// consult makes one call inside a step at temperature 0 and books it as the answer's model cost.
func (e *Env) consult(ctx context.Context, step *rag.Step, purpose string, req rag.ChatRequest) (rag.ChatReply, error) {
	zero := 0.0
	req.Temperature, req.Purpose = &zero, purpose
	reply, err := e.Chat.Chat(ctx, req)
	step.Calls = append(step.Calls, reply.Call)
	if err != nil {
		step.Error = err.Error()
		return reply, fmt.Errorf("%s: %w", strings.ReplaceAll(purpose, "_", " "), err)
	}
	step.Usage = rag.Usage{PromptTokens: reply.Call.PromptTokens, CompletionTokens: reply.Call.CompletionTokens, LLM: reply.Call.Cost}
	step.Output = reply.Text
	return reply, nil
}

// unusable says why a reply holds nothing to read; empty when it may.
func unusable(reply rag.ChatReply) string {
	switch {
	case reply.Finish == "refusal" || reply.Finish == "content_filter" || reply.Finish == "tool_calls":
		return "the model ended with " + reply.Finish
	case text.Blank(reply.Text):
		return "the reply is empty"
	}
	return ""
}

// queryList reads the list of texts under key from a reply, or a reply that is only that list. Blank ones, repeats in any case and
// what is in but are left out; an empty list is an error.
func queryList(reply, key string, limit int, but ...string) (list []string, repair text.Repair, err error) {
	raw, repair, err := text.JSON(reply)
	if err != nil {
		return nil, "", err
	}
	items, err := listOf(raw, key)
	if err != nil {
		return nil, "", err
	}
	seen := map[string]bool{}
	for _, q := range but {
		seen[sameQuery(q)] = true
	}
	for _, item := range items {
		q := text.Normalise(item)
		if key := sameQuery(q); key != "" && !seen[key] && len(list) < limit {
			seen[key] = true
			list = append(list, q)
		}
	}
	if len(list) == 0 {
		return nil, "", fmt.Errorf("the list %s holds nothing to search with", key)
	}
	return list, repair, nil
}

// sameQuery is a text without what does not make it another query: case, spaces, the mark at its end.
func sameQuery(s string) string {
	return strings.TrimRight(strings.ToLower(text.Normalise(s)), " ?.!")
}
