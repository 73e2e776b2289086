package model

import (
	"fmt"
	"net/http"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

// Env is what opening a model needs of the world.
type Env struct {
	Getenv    func(string) string // where keys and OPENAI_BASE_URL come from; nil: none is set
	HTTP      *http.Client        // nil: a client that honours the proxy variables
	Replay    bool                // nothing is sent: no key is needed
	BaseURLs  map[string]string   // in a replay, the address that the stored calls of a reference were sent to
	Endpoints map[string]Endpoint // openai_compatible endpoints by name
	Tokens    rag.TokenCounter    // nil: words × 1.3
	Embed     EmbedOptions
}

// Endpoint is one entry of providers: in the configuration.
type Endpoint struct {
	BaseURL        string
	APIKeyEnv      string // name of the variable that holds the key; empty: no key is sent
	MaxInputTokens int    // longer texts are cut before embedding, and marked; 0: unknown, nothing is cut
}

// EmbedOptions are the options of embedding models.
type EmbedOptions struct {
	Dims        int    // 0: the model's own
	Prefix      string // put before every passage, as E5 models want "passage: "
	QueryPrefix string // put before every question
	BatchSize   int    // texts a request; 0: 256
}

// Opener holds the constructors of a provider; nil where it has no model of the kind.
type Opener struct {
	Chat   func(Ref, Env) (ChatProvider, error)
	Embed  func(Ref, Env) (EmbedProvider, error)
	Decide func(Ref, Env) (DecideProvider, error)
}

// Providers lists the providers in reading order.
var Providers = spec.Table[Opener]{
	{
		Name: "openai", Title: "OpenAI",
		Doc: "Chat, embeddings and decisions of OpenAI's API. Honours OPENAI_API_KEY and OPENAI_BASE_URL. A reference without a provider means this one.",
		New: Opener{Chat: openOpenAIChat, Embed: openOpenAIEmbedder, Decide: openOpenAIDecider},
	},
	{
		Name: "anthropic", Title: "Anthropic",
		Doc: "Chat with Claude through Anthropic's own SDK. Honours ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL. A JSON object is asked for in words.",
		New: Opener{Chat: openAnthropic},
	},
	{
		Name: "openai_compatible", Title: "OpenAI-compatible endpoint",
		Doc: "Chat, embeddings and decisions of any server with OpenAI's API, written openai_compatible:<endpoint>/<model>.",
		Options: []spec.Option{
			{Name: "providers.<endpoint>.base_url", Doc: "Address up to and including the version, such as http://localhost:8080/v1."},
			{Name: "providers.<endpoint>.api_key_env", Doc: "Variable that holds the key; without it no key is sent."},
			{Name: "providers.<endpoint>.max_input_tokens", Doc: "Longest text to embed; longer ones are cut and marked."},
		},
		New: Opener{Chat: openOpenAIChat, Embed: openOpenAIEmbedder, Decide: openOpenAIDecider},
	},
	{
		Name: "mock", Title: "Mock",
		Doc: "Deterministic models in this process: mock:mock-llm, mock:hashing-embedding (384 dimensions, or @N) and mock:word-overlap. They exercise every path and are no evidence about quality.",
		New: Opener{Chat: openMockChat, Embed: openMockEmbedder, Decide: openMockDecider},
	},
}

// OpenChat returns the chat model of a reference. A missing key, an unknown endpoint and an embedding model are errors
// here, before anything is sent.
func OpenChat(ref string, env Env) (ChatProvider, error) {
	r, o, err := find(ref)
	if err != nil {
		return nil, err
	}
	if o.Chat == nil {
		return nil, fmt.Errorf("model reference %q: provider %s has no chat models", ref, r.Provider)
	}
	return o.Chat(r, env)
}

// OpenEmbedder returns the embedding model of a reference; see OpenChat.
func OpenEmbedder(ref string, env Env) (EmbedProvider, error) {
	r, o, err := find(ref)
	if err != nil {
		return nil, err
	}
	if o.Embed == nil {
		return nil, fmt.Errorf("model reference %q: provider %s has no embedding models", ref, r.Provider)
	}
	return o.Embed(r, env)
}

// OpenDecider returns the decision model of a reference; see OpenChat.
func OpenDecider(ref string, env Env) (DecideProvider, error) {
	r, o, err := find(ref)
	if err != nil {
		return nil, err
	}
	if o.Decide == nil {
		return nil, fmt.Errorf("model reference %q: provider %s has no decision models", ref, r.Provider)
	}
	return o.Decide(r, env)
}

func find(ref string) (Ref, Opener, error) {
	r, err := ParseRef(ref)
	if err != nil {
		return Ref{}, Opener{}, err
	}
	e, err := Providers.Find("model provider", r.Provider)
	if err != nil {
		return Ref{}, Opener{}, err
	}
	return r, e.New, nil
}

// client returns the HTTP client to use, nil for the shared one.
func (e Env) client() *http.Client {
	if e.Replay {
		return offline
	}
	return e.HTTP
}

// key returns the key in a variable. Nothing there is an error, except in a replay.
func (e Env) key(variable string) (string, error) {
	if e.Replay {
		return "", nil
	}
	key := strings.TrimSpace(e.getenv(variable))
	if key == "" {
		return "", fmt.Errorf("%s is not set", variable)
	}
	return key, nil
}

// base returns the address of a provider: that of the stored calls in a replay, else that in a variable, else the usual.
func (e Env) base(r Ref, variable, usual string) string {
	if base := e.BaseURLs[r.String()]; e.Replay && base != "" {
		return base
	}
	if base := strings.TrimSpace(e.getenv(variable)); base != "" {
		return base
	}
	return usual
}

func (e Env) getenv(name string) string {
	if e.Getenv == nil || name == "" {
		return ""
	}
	return e.Getenv(name)
}
