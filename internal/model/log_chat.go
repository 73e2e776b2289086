package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ragbench/internal/rag"
)

// ChatLog is a chat model behind the log.
type ChatLog struct {
	log *Log
	p   ChatProvider
	id  Identity
}

// Chat puts a chat model behind the log.
func (l *Log) Chat(p ChatProvider) *ChatLog { return &ChatLog{l, p, p.Identity()} }

// Ref returns the full model reference.
func (c *ChatLog) Ref() string { return c.id.Ref }

// With returns the model with its calls recorded in rec. With nil, every call is stored at once in a transaction of
// its own; that must not happen inside a write transaction, which the store would wait for without end.
func (c *ChatLog) With(rec *Recorder) rag.Chat { return recordedChat{c, rec} }

type recordedChat struct {
	*ChatLog
	rec *Recorder
}

var _ rag.Chat = recordedChat{}

// chatResponse is the JSON of a stored reply.
type chatResponse struct {
	Text      string `json:"text"`
	Finish    string `json:"finish"` // as the model gave it
	Refusal   string `json:"refusal,omitempty"`
	ToolCalls int    `json:"tool_calls,omitempty"`
	Served    string `json:"served,omitempty"` // model name in the reply, where it is not the one asked for
	Estimated bool   `json:"estimated_usage,omitempty"`
}

// Chat implements rag.Chat. Finish of the reply is stop for a whole answer, and otherwise the stored status: length,
// content_filter, refusal, empty or tool_calls. These are outcomes and no errors; a text cut by length or a filter is
// returned as far as it came.
func (c recordedChat) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	params := c.p.Params(req)
	r := &Record{Kind: "chat", Purpose: purpose(req.Purpose, "chat"), Key: chatKey(c.id, params, &req)}
	r.Request = requestJSON(params)
	if req.Repeat != 0 {
		r.Request = requestJSON(params, intParam("repeat", req.Repeat))
	}
	r.Parts = messageParts(req.Messages)
	call := func() (outcome, error) { return c.call(ctx, req) }
	var out outcome
	var cached bool
	var err error
	if req.Temperature != nil && *req.Temperature == 0 && !c.id.Mock && !c.log.opts.NoReuse {
		out, cached, err = c.log.shared(ctx, r.Key, call)
	} else {
		out, err = call()
	}
	info, err := c.log.finish(ctx, c.rec, r, c.id, out, cached, err)
	reply := rag.ChatReply{Text: out.chat.Text, Finish: finishWord(out.status), Call: info}
	if err != nil {
		return rag.ChatReply{Call: info}, fmt.Errorf("chat with %s: %w", c.id.Ref, err)
	}
	return reply, nil
}

func (c recordedChat) call(ctx context.Context, req rag.ChatRequest) (outcome, error) {
	est := req.MaxTokens
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			est += len(p) / 4
		}
	}
	var res ChatResult
	out, err := c.log.send(ctx, c.id, est, func(ctx context.Context) (err error) {
		res, err = c.p.SendChat(ctx, req)
		return err
	})
	if err != nil {
		return out, err
	}
	out.usage = res.Usage
	out.status = chatStatus(&res)
	out.chat = chatResponse{
		Text: redact(res.Text, c.id.secrets), Finish: redact(res.Finish, c.id.secrets), Refusal: redact(res.Refusal, c.id.secrets),
		ToolCalls: res.ToolCalls, Served: c.id.servedName(res.Served), Estimated: res.Usage.Estimated,
	}
	if out.status == "refusal" || out.status == "tool_calls" || out.status == "empty" {
		out.chat.Text = ""
	}
	b, err := json.Marshal(out.chat)
	if err != nil {
		return out, fmt.Errorf("encode reply: %w", err) // unreachable: strings and numbers only
	}
	out.response = string(b)
	return out, nil
}

// chatStatus tells the outcomes apart. White space alone is no content.
func chatStatus(r *ChatResult) string {
	switch {
	case r.Finish == "content_filter":
		return "content_filter"
	case r.Refusal != "":
		return "refusal"
	case r.Finish == "length":
		return "length"
	case strings.TrimSpace(r.Text) != "":
		return "ok"
	case r.ToolCalls > 0:
		return "tool_calls"
	}
	return "empty"
}

func finishWord(status string) string {
	if status == "ok" {
		return "stop"
	}
	return status
}

// restore reads a stored reply.
func restore(st *Stored) (outcome, error) {
	out := outcome{id: st.ID, status: st.Status, response: st.Response, usage: st.Usage, latencyMS: st.LatencyMS, attempts: 1}
	if err := json.Unmarshal([]byte(st.Response), &out.chat); err != nil {
		return outcome{}, fmt.Errorf("read stored call %d: %w", st.ID, err)
	}
	return out, nil
}

func purpose(given, otherwise string) string {
	if given == "" {
		return otherwise
	}
	return given
}
