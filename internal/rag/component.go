package rag

import (
	"context"
	"errors"
)

// Sentinels that callers test for with errors.Is.
var (
	ErrNotFound = errors.New("not found")
	ErrBudget   = errors.New("budget exhausted")
	ErrNoAnswer = errors.New("no answer")
	// ErrContextLength: the prompt is longer than the model takes. Nothing was answered and nothing charged.
	ErrContextLength = errors.New("the prompt is longer than the model takes")
	// ErrNotStored: a replay needs a model call that the file does not hold.
	ErrNotStored = errors.New("the file does not hold the call")
)

// Chunker cuts a document. The shared base (package chunk) turns its spans into chunks and gives the guarantees.
type Chunker interface {
	// Spans returns the half-open byte spans of d.Text that become chunks, in order.
	Spans(ctx context.Context, d *Document) ([]Span, error)
}

// Span is a half-open range of bytes in a document's text.
type Span struct {
	Start, End int
}

// TokenCounter counts tokens the way a model does.
type TokenCounter interface {
	// Name is stored beside every count: o200k_base, or the name of an approximation.
	Name() string
	Count(text string) int
}
