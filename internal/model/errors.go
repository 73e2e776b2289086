package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ragbench/internal/rag"
)

// CallError is a failed request to a provider, without any secret. It unwraps to the context's error when that was the
// cause, and to nothing else, as causes of the network hold addresses and headers. It is rag.ErrContextLength when the
// prompt was longer than the model takes.
type CallError struct {
	Status     int    // HTTP status; 0 when no reply came
	Code       string // error code of the reply, such as context_length_exceeded
	Param      string // parameter the reply complains about
	Message    string
	RetryAfter string // header of that name, as it came
	Network    bool   // no reply, or half of one: the same request may succeed

	cause error
}

// Error implements the interface error.
func (e *CallError) Error() string {
	if e.Status == 0 {
		return e.Message
	}
	return fmt.Sprintf("status %d: %s", e.Status, e.Message)
}

// Unwrap implements the interface of package errors.
func (e *CallError) Unwrap() error { return e.cause }

// Is implements the interface of package errors.
func (e *CallError) Is(target error) bool {
	return target == rag.ErrContextLength && e.status() == "context_length"
}

// status is the stored status of a failed call: context_length for a prompt over the model's limit, content_filter
// where a filter refused the prompt, which is an outcome and no failure, else error.
func (e *CallError) status() string {
	if e.Status < 400 || e.Status >= 500 {
		return "error"
	}
	text := strings.ToLower(e.Message)
	switch {
	case e.Code == "content_filter" || e.Code == "content_policy_violation":
		return "content_filter"
	case e.Code == "context_length_exceeded",
		strings.Contains(text, "maximum context length"),
		strings.Contains(text, "prompt is too long"),
		strings.Contains(text, "exceeds the context window"),
		strings.Contains(text, "exceed context limit"):
		return "context_length"
	}
	return "error"
}

// networkError is the failure of a request that got no whole reply.
func networkError(doing string, err error) error {
	e := &CallError{Message: doing + err.Error(), Network: true}
	for _, c := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, c) {
			e.cause = c
		}
	}
	return e
}

// callError turns any error of a provider into a CallError whose text holds no secret.
func callError(err error, secrets []string) *CallError {
	var out CallError
	var ce *CallError
	if errors.As(err, &ce) {
		out = *ce
	} else {
		out.Message = err.Error()
	}
	for _, c := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, c) {
			out.cause = c
		}
	}
	for _, field := range []*string{&out.Message, &out.Code, &out.Param, &out.RetryAfter} {
		*field = redact(*field, secrets)
	}
	return &out
}
