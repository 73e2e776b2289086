package model

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/sashabaranov/go-openai"

	"ragbench/internal/rag"
)

// openAIChat is a chat model of OpenAI or of a compatible endpoint.
type openAIChat struct {
	*learner
	ref    Ref
	id     Identity
	client *openai.Client
	tokens *counter
}

var _ Learner = (*openAIChat)(nil)

func openOpenAIChat(r Ref, env Env) (ChatProvider, error) {
	if r.Provider == "openai" && isOpenAIEmbedding(r.Model) {
		return nil, unknownModelKind(r, "an embedding model, not a chat model")
	}
	client, id, err := openAIClient(r, env)
	if err != nil {
		return nil, err
	}
	return &openAIChat{newLearner(id), r, id, client, newCounter(env.Tokens)}, nil
}

func (c *openAIChat) Identity() Identity { return c.id }

// body returns the request as it is sent, without its messages. OpenAI itself takes max_completion_tokens for every
// model; compatible servers may know only the older max_tokens. What the model is known to reject is left out or renamed.
func (c *openAIChat) body(req *rag.ChatRequest) openai.ChatCompletionRequest {
	b := openai.ChatCompletionRequest{Model: c.ref.Model}
	if req.Temperature != nil && c.name("temperature") != "" {
		b.Temperature = float32(*req.Temperature)
		if b.Temperature == 0 {
			b.Temperature = math.SmallestNonzeroFloat32 // sent as 0, see doer
		}
	}
	limit := "max_tokens"
	if c.ref.Provider == "openai" {
		limit = "max_completion_tokens"
	}
	switch c.name(limit) {
	case "max_tokens":
		//lint:ignore SA1019 compatible servers may not know the newer name
		b.MaxTokens = req.MaxTokens
	case "max_completion_tokens":
		b.MaxCompletionTokens = req.MaxTokens
	}
	if req.Effort != "" && c.name("reasoning_effort") != "" {
		b.ReasoningEffort = req.Effort
	}
	if req.JSON && c.name("response_format") != "" {
		b.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	for _, t := range req.Tools {
		b.Tools = append(b.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
		}})
	}
	return fit(b)
}

// fit takes out what the library knows the model to reject: sampling while it reasons, the older name of the limit. A
// model that calls tools only without reasoning is asked not to reason.
func fit(b openai.ChatCompletionRequest) openai.ChatCompletionRequest {
	for range 4 {
		err := openai.NewReasoningValidator().Validate(b)
		switch {
		case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
			//lint:ignore SA1019 see body
			b.MaxTokens, b.MaxCompletionTokens = 0, b.MaxTokens
		case errors.Is(err, openai.ErrReasoningSamplingUnsupported), errors.Is(err, openai.ErrReasoningModelLimitationsOther):
			b.Temperature = 0
		case errors.Is(err, openai.ErrReasoningToolsRequireResponses) && b.ReasoningEffort == "":
			b.ReasoningEffort = openai.ReasoningEffortNone
		default:
			return b
		}
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
	//lint:ignore SA1019 see body
	if n := b.MaxTokens; n > 0 {
		p = append(p, intParam("max_tokens", n))
	}
	if b.MaxCompletionTokens > 0 {
		p = append(p, intParam("max_completion_tokens", b.MaxCompletionTokens))
	}
	if b.ReasoningEffort != "" {
		p = append(p, Param{"reasoning_effort", quoteJSON(b.ReasoningEffort)})
	}
	if b.ResponseFormat != nil {
		p = append(p, Param{"response_format", `{"type":"json_object"}`})
	}
	return append(p, toolsParam(req.Tools)...)
}

// toolsParam lists tools as one parameter, none when there are none.
func toolsParam(tools []rag.Tool) []Param {
	if len(tools) == 0 {
		return nil
	}
	list := make([]struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
	}, len(tools))
	for i, t := range tools {
		list[i].Name, list[i].Description, list[i].Schema = t.Name, t.Description, json.RawMessage(t.Schema)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return []Param{{"tools", quoteJSON(err.Error())}} // a schema that is no JSON: sending it fails in the same words
	}
	return []Param{{"tools", string(b)}}
}

// SendChat implements ChatProvider.
func (c *openAIChat) SendChat(ctx context.Context, req rag.ChatRequest) (ChatResult, error) {
	b := c.body(&req)
	b.Messages = make([]openai.ChatCompletionMessage, len(req.Messages))
	for i, m := range req.Messages {
		b.Messages[i] = openAIMessage(m)
	}
	var res ChatResult
	var err error
	if req.Stream != nil {
		res, err = c.stream(ctx, b, req.Stream)
	} else {
		res, err = c.whole(ctx, b)
	}
	if err != nil {
		return ChatResult{}, err
	}
	if err := checkServed(c.ref, res.Served); err != nil {
		return ChatResult{}, err
	}
	if res.Usage.Prompt == 0 {
		res.Usage = TokenUsage{Prompt: c.tokens.messages(req.Messages), Estimated: true}
		if res.Text != "" {
			res.Usage.Completion = c.tokens.Count(res.Text)
		}
	}
	return res, nil
}

func openAIMessage(m rag.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: m.Role, Content: m.Text(), ToolCallID: m.CallID}
	for _, t := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{
			ID: t.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: t.Name, Arguments: t.Arguments},
		})
	}
	return out
}

// whole asks for the reply in one piece.
func (c *openAIChat) whole(ctx context.Context, b openai.ChatCompletionRequest) (ChatResult, error) {
	rep, err := c.client.CreateChatCompletion(ctx, b)
	if err != nil {
		return ChatResult{}, err
	}
	if len(rep.Choices) == 0 {
		return ChatResult{}, &CallError{Message: "the reply has no choices"}
	}
	choice := rep.Choices[0]
	res := ChatResult{
		Text:    choice.Message.Content,
		Finish:  string(choice.FinishReason),
		Refusal: choice.Message.Refusal,
		Calls:   openAICalls(choice.Message.ToolCalls),
		Served:  rep.Model,
		Usage:   chatUsage(rep.Usage),
	}
	for _, p := range choice.Message.MultiContent {
		res.Text += p.Text
	}
	return res, nil
}

func openAICalls(calls []openai.ToolCall) []rag.ToolCall {
	var list []rag.ToolCall
	for _, t := range calls {
		list = append(list, rag.ToolCall{ID: t.ID, Name: t.Function.Name, Arguments: t.Function.Arguments})
	}
	return list
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
