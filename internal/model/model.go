// Package model reaches chat, embedding and decision models. A provider (one file each) only sends; everything else
// happens at one choke point, Log: the key of the request, the look-up of a stored reply, the hook for limits and
// retries, the price, the redaction of secrets, the record. Replies of a question are collected in a Recorder, so that
// they are written in the question's own transaction.
package model

import (
	"context"

	"ragbench/internal/rag"
)

// Identity says which model a provider reaches, and where.
type Identity struct {
	Ref     string // full reference, provider:model
	BaseURL string // scheme, host and path, without credentials; empty for a model in this process
	Mock    bool   // free, exact and fast: never answered from the log, so that runs do not depend on timing

	price   string   // the name a built-in price has; empty when only the configuration knows the price
	billed  string   // the reference whose price is charged; empty: Ref
	secrets []string // what no error, reply or row may hold
}

// Param is one parameter as it is sent, its value in JSON. A parameter that is not sent is absent, which is not the
// same as its default.
type Param struct {
	Name, JSON string
}

// ChatProvider sends chat requests of one model.
type ChatProvider interface {
	Identity() Identity
	// Params lists what SendChat sends for req beside the messages and how it is delivered, in a fixed order.
	Params(req rag.ChatRequest) []Param
	SendChat(ctx context.Context, req rag.ChatRequest) (ChatResult, error)
}

// ChatResult is a reply as the model gave it. A reply without choices is an error of SendChat.
type ChatResult struct {
	Text    string
	Finish  string // finish_reason as it came
	Refusal string // what the model said when it declined
	Calls   []rag.ToolCall
	Served  string // the model name in the reply; empty when it has none
	Usage   TokenUsage
}

// TokenUsage is the token classes of a reply. Cached tokens are part of Prompt, reasoning tokens part of Completion.
type TokenUsage struct {
	Prompt, Completion, Cached, Reasoning int
	Estimated                             bool // the server reported none
}

// EmbedProvider sends embedding requests of one model.
type EmbedProvider interface {
	Identity() Identity
	Info() rag.EmbedderInfo
	Params(req rag.EmbedRequest) []Param
	// Limits bounds one request; zero means no bound.
	Limits() (texts, bytes int)
	// SendEmbed returns one checked vector a text, in the order of the request.
	SendEmbed(ctx context.Context, req rag.EmbedRequest) (EmbedResult, error)
}

// EmbedResult is the vectors of one request.
type EmbedResult struct {
	Vectors   [][]float32
	Tokens    []int  // a text, as counted here
	Truncated []bool // the text was cut to the model's limit before sending
	Served    string
	Usage     TokenUsage // as reported
}

// DecideProvider puts predicates to one decision model.
type DecideProvider interface {
	Identity() Identity
	SendDecide(ctx context.Context, input string, ps []rag.Predicate) (DecideResult, error)
}

// DecideResult is one decision a predicate, in the order of the request.
type DecideResult struct {
	Decisions []rag.Decision
	Served    string
	Usage     TokenUsage
}
