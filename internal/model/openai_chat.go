package model

import (
	"context"
	"math"
	"strconv"

	"github.com/sashabaranov/go-openai"

	"ragbench/internal/rag"
)

// openAIChat is a chat model of OpenAI or of a compatible endpoint.
type openAIChat struct {
	ref    Ref
	id     Identity
	client *openai.Client
	tokens *counter
	// noTemperature: the model is known to refuse sampling parameters, so none is sent.
	noTemperature bool
}

func openOpenAIChat(r Ref, env Env) (ChatProvider, error) {
	if r.Provider == "openai" && isOpenAIEmbedding(r.Model) {
		return nil, unknownModelKind(r, "an embedding model, not a chat model")
	}
	client, id, err := openAIClient(r, env)
	if err != nil {
		return nil, err
	}
	probe := openai.ChatCompletionRequest{Model: r.Model, Temperature: math.SmallestNonzeroFloat32}
	return &openAIChat{
		ref: r, id: id, client: client, tokens: newCounter(env.Tokens),
		noTemperature: openai.NewReasoningValidator().Validate(probe) != nil,
	}, nil
}

func (c *openAIChat) Identity() Identity { return c.id }

// body returns the request as it is sent. OpenAI itself takes max_completion_tokens for every model; compatible
// servers may know only the older max_tokens.
func (c *openAIChat) body(req *rag.ChatRequest) openai.ChatCompletionRequest {
	b := openai.ChatCompletionRequest{Model: c.ref.Model}
	if req.Temperature != nil && !c.noTemperature {
		b.Temperature = float32(*req.Temperature)
		if b.Temperature == 0 {
			b.Temperature = math.SmallestNonzeroFloat32 // sent as 0, see doer
		}
	}
	if c.ref.Provider == "openai" {
		b.MaxCompletionTokens = req.MaxTokens
	} else {
		//lint:ignore SA1019 compatible servers may not know the newer name
		b.MaxTokens = req.MaxTokens
	}
	if req.JSON {
		b.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return b
}

// Params implements ChatProvider.
func (c *openAIChat) Params(req rag.ChatRequest) []Param {
	b := c.body(&req)
	p := []Param{{"model", quoteJSON(b.Model)}}
	switch {
	case b.Temperature == math.SmallestNonzeroFloat32:
		p = append(p, Param{"temperature", "0"})
	case b.Temperature != 0:
		p = append(p, Param{"temperature", strconv.FormatFloat(float64(b.Temperature), 'g', -1, 32)})
	}
	switch {
	case b.MaxCompletionTokens > 0:
		p = append(p, intParam("max_completion_tokens", b.MaxCompletionTokens))
	case req.MaxTokens > 0:
		p = append(p, intParam("max_tokens", req.MaxTokens))
	}
	if b.ResponseFormat != nil {
		p = append(p, Param{"response_format", `{"type":"json_object"}`})
	}
	return p
}

// SendChat implements ChatProvider.
func (c *openAIChat) SendChat(ctx context.Context, req rag.ChatRequest) (ChatResult, error) {
	b := c.body(&req)
	b.Messages = make([]openai.ChatCompletionMessage, len(req.Messages))
	for i, m := range req.Messages {
		b.Messages[i] = openai.ChatCompletionMessage{Role: m.Role, Content: m.Text()}
	}
	rep, err := c.client.CreateChatCompletion(ctx, b)
	if err != nil {
		return ChatResult{}, err
	}
	if len(rep.Choices) == 0 {
		return ChatResult{}, &CallError{Message: "the reply has no choices"}
	}
	if err := checkServed(c.ref, rep.Model); err != nil {
		return ChatResult{}, err
	}
	choice := rep.Choices[0]
	res := ChatResult{
		Text:      choice.Message.Content,
		Finish:    string(choice.FinishReason),
		Refusal:   choice.Message.Refusal,
		ToolCalls: len(choice.Message.ToolCalls),
		Served:    rep.Model,
		Usage:     chatUsage(rep.Usage),
	}
	for _, p := range choice.Message.MultiContent {
		res.Text += p.Text
	}
	if rep.Usage.PromptTokens == 0 {
		res.Usage = TokenUsage{Prompt: c.tokens.messages(req.Messages), Estimated: true}
		if res.Text != "" {
			res.Usage.Completion = c.tokens.Count(res.Text)
		}
	}
	return res, nil
}

func chatUsage(u openai.Usage) TokenUsage {
	out := TokenUsage{Prompt: u.PromptTokens, Completion: u.CompletionTokens}
	if u.PromptTokensDetails != nil {
		out.Cached = u.PromptTokensDetails.CachedTokens
	}
	if u.CompletionTokensDetails != nil {
		out.Reasoning = u.CompletionTokensDetails.ReasoningTokens
	}
	return out
}
