package model

import (
	"context"
	"errors"
	"fmt"
)

// CallError is a failed request to a provider, without any secret. It unwraps to the context's error when that was the
// cause, and to nothing else, as causes of the network hold addresses and headers.
type CallError struct {
	Status     int    // HTTP status; 0 when no reply came
	Code       string // error code of the reply, such as context_length_exceeded
	Param      string // parameter the reply complains about
	Message    string
	RetryAfter string // header of that name, as it came

	cause error
}

func (e *CallError) Error() string {
	if e.Status == 0 {
		return e.Message
	}
	return fmt.Sprintf("status %d: %s", e.Status, e.Message)
}

// Unwrap implements the interface of package errors.
func (e *CallError) Unwrap() error { return e.cause }

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
