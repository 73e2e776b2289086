package model

import (
	"context"
	"encoding/json"
	"errors"
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
func (l *Log) Chat(p ChatProvider) *ChatLog {
	l.admit(p.Identity(), p)
	return &ChatLog{l, p, p.Identity()}
}

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
	Text      string         `json:"text"`
	Finish    string         `json:"finish"` // as the model gave it
	Refusal   string         `json:"refusal,omitempty"`
	ToolCalls []toolCallJSON `json:"tool_calls,omitempty"`
	Served    string         `json:"served,omitempty"` // model name in the reply, where it is not the one asked for
	Estimated bool           `json:"estimated_usage,omitempty"`
}

// toolCallJSON is a tool call as stored. Arguments is text: what a model sends need not be JSON.
type toolCallJSON struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Chat implements rag.Chat. Finish of the reply is stop for a whole answer, and otherwise the stored status: length,
// content_filter, refusal, empty or tool_calls. These are outcomes and no errors; a text cut by length or a filter is
// returned as far as it came. A parameter that the model rejects is left out or renamed and the request made again; what
// is stored is what was sent last.
func (c recordedChat) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	r, out, cached, err := c.settle(ctx, req)
	info, err := c.log.finish(ctx, c.rec, r, c.id, out, cached, err)
	if err != nil {
		return rag.ChatReply{Call: info}, fmt.Errorf("chat with %s: %w", c.id.Ref, err)
	}
	if req.Stream != nil && cached && out.chat.Text != "" {
		req.Stream(out.chat.Text)
	}
	reply := rag.ChatReply{Text: out.chat.Text, Finish: finishWord(out.status), Call: info}
	for _, t := range out.chat.ToolCalls {
		reply.Calls = append(reply.Calls, rag.ToolCall(t))
	}
	return reply, nil
}

// settle gets the reply to a request, with other parameters where the model rejects some.
func (c recordedChat) settle(ctx context.Context, req rag.ChatRequest) (r *Record, out outcome, cached bool, err error) {
	attempts := 0
	var learned []Learned
	for {
		params := c.p.Params(req)
		r = &Record{Kind: "chat", Purpose: purpose(req.Purpose, "chat"), Key: chatKey(c.id, params, &req), Learned: learned}
		r.Request = requestJSON(params)
		if req.Repeat != 0 {
			r.Request = requestJSON(params, intParam("repeat", req.Repeat))
		}
		r.Parts = messageParts(req.Messages)
		reuse := c.log.opts.Sampled || req.Temperature != nil && *req.Temperature == 0
		out, cached, err = c.log.answer(ctx, r, c.id, reuse, func() (outcome, error) { return c.call(ctx, req) })
		if !cached {
			attempts += out.attempts
			out.attempts = attempts
		}
		var rejected *CallError
		p, teachable := c.p.(Learner)
		if err == nil || !teachable || c.log.opts.Replay || ctx.Err() != nil || !errors.As(err, &rejected) {
			return r, out, cached, err
		}
		fact, ok := p.Learn(params, rejected)
		if !ok {
			return r, out, cached, err
		}
		learned = append(learned, fact)
	}
}

func (c recordedChat) call(ctx context.Context, req rag.ChatRequest) (outcome, error) {
	est := req.MaxTokens
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			est += len(p) / 4
		}
	}
	if stream := req.Stream; stream != nil {
		req.Stream = func(text string) { stream(c.log.redact(text)) }
	}
	var res ChatResult
	out, err := c.log.send(ctx, c.id, est, func(ctx context.Context) (err error) {
		res, err = c.p.SendChat(ctx, req)
		return err
	})
	var e *CallError
	if errors.As(err, &e) && e.status() == "content_filter" {
		res, err = ChatResult{Finish: "content_filter", Refusal: e.Error()}, nil
	}
	if err != nil {
		return out, err
	}
	out.usage = res.Usage
	out.status = chatStatus(&res)
	out.chat = chatResponse{
		Text: c.log.redact(res.Text), Finish: c.log.redact(res.Finish), Refusal: c.log.redact(res.Refusal),
		Served: c.log.servedName(&c.id, res.Served), Estimated: res.Usage.Estimated,
	}
	for _, t := range res.Calls {
		out.chat.ToolCalls = append(out.chat.ToolCalls, toolCallJSON{c.log.redact(t.ID), c.log.redact(t.Name), c.log.redact(t.Arguments)})
	}
	if out.status == "refusal" || out.status == "empty" {
		out.chat.Text = ""
	}
	b, err := json.Marshal(out.chat)
	if err != nil {
		return out, fmt.Errorf("encode reply: %w", err) // unreachable: strings and numbers only
	}
	out.response = string(b)
	return out, nil
}

// chatStatus tells the outcomes apart. White space alone is no content; tool calls are an outcome of their own, with or
// without a text beside them.
func chatStatus(r *ChatResult) string {
	switch {
	case r.Finish == "content_filter":
		return "content_filter"
	case r.Refusal != "":
		return "refusal"
	case r.Finish == "length":
		return "length"
	case len(r.Calls) > 0:
		return "tool_calls"
	case strings.TrimSpace(r.Text) != "":
		return "ok"
	}
	return "empty"
}

func finishWord(status string) string {
	if status == "ok" {
		return "stop"
	}
	return status
}

func purpose(given, otherwise string) string {
	if given == "" {
		return otherwise
	}
	return given
}

// toolCallsJSON is how the calls of an assistant message are stored.
func toolCallsJSON(calls []rag.ToolCall) string {
	list := make([]toolCallJSON, len(calls))
	for i, c := range calls {
		list[i] = toolCallJSON(c)
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // unreachable: strings only
	}
	return string(b)
}
