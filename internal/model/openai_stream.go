package model

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/sashabaranov/go-openai"

	"ragbench/internal/rag"
)

// stream asks for the reply piece by piece and calls show with the text so far. A stream that ends before it says why it
// does is half a reply.
func (c *openAIChat) stream(ctx context.Context, b openai.ChatCompletionRequest, show func(string)) (ChatResult, error) {
	b.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	s, err := c.client.CreateChatCompletionStream(ctx, b)
	if err != nil {
		return ChatResult{}, err
	}
	defer s.Close()
	var res ChatResult
	var text, refusal strings.Builder
	for {
		piece, err := s.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return ChatResult{}, streamError(err)
		}
		if piece.Model != "" {
			res.Served = piece.Model
		}
		if piece.Usage != nil {
			res.Usage = chatUsage(*piece.Usage)
		}
		if len(piece.Choices) == 0 {
			continue
		}
		choice := piece.Choices[0]
		if choice.FinishReason != "" {
			res.Finish = string(choice.FinishReason)
		}
		refusal.WriteString(choice.Delta.Refusal)
		res.Calls = addCallPieces(res.Calls, choice.Delta.ToolCalls)
		if choice.Delta.Content != "" {
			text.WriteString(choice.Delta.Content)
			show(text.String())
		}
	}
	if res.Finish == "" {
		return ChatResult{}, networkError("read reply: ", io.ErrUnexpectedEOF)
	}
	res.Text, res.Refusal = text.String(), refusal.String()
	return res, nil
}

// addCallPieces puts the pieces of tool calls together by their index.
func addCallPieces(calls []rag.ToolCall, pieces []openai.ToolCall) []rag.ToolCall {
	for _, p := range pieces {
		i := len(calls)
		if p.Index != nil {
			i = *p.Index
		}
		if i < 0 || i > 1000 {
			continue
		}
		for len(calls) <= i {
			calls = append(calls, rag.ToolCall{})
		}
		if p.ID != "" {
			calls[i].ID = p.ID
		}
		calls[i].Name += p.Function.Name
		calls[i].Arguments += p.Function.Arguments
	}
	return calls
}

// streamError tells an error that the server reports inside a stream from a broken connection.
func streamError(err error) error {
	var api *openai.APIError
	if errors.As(err, &api) {
		e := &CallError{Status: api.HTTPStatusCode, Message: api.Message}
		if s, ok := api.Code.(string); ok {
			e.Code = s
		}
		return e
	}
	return networkError("read reply: ", err)
}
