package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"ragbench/internal/rag"
)

// anthropicChat is a chat model of Anthropic.
type anthropicChat struct {
	*learner
	ref    Ref
	id     Identity
	client anthropic.Client
	tokens *counter
}

var _ Learner = (*anthropicChat)(nil)

func (c *anthropicChat) Identity() Identity { return c.id }

func (c *anthropicChat) maxTokens(req *rag.ChatRequest) int {
	if req.MaxTokens > 0 {
		return req.MaxTokens
	}
	return anthropicMaxTokens
}

// effort is the effort to send; empty for none, which is how the API says no reasoning.
func (c *anthropicChat) effort(req *rag.ChatRequest) string {
	if req.Effort == "none" || c.name("reasoning_effort") == "" {
		return ""
	}
	return req.Effort
}

// Params implements ChatProvider. Newer models take no temperature: it is left out once the model says so.
func (c *anthropicChat) Params(req rag.ChatRequest) []Param {
	p := []Param{{"model", quoteJSON(c.ref.Model)}}
	if req.Temperature != nil && c.name("temperature") != "" {
		p = append(p, Param{"temperature", strconv.FormatFloat(*req.Temperature, 'g', -1, 64)})
	}
	p = append(p, intParam("max_tokens", c.maxTokens(&req)))
	if e := c.effort(&req); e != "" {
		p = append(p, Param{"reasoning_effort", quoteJSON(e)})
	}
	if req.JSON {
		p = append(p, Param{"response_format", quoteJSON(jsonInstruction)})
	}
	return append(p, toolsParam(req.Tools)...)
}

// Learn implements Learner. The limit and the JSON instruction are not given up: the API has no other way.
func (c *anthropicChat) Learn(params []Param, e *CallError) (Learned, bool) {
	var list []Param
	for _, p := range params {
		if p.Name == "temperature" || p.Name == "reasoning_effort" {
			list = append(list, p)
		}
	}
	return c.learner.Learn(list, e)
}

// SendChat implements ChatProvider.
func (c *anthropicChat) SendChat(ctx context.Context, req rag.ChatRequest) (ChatResult, error) {
	b, err := anthropicBody(c.ref.Model, c.maxTokens(&req), &req)
	if err != nil {
		return ChatResult{}, err
	}
	if e := c.effort(&req); e != "" {
		b.OutputConfig.Effort = anthropic.OutputConfigEffort(e)
	}
	var opts []option.RequestOption
	if req.Temperature != nil && c.name("temperature") != "" {
		opts = append(opts, option.WithJSONSet("temperature", *req.Temperature))
	}
	var m *anthropic.Message
	if req.Stream != nil {
		m, err = c.stream(ctx, b, req.Stream, opts)
	} else {
		m, err = c.client.Messages.New(ctx, b, opts...)
	}
	if err != nil {
		return ChatResult{}, err
	}
	res := anthropicResult(m)
	if served := res.Served; served != "" && served != c.ref.Model && !strings.HasPrefix(served, c.ref.Model+"-") {
		return ChatResult{}, &CallError{Message: fmt.Sprintf("asked for model %s and was answered by %s", c.ref.Model, served)}
	}
	if res.Usage.Prompt == 0 {
		res.Usage = TokenUsage{Prompt: c.tokens.messages(req.Messages), Estimated: true}
		if res.Text != "" {
			res.Usage.Completion = c.tokens.Count(res.Text)
		}
	}
	return res, nil
}

// stream asks for the reply piece by piece and calls show with the text so far.
func (c *anthropicChat) stream(ctx context.Context, b anthropic.MessageNewParams, show func(string), opts []option.RequestOption) (*anthropic.Message, error) {
	s := c.client.Messages.NewStreaming(ctx, b, opts...)
	defer s.Close()
	var m anthropic.Message
	var text strings.Builder
	for s.Next() {
		event := s.Current()
		if err := m.Accumulate(event); err != nil {
			return nil, &CallError{Message: "read reply: " + err.Error()}
		}
		if event.Type == "content_block_delta" && event.Delta.Text != "" {
			text.WriteString(event.Delta.Text)
			show(text.String())
		}
	}
	if err := s.Err(); err != nil {
		var ce *CallError
		if errors.As(err, &ce) {
			return nil, ce
		}
		return nil, networkError("read reply: ", err)
	}
	if m.StopReason == "" {
		return nil, networkError("read reply: ", io.ErrUnexpectedEOF)
	}
	return &m, nil
}
