package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRef(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Ref
		full string
	}{
		{"gpt-6-luna", Ref{Provider: "openai", Model: "gpt-6-luna"}, "openai:gpt-6-luna"},
		{"openai:gpt-6-luna", Ref{Provider: "openai", Model: "gpt-6-luna"}, "openai:gpt-6-luna"},
		{"openai:ft:gpt-6:org::id", Ref{Provider: "openai", Model: "ft:gpt-6:org::id"}, "openai:ft:gpt-6:org::id"},
		{"openai_compatible:box/llama-3.1:8b", Ref{Provider: "openai_compatible", Endpoint: "box", Model: "llama-3.1:8b"}, "openai_compatible:box/llama-3.1:8b"},
		{"openai_compatible:hub/org/model", Ref{Provider: "openai_compatible", Endpoint: "hub", Model: "org/model"}, "openai_compatible:hub/org/model"},
		{"mock:hashing-embedding@4096", Ref{Provider: "mock", Model: "hashing-embedding", Dims: 4096}, "mock:hashing-embedding@4096"},
	} {
		got, err := ParseRef(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
		if got.String() != tt.full {
			t.Errorf("%s: got reference %q, want %q", tt.in, got, tt.full)
		}
	}
}

func TestRefErrors(t *testing.T) {
	env := Env{
		Getenv:    func(string) string { return "" },
		Endpoints: map[string]Endpoint{"box": {BaseURL: "http://127.0.0.1:1/v1", APIKeyEnv: "BOX_KEY"}, "bad": {BaseURL: "ftp://user:hidden-password@x"}},
	}
	chat := func(ref string) error { _, err := OpenChat(ref, env); return err }
	embed := func(ref string) error { _, err := OpenEmbedder(ref, env); return err }
	decide := func(ref string) error { _, err := OpenDecider(ref, env); return err }
	for _, tt := range []struct {
		open func(string) error
		ref  string
		want string
	}{
		{chat, "opneai:gpt-6-luna", `did you mean "openai"?`},
		{chat, "llama3:8b", "valid: openai, anthropic, openai_compatible, mock"},
		{chat, "openai:", "no model name"},
		{chat, "", "no model name"},
		{chat, "openai_compatible:llama", "want openai_compatible:endpoint/model"},
		{chat, "openai_compatible:bx/llama", `did you mean "box"?`},
		{chat, "openai_compatible:box/llama", "BOX_KEY is not set"},
		{chat, "openai_compatible:bad/llama", "not an http or https address"},
		{chat, "gpt-6-luna", "OPENAI_API_KEY is not set"},
		{chat, "text-embedding-3-small", "not a chat model"},
		{embed, "gpt-6-luna", "not an embedding model"},
		{chat, "mock:mock-lm", `did you mean "mock-llm"?`},
		{chat, "mock:hashing-embedding", "unknown mock chat model"},
		{embed, "mock:mock-llm", "unknown mock embedding model"},
		{embed, "mock:hashing-embedding@x", "not a number from 1"},
		{embed, "mock:hashing-embedding@0", "not a number from 1"},
		{decide, "anthropic:claude-haiku-4-5", "has no decision models"},
		{decide, "mock:mock-llm", "unknown mock decision model"},
	} {
		err := tt.open(tt.ref)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.ref, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "hidden-password") {
			t.Errorf("%s: the error holds the password of the address: %v", tt.ref, err)
		}
	}
}
