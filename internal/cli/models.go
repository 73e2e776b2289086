package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
)

// The models of a mock run.
const (
	mockChat      = "mock:mock-llm"
	mockEmbedding = "mock:hashing-embedding"
)

// models opens each model of a run once and keeps the call log.
type models struct {
	log       *model.Log
	env       model.Env
	chats     map[string]rag.Chat
	embedders map[string]*embedder
}

// embedder is an embedding model with the price of its tokens.
type embedder struct {
	rag.Embedder
	cost func(tokens int) rag.Cost
}

// newModels prepares the models of a file. Nothing is opened yet.
func (a *app) newModels(f *file, c *config.Config) *models {
	endpoints := map[string]model.Endpoint{}
	for _, p := range c.Providers {
		endpoints[p.Name] = model.Endpoint{BaseURL: p.BaseURL, APIKeyEnv: p.APIKeyEnv}
	}
	return &models{
		log:       model.NewLog(model.NewSQLStore(f.DB), model.LogOptions{Now: a.now}),
		env:       model.Env{Getenv: a.getenv, Endpoints: endpoints},
		chats:     map[string]rag.Chat{},
		embedders: map[string]*embedder{},
	}
}

// chat returns the chat model of a reference, nil for none.
func (m *models) chat(ref string) (rag.Chat, error) {
	if ref == "" {
		return nil, nil
	}
	if c, ok := m.chats[ref]; ok {
		return c, nil
	}
	p, err := model.OpenChat(ref, m.env)
	if err != nil {
		return nil, err
	}
	m.chats[ref] = m.log.Chat(p)
	return m.chats[ref], nil
}

// embedder returns the embedding model of a reference, nil for none.
func (m *models) embedder(ref string) (*embedder, error) {
	if ref == "" {
		return &embedder{}, nil
	}
	if e, ok := m.embedders[ref]; ok {
		return e, nil
	}
	p, err := model.OpenEmbedder(ref, m.env)
	if err != nil {
		return nil, err
	}
	price := m.log.Prices().Find(p.Identity())
	m.embedders[ref] = &embedder{Embedder: m.log.Embedder(p), cost: func(tokens int) rag.Cost {
		return price.Cost(model.TokenUsage{Prompt: tokens})
	}}
	return m.embedders[ref], nil
}

// modeOf decides between mock and live: mock by option, or when no model in use can be reached; otherwise live, and then
// every model must be reachable. The error lists what is missing.
func (a *app) modeOf(c *config.Config, m *models) (string, error) {
	if c.Run.Mode == "mock" {
		return "mock", nil
	}
	var missing []error
	reachable := 0
	for _, ref := range usedModels(c) {
		var err error
		if ref.embedding {
			_, err = m.embedder(ref.ref)
		} else {
			_, err = m.chat(ref.ref)
		}
		if err != nil {
			missing = append(missing, fmt.Errorf("%s: %w", ref.ref, err))
			continue
		}
		if !strings.HasPrefix(ref.ref, "mock:") {
			reachable++
		}
	}
	switch {
	case len(missing) == 0 && reachable > 0:
		return "live", nil
	case c.Run.Mode == "live" || reachable > 0:
		return "", fmt.Errorf("a live run needs every model it uses:\n%w", errors.Join(missing...))
	default:
		return "mock", nil
	}
}

// usedRef is a model that the systems of a file use.
type usedRef struct {
	ref       string
	embedding bool
}

// usedModels lists the models in use, each once, in the order of the systems.
func usedModels(c *config.Config) []usedRef {
	var list []usedRef
	for _, s := range c.Systems {
		for _, r := range []usedRef{{s.Models.Generator, false}, {s.Models.Embedding, true}} {
			if r.ref != "" && !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}

// mockModels replaces the models of every system. All are replaced, so that mock and live never mix.
func mockModels(c *config.Config) {
	for i := range c.Systems {
		m := &c.Systems[i].Models
		if m.Generator != "" {
			m.Generator = mockChat
		}
		if m.Embedding != "" && !strings.HasPrefix(m.Embedding, "mock:") {
			m.Embedding = mockEmbedding
		}
	}
}
