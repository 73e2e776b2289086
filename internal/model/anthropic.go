package model

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"ragbench/internal/rag"
)

const (
	anthropicBaseURL   = "https://api.anthropic.com"
	anthropicMaxTokens = 4096 // the API wants a limit; sent where the request has none
)

// jsonInstruction stands for a JSON mode, which the API lacks.
const jsonInstruction = "Reply with one JSON object and nothing else."

// openAnthropic opens a chat model of Anthropic through its own SDK. The SDK's environment look-up and its retries are
// off: keys come from Env, retries from the guard.
func openAnthropic(r Ref, env Env) (ChatProvider, error) {
	key, err := env.key("ANTHROPIC_API_KEY")
	if err != nil {
		return nil, fmt.Errorf("model reference %q: %w", r, err)
	}
	base := env.base(r, "ANTHROPIC_BASE_URL", anthropicBaseURL)
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("model reference %q: the base URL is not an http or https address", r)
	}
	id := identity(r, u, key)
	id.price = r.Model
	client := anthropic.NewClient(
		option.WithoutEnvironmentDefaults(), option.WithoutOpenTelemetry(), option.WithMaxRetries(0),
		option.WithBaseURL(strings.TrimRight(base, "/")+"/"), option.WithAPIKey(key), option.WithHTTPClient(newDoer(env.client())),
	)
	return &anthropicChat{newLearner(id), r, id, client, newCounter(env.Tokens)}, nil
}

// anthropicBody turns a request into the SDK's. System messages become the system prompt, wherever they stand; results of
// tools become blocks of a user message.
func anthropicBody(model string, maxTokens int, req *rag.ChatRequest) (anthropic.MessageNewParams, error) {
	b := anthropic.MessageNewParams{Model: anthropic.Model(model), MaxTokens: int64(maxTokens)}
	for _, m := range req.Messages {
		text := m.Text()
		var blocks []anthropic.ContentBlockParamUnion
		if m.Role == "tool" {
			blocks = append(blocks, anthropic.NewToolResultBlock(m.CallID, text, false))
		} else if strings.TrimSpace(text) != "" {
			blocks = append(blocks, anthropic.NewTextBlock(text))
		}
		for _, c := range m.Calls {
			blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, argumentsObject(c.Arguments), c.Name))
		}
		switch {
		case m.Role == "system":
			if strings.TrimSpace(text) != "" {
				b.System = append(b.System, anthropic.TextBlockParam{Text: text})
			}
		case len(blocks) == 0:
		case m.Role == "assistant":
			b.Messages = append(b.Messages, anthropic.NewAssistantMessage(blocks...))
		default:
			if n := len(b.Messages); n > 0 && b.Messages[n-1].OfUser != nil {
				b.Messages[n-1].OfUser.Content = append(b.Messages[n-1].OfUser.Content, blocks...)
			} else {
				b.Messages = append(b.Messages, anthropic.NewUserMessage(blocks...))
			}
		}
	}
	if req.JSON {
		b.System = append(b.System, anthropic.TextBlockParam{Text: jsonInstruction})
	}
	for _, t := range req.Tools {
		var schema anthropic.ToolInputSchemaParam
		if err := json.Unmarshal([]byte(t.Schema), &schema); err != nil {
			return b, fmt.Errorf("schema of tool %s: %w", t.Name, err)
		}
		b.Tools = append(b.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: t.Name, Description: anthropic.String(t.Description), InputSchema: schema,
		}})
	}
	return b, nil
}

// argumentsObject is what a model once sent as arguments, as the object that the API wants back.
func argumentsObject(arguments string) any {
	var object map[string]any
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return map[string]any{"arguments": arguments}
	}
	return object
}

// anthropicResult reads a message. A refusal has its own stop reason; a full context window ends a reply like a limit.
func anthropicResult(m *anthropic.Message) ChatResult {
	res := ChatResult{Served: string(m.Model), Finish: string(m.StopReason)}
	for _, c := range m.Content {
		switch c.Type {
		case "text":
			res.Text += c.Text
		case "tool_use":
			res.Calls = append(res.Calls, rag.ToolCall{ID: c.ID, Name: c.Name, Arguments: string(c.Input)})
		}
	}
	switch m.StopReason {
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		res.Finish = "length"
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence:
		res.Finish = "stop"
	case anthropic.StopReasonToolUse:
		res.Finish = "tool_calls"
	case anthropic.StopReasonRefusal:
		res.Refusal = "the model declined"
		if text := strings.TrimSpace(res.Text); text != "" {
			res.Refusal = text
		}
	}
	u := m.Usage
	res.Usage = TokenUsage{
		Prompt:     int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
		Completion: int(u.OutputTokens), Cached: int(u.CacheReadInputTokens), Reasoning: int(u.OutputTokensDetails.ThinkingTokens),
	}
	return res
}
