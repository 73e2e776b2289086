package model

import (
	"encoding/json"
	"testing"

	"ragbench/internal/rag"
)

func TestChatKey(t *testing.T) {
	zero, one := 0.0, 1.0
	id := Identity{Ref: "openai:m", BaseURL: "http://a/v1"}
	p := &openAIChat{learner: newLearner(id), ref: Ref{Provider: "openai", Model: "m"}}
	msg := func(role string, parts ...string) rag.Message { return rag.Message{Role: role, Parts: parts} }
	key := func(id Identity, req rag.ChatRequest) Key { return chatKey(id, p.Params(req), &req) }
	base := rag.ChatRequest{Messages: []rag.Message{msg("user", "ab", "c")}, Temperature: &zero}
	with := func(change func(*rag.ChatRequest)) Key {
		req := base
		change(&req)
		return key(id, req)
	}
	different := map[string]Key{
		"base":             key(id, base),
		"other cut":        with(func(r *rag.ChatRequest) { r.Messages = []rag.Message{msg("user", "ab"), msg("user", "c")} }),
		"other cut again":  with(func(r *rag.ChatRequest) { r.Messages = []rag.Message{msg("user", "a"), msg("user", "bc")} }),
		"role":             with(func(r *rag.ChatRequest) { r.Messages = []rag.Message{msg("system", "abc")} }),
		"temperature":      with(func(r *rag.ChatRequest) { r.Temperature = &one }),
		"no temperature":   with(func(r *rag.ChatRequest) { r.Temperature = nil }),
		"max tokens":       with(func(r *rag.ChatRequest) { r.MaxTokens = 16 }),
		"JSON":             with(func(r *rag.ChatRequest) { r.JSON = true }),
		"repeat":           with(func(r *rag.ChatRequest) { r.Repeat = 1 }),
		"base URL":         key(Identity{Ref: "openai:m", BaseURL: "http://b/v1"}, base),
		"model":            key(Identity{Ref: "openai:n", BaseURL: "http://a/v1"}, base),
		"first occurrence": key(id, base).occurrence(1),
		"second":           key(id, base).occurrence(2),
		"embedding":        embedKey(id, p.Params(base), &rag.EmbedRequest{Texts: []string{"abc"}}),
		"embedding of two": embedKey(id, p.Params(base), &rag.EmbedRequest{Texts: []string{"ab", "c"}}),
		"embedding of 2":   embedKey(id, p.Params(base), &rag.EmbedRequest{Texts: []string{"a", "bc"}}),
		"decision":         decideKey(id, "abc", nil),
	}
	seen := map[Key]string{}
	for name, k := range different {
		if other, dup := seen[k]; dup {
			t.Errorf("%s and %s have the same key", name, other)
		}
		seen[k] = name
	}
	same := map[string]Key{
		"other parts of one message": with(func(r *rag.ChatRequest) { r.Messages = []rag.Message{msg("user", "a", "", "bc")} }),
		"purpose":                    with(func(r *rag.ChatRequest) { r.Purpose = "judge" }),
	}
	for name, k := range same {
		if k != different["base"] {
			t.Errorf("%s changes the key, and is not sent", name)
		}
	}
}

func TestRequestJSON(t *testing.T) {
	for _, tt := range []struct {
		params, extra []Param
		want          string
	}{
		{nil, nil, `{}`},
		{[]Param{{"model", quoteJSON("a\"b\x01é")}, {"temperature", "0"}}, []Param{intParam("repeat", 2)}, `{"model":"a\"b\u0001é","temperature":0,"repeat":2}`},
		{nil, []Param{intParam("texts", 1)}, `{"texts":1}`},
	} {
		got := requestJSON(tt.params, tt.extra...)
		if got != tt.want || !json.Valid([]byte(got)) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestRedact(t *testing.T) {
	secrets := []string{"sk-marked/secret+1234567890", "EMPTY", ""}
	for _, tt := range []struct{ in, want string }{
		{"Incorrect API key: sk-marked/secret+1234567890.", "Incorrect API key: [redacted]."},
		{"key=sk-marked%2Fsecret%2B1234567890&x", "key=[redacted]&x"},
		{"Incorrect API key provided: sk-ma************7890. See", "Incorrect API key provided: [redacted]. See"},
		{"**bold** sk-other stays, EMPTY too", "**bold** sk-other stays, EMPTY too"},
	} {
		if got := redact(tt.in, secrets); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
