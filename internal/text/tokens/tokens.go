// Package tokens counts text the way models do. The counts of o200k_base are exact and need no network: the vocabulary
// is compiled in. An approximation exists beside it, and is used only where it is asked for by name, so that a stored
// count always says what it is.
package tokens

import (
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

// Default is the tokenizer used where none is named.
const Default = "o200k_base"

// Tokenizer counts and places tokens. It is safe for concurrent use. Any text is plain text to it: what looks like a
// special token, such as <|endoftext|>, is counted as the characters it consists of.
type Tokenizer interface {
	rag.TokenCounter
	// Starts appends to dst the byte offset at which each token of text starts, ascending. A token belongs where it
	// starts; a token of a byte-level vocabulary may start inside a character.
	Starts(dst []int, text string) []int
}

// All lists the tokenizers.
var All = spec.Table[func() (Tokenizer, error)]{
	{
		Name:  "o200k_base",
		Title: "byte-pair encoding of GPT-4o and later",
		Doc: "Exact token counts of OpenAI's o200k_base vocabulary, offline. Other vendors' models count differently, " +
			"usually within a fifth for English.",
		Cite: "tiktoken, github.com/openai/tiktoken",
		New:  func() (Tokenizer, error) { return loadO200k() },
	},
	{
		Name:  "approx",
		Title: "approximation without a vocabulary",
		Doc: "A run of at most five word characters is a token, and so is any other character that is no space. " +
			"Needs nothing and is fast; counts are estimates and are stored under this name.",
		New: func() (Tokenizer, error) { return Approx{}, nil },
	},
}

// New returns the tokenizer called name; "" means Default. The vocabulary is read once a process and shared.
func New(name string) (Tokenizer, error) {
	if name == "" {
		name = Default
	}
	e, err := All.Find("tokenizer", name)
	if err != nil {
		return nil, err
	}
	t, err := e.New()
	if err != nil {
		return nil, fmt.Errorf("load tokenizer %s: %w", name, err)
	}
	return t, nil
}

// Cut returns the byte offset at which token n of text starts, so that text[:offset] holds its first n tokens, and
// len(text) where it has no more than n. The offset may lie inside a character.
func Cut(t Tokenizer, text string, n int) int {
	if n <= 0 {
		return 0
	}
	starts := t.Starts(nil, text)
	if n >= len(starts) {
		return len(text)
	}
	return starts[n]
}
