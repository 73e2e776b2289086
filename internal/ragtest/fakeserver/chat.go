package fakeserver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// said is what a chat model says, before an API puts it into its form.
type said struct {
	text    string
	null    bool // no content at all
	finish  string
	refusal string
	calls   []toolCall
	served  string
	empty   bool // no choice
	noUsage bool
	prompt  int // tokens
}

type toolCall struct{ id, name, arguments string }

var documentID = regexp.MustCompile(`\[(doc_[A-Za-z0-9_-]+)`)

// say plays the model on the messages.
func (s *Server) say(e *exchange, messages []Message) said {
	out := said{finish: "stop", served: e.model}
	for _, m := range messages {
		out.prompt += len(strings.Fields(m.Text)) + 4
	}
	switch e.model {
	case "fenced-json":
		out.text = "```json\n{\"score\": 3, \"verdict\": true}\n```"
	case "prose-after-json":
		out.text = `{"score": 3, "verdict": true} I hope this helps.`
	case "truncated-json":
		out.text = `{"score": 3, "verd`
	case "list-json":
		out.text = `[3, true]`
	case "missing-field":
		out.text = `{"note": "nothing to say"}`
	case "null-field":
		out.text = `{"score": null, "verdict": null}`
	case "false-string":
		out.text = `{"score": 3, "verdict": "false"}`
	case "incorrect-word":
		out.text = "INCORRECT"
	case "out-of-range":
		out.text = `{"score": 11, "probability": -1}`
	case "empty-choices":
		out.empty = true
	case "null-content":
		out.null = true
	case "refusal":
		out.null, out.refusal = true, "I cannot help with that."
	case "length":
		out.text, out.finish = "The ferry lea", "length"
	case "content-filter":
		out.text, out.finish = "The", "content_filter"
	case "other-model":
		out.text, out.served = "Hello.", "small-model"
	case "no-usage":
		out.text, out.noUsage = "one two three", true
	case "bad-tool-args":
		out.calls = []toolCall{{"call_1", "search", `{"query": oops`}}
	case "unknown-tool":
		out.calls = []toolCall{{"call_1", "launch", `{}`}}
	case "endless-tools":
		out.calls = []toolCall{{fmt.Sprint("call_", e.n), "search", `{"query":"ferry"}`}}
	default:
		out.text = s.answer(messages)
	}
	if len(out.calls) > 0 {
		out.null, out.finish = true, "tool_calls"
	}
	return out
}

// answer follows from the messages alone.
func (s *Server) answer(messages []Message) string {
	if s.Reply != nil {
		return s.Reply(messages)
	}
	h := sha256.New()
	cite := ""
	for _, m := range messages {
		io.WriteString(h, m.Role+"\x00"+m.Text+"\x00")
		if found := documentID.FindStringSubmatch(m.Text); found != nil && cite == "" && m.Role != "system" {
			cite = " [" + found[1] + "]"
		}
	}
	return fmt.Sprintf("Answer %x%s.", h.Sum(nil)[:4], cite)
}

// chat is OpenAI's chat completions.
func (s *Server) chat(e *exchange) {
	if scripted(e) {
		return
	}
	var req struct {
		Messages []struct {
			Role    string
			Content string
		}
		Stream bool
	}
	if json.Unmarshal(e.body, &req) != nil {
		e.fail(http.StatusBadRequest, "invalid_request", "", "The body is no JSON.")
		return
	}
	messages := make([]Message, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = Message{m.Role, m.Content}
	}
	out := s.say(e, messages)
	if req.Stream {
		e.streamChat(out)
		return
	}
	body := map[string]any{"object": "chat.completion", "model": out.served, "choices": []any{}}
	if !out.noUsage {
		body["usage"] = out.usage()
	}
	if !out.empty {
		message := map[string]any{"role": "assistant", "content": any(out.text)}
		if out.null {
			message["content"] = nil
		}
		if out.refusal != "" {
			message["refusal"] = out.refusal
		}
		if len(out.calls) > 0 {
			message["tool_calls"] = out.openAICalls(false)
		}
		body["choices"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": out.finish}}
	}
	e.write(body)
}

func (s said) usage() map[string]any {
	n := len(strings.Fields(s.text))
	return map[string]any{"prompt_tokens": s.prompt, "completion_tokens": n, "total_tokens": s.prompt + n}
}

func (s said) openAICalls(indexed bool) []any {
	var list []any
	for i, c := range s.calls {
		call := map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.arguments}}
		if indexed {
			call["index"] = i
		}
		list = append(list, call)
	}
	return list
}

// streamChat sends the reply a word at a time.
func (e *exchange) streamChat(out said) {
	e.w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		b, _ := json.Marshal(map[string]any{"object": "chat.completion.chunk", "model": out.served,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(e.w, "data: %s\n\n", b)
		_ = http.NewResponseController(e.w).Flush()
	}
	if !out.null {
		for _, word := range strings.SplitAfter(out.text, " ") {
			send(map[string]any{"content": word}, nil)
		}
	}
	if out.refusal != "" {
		send(map[string]any{"refusal": out.refusal}, nil)
	}
	if len(out.calls) > 0 {
		send(map[string]any{"tool_calls": out.openAICalls(true)}, nil)
	}
	send(map[string]any{}, out.finish)
	if !out.noUsage {
		b, _ := json.Marshal(map[string]any{"model": out.served, "choices": []any{}, "usage": out.usage()})
		fmt.Fprintf(e.w, "data: %s\n\n", b)
	}
	fmt.Fprint(e.w, "data: [DONE]\n\n")
}
