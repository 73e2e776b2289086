package fakeserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// block is a piece of content of Anthropic's messages, of a request or a reply.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
}

// messages is Anthropic's messages.
func (s *Server) messages(e *exchange) {
	if scripted(e) {
		return
	}
	var req struct {
		MaxTokens int `json:"max_tokens"`
		System    []block
		Messages  []struct {
			Role    string
			Content []block
		}
		Stream bool
	}
	if err := json.Unmarshal(e.body, &req); err != nil || req.MaxTokens <= 0 || len(req.Messages) == 0 {
		e.fail(http.StatusBadRequest, "invalid_request_error", "", "max_tokens: field required")
		return
	}
	var list []Message
	for _, b := range req.System {
		list = append(list, Message{"system", b.Text})
	}
	for _, m := range req.Messages {
		var text strings.Builder
		for _, b := range m.Content {
			text.WriteString(b.Text)
			text.Write(b.Content)
		}
		list = append(list, Message{m.Role, text.String()})
	}
	out := s.say(e, list)
	content := out.blocks()
	body := map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": out.served, "content": content,
		"stop_reason": out.stopReason(), "stop_sequence": nil, "usage": map[string]any{"input_tokens": out.prompt, "output_tokens": len(strings.Fields(out.text))},
	}
	if out.noUsage {
		body["usage"] = map[string]any{}
	}
	if req.Stream {
		e.streamMessages(body, content)
		return
	}
	e.write(body)
}

func (s said) blocks() []block {
	list := []block{}
	if s.text != "" {
		list = append(list, block{Type: "text", Text: s.text})
	}
	for _, c := range s.calls {
		input := json.RawMessage(c.arguments)
		if !json.Valid(input) {
			input = json.RawMessage(`{"query":7}`) // the API gives objects alone: the wrong type is the nearest fault
		}
		list = append(list, block{Type: "tool_use", ID: c.id, Name: c.name, Input: input})
	}
	return list
}

func (s said) stopReason() string {
	switch {
	case s.refusal != "", s.finish == "content_filter":
		return "refusal"
	case s.finish == "length":
		return "max_tokens"
	case s.finish == "tool_calls":
		return "tool_use"
	}
	return "end_turn"
}

// streamMessages sends the reply as events, a word at a time.
func (e *exchange) streamMessages(body map[string]any, content []block) {
	e.w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		b, _ := json.Marshal(fields)
		fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", kind, b)
		_ = http.NewResponseController(e.w).Flush()
	}
	stop := body["stop_reason"]
	body["content"], body["stop_reason"] = []block{}, nil
	send("message_start", map[string]any{"message": body})
	for i, b := range content {
		start, pieces := any(map[string]any{"type": "text", "text": ""}), strings.SplitAfter(b.Text, " ")
		kind, field := "text_delta", "text"
		if b.Type == "tool_use" {
			start, pieces = map[string]any{"type": "tool_use", "id": b.ID, "name": b.Name, "input": map[string]any{}}, []string{string(b.Input)}
			kind, field = "input_json_delta", "partial_json"
		}
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		for _, p := range pieces {
			send("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": kind, field: p}})
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": body["usage"]})
	send("message_stop", map[string]any{})
}
