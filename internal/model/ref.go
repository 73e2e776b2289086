package model

import (
	"fmt"
	"strconv"
	"strings"

	"ragbench/internal/spec"
)

// Ref is a parsed model reference.
//
//	gpt-6-luna                             OpenAI, as the provider is left out
//	openai:text-embedding-3-small
//	openai_compatible:box/llama-3.1:8b     the model llama-3.1:8b at the endpoint box of the configuration
//	mock:hashing-embedding@4096            with 4096 dimensions instead of 384
type Ref struct {
	Provider string
	Endpoint string // openai_compatible only
	Model    string
	Dims     int // mock embeddings only; 0: the model's own
}

// ParseRef reads a model reference, split at the first colon; without one the provider is openai. An unknown provider
// is an error that lists the valid ones and the nearest.
func ParseRef(s string) (Ref, error) {
	r := Ref{Provider: "openai", Model: s}
	if provider, model, ok := strings.Cut(s, ":"); ok {
		r.Provider, r.Model = provider, model
	}
	if _, err := Providers.Find("model provider", r.Provider); err != nil {
		return Ref{}, fmt.Errorf("model reference %q: %w", s, err)
	}
	switch r.Provider {
	case "openai_compatible":
		endpoint, model, ok := strings.Cut(r.Model, "/")
		if !ok || endpoint == "" {
			return Ref{}, fmt.Errorf("model reference %q: want openai_compatible:endpoint/model", s)
		}
		r.Endpoint, r.Model = endpoint, model
	case "mock":
		if name, dims, ok := strings.Cut(r.Model, "@"); ok {
			n, err := strconv.Atoi(dims)
			if err != nil || n < 1 || n > maxMockDims {
				return Ref{}, fmt.Errorf("model reference %q: dimensions %q are not a number from 1 to %d", s, dims, maxMockDims)
			}
			r.Model, r.Dims = name, n
		}
	}
	if strings.TrimSpace(r.Model) == "" {
		return Ref{}, fmt.Errorf("model reference %q: no model name", s)
	}
	return r, nil
}

// String returns the full reference: the same model always has the same one.
func (r Ref) String() string {
	s := r.Provider + ":"
	if r.Endpoint != "" {
		s += r.Endpoint + "/"
	}
	s += r.Model
	if r.Dims != 0 {
		s += "@" + strconv.Itoa(r.Dims)
	}
	return s
}

// unknownModel is the error for a model that a provider does not have.
func unknownModel(r Ref, family string, valid []string) error {
	return fmt.Errorf("model reference %q: %w", r, spec.Unknown(family, r.Model, valid))
}
