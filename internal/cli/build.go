package cli

import (
	"fmt"

	"ragbench/internal/bench"
	"ragbench/internal/chunk"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/systems"
)

// known lists the names a configuration may use.
func known() config.Known {
	return config.Known{Systems: config.Variants(systems.All), Chunkers: config.Variants(chunk.All), Providers: model.Providers.Names()}
}

// build makes the systems of a configuration.
func (a *app) build(f *file, c *config.Config, m *models) ([]bench.System, error) {
	list := make([]bench.System, len(c.Systems))
	for i := range c.Systems {
		s := &c.Systems[i]
		sys, err := a.buildOne(f, c, m, s)
		if err != nil {
			return nil, fmt.Errorf("system %s: %w", s.Name, err)
		}
		list[i] = bench.System{Name: s.Name, ContextK: s.ContextK, System: sys}
	}
	return list, nil
}

func (a *app) buildOne(f *file, c *config.Config, m *models, s *config.System) (rag.System, error) {
	kind, err := systems.All.Find("system", s.Type)
	if err != nil {
		return nil, err
	}
	chat, err := m.chat(s.Models.Generator)
	if err != nil {
		return nil, err
	}
	emb := &embedder{cost: func(int) rag.Cost { return rag.Cost{} }} // none for a system that embeds nothing: its key may be missing
	if _, used := usedBy(s); len(used) > 0 {
		if emb, err = m.embedder(s.Models.Embedding); err != nil {
			return nil, err
		}
	}
	return kind.New.New(systems.Env{
		DB: f.DB, Search: f.search, Config: s, Chat: chat, Embedder: emb.Embedder, ContextK: s.ContextK,
		IngestWorkers: c.Run.IngestWorkers, Now: a.now, SaveCalls: model.SaveCarried, EmbeddingCost: emb.cost,
		Peer: func(name string) (rag.System, error) {
			for i := range c.Systems {
				if c.Systems[i].Name == name {
					return a.buildOne(f, c, m, &c.Systems[i])
				}
			}
			return nil, fmt.Errorf("system %s: %w", name, rag.ErrNotFound)
		},
	})
}

// inputs describes the systems for the rows of a run.
func inputs(c *config.Config) ([]store.SystemInput, error) {
	list := make([]store.SystemInput, len(c.Systems))
	for i := range c.Systems {
		s := &c.Systems[i]
		text, err := systems.SQL(s.Type)
		if err != nil {
			return nil, err
		}
		list[i] = store.SystemInput{Name: s.Name, Type: s.Type, Config: string(s.Canonical()), ConfigSHA256: s.SHA256(), SQL: text}
	}
	return list, nil
}
