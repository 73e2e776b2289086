package cli

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/store"
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
	estimate  bool  // mock models at the price of those they stand for
	err       error // why nothing can be opened
}

// embedder is an embedding model with the price of its tokens.
type embedder struct {
	rag.Embedder
	cost func(tokens int) rag.Cost
}

// newModels prepares the models of a file: the log with its prices, limits and shared cache. Nothing is opened yet; what
// went wrong is the error of modeOf and of the first model.
func (a *app) newModels(f *file, c *config.Config) *models {
	m := &models{chats: map[string]rag.Chat{}, embedders: map[string]*embedder{}}
	getenv, err := a.modelEnv()
	m.env = model.Env{Getenv: getenv, Endpoints: map[string]model.Endpoint{}, Replay: c.Run.Mode == "replay"}
	limits := map[string]model.Limits{}
	for name, l := range c.Limits {
		limits[name] = model.Limits(l)
	}
	for _, p := range c.Providers {
		m.env.Endpoints[p.Name] = model.Endpoint{BaseURL: p.BaseURL, APIKeyEnv: p.APIKeyEnv, MaxInputTokens: p.MaxInputTokens}
		limits["openai_compatible:"+p.Name] = model.Limits(p.Limits)
	}
	opts := model.LogOptions{
		Now: a.now, Prices: model.NewPriceTable(overridePrices(c.Pricing, a.now())), Guard: model.NewGuard(model.GuardOptions{Limits: limits, Now: a.now, Jitter: rand.Float64}),
		NoReuse: !c.Cache.Enabled, Sampled: c.Cache.Sampled, Queries: c.Cache.QueryEmbeddings, Replay: m.env.Replay, Secrets: proxySecrets(getenv),
	}
	ctx := context.Background()
	if err == nil && c.Cache.Enabled && c.Cache.Path != "" && !m.env.Replay {
		opts.Shared, err = f.shareCache(ctx, c.Cache.Path)
	}
	m.log = model.NewLog(model.NewSQLStore(f.DB), opts)
	if err == nil {
		err = m.log.Recall(ctx)
	}
	if err == nil && m.env.Replay {
		m.env.BaseURLs, err = storedAddresses(ctx, f)
	}
	m.err = err
	return m
}

// shareCache opens a second file for model calls, which Close closes with f.
func (f *file) shareCache(ctx context.Context, path string) (model.CallStore, error) {
	db, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return nil, fmt.Errorf("open the shared cache: %w", err)
	}
	f.also = append(f.also, db)
	return model.NewSQLStore(db), nil
}

// storedAddresses says where the stored calls of each model were sent to, the newest first.
func storedAddresses(ctx context.Context, f *file) (map[string]string, error) {
	out := map[string]string{}
	err := f.Read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, moneySQL.SQL("base_urls"))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var ref, base string
			if err := rows.Scan(&ref, &base); err != nil {
				return err
			}
			out[ref] = base
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read where calls were sent to: %w", err)
	}
	return out, nil
}

// overridePrices turns the section pricing into rows. A row without a date holds from today, and one without a source
// names its own values, so that a changed price is another row.
func overridePrices(list []config.Price, now time.Time) []model.Price {
	out := make([]model.Price, len(list))
	for i, p := range list {
		out[i] = model.Price{Model: p.Model, AsOf: p.AsOf, Input: p.Input, Output: p.Output, Cached: p.Cached, Reasoning: p.Reasoning, Source: p.Source}
		if p.AsOf == "" {
			out[i].AsOf = now.UTC().Format(time.DateOnly)
		}
		if p.Source == "" {
			sum := sha256.Sum256(fmt.Appendf(nil, "%v %v %v %v", p.Input, p.Output, value(p.Cached), value(p.Reasoning)))
			out[i].Source = fmt.Sprintf("configuration %x", sum[:4])
		}
	}
	return out
}

func value(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// proxySecrets lists the credentials of proxies, which errors of the network may name.
func proxySecrets(getenv func(string) string) []string {
	var list []string
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		if u, err := url.Parse(getenv(name)); err == nil && u.User != nil {
			list = append(list, u.User.String())
			if pw, ok := u.User.Password(); ok {
				list = append(list, pw)
			}
		}
	}
	return list
}

// chat returns the chat model of a reference, nil for none.
func (m *models) chat(ref string) (rag.Chat, error) {
	if ref == "" || m.err != nil {
		return nil, m.err
	}
	if c, ok := m.chats[ref]; ok {
		return c, nil
	}
	open := ref
	if m.estimate {
		open = mockChat
	}
	p, err := model.OpenChat(open, m.env)
	if err == nil && m.estimate {
		p, err = model.ChatBilledAs(p, ref)
	}
	if err != nil {
		return nil, err
	}
	m.chats[ref] = m.log.Chat(p)
	return m.chats[ref], nil
}

// embedder returns the embedding model of a reference, nil for none.
func (m *models) embedder(ref string) (*embedder, error) {
	if ref == "" || m.err != nil {
		return &embedder{}, m.err
	}
	if e, ok := m.embedders[ref]; ok {
		return e, nil
	}
	open := ref
	if m.estimate {
		open = mockEmbedding
	}
	p, err := model.OpenEmbedder(open, m.env)
	if err == nil && m.estimate {
		p, err = model.EmbedBilledAs(p, ref)
	}
	if err != nil {
		return nil, err
	}
	price := m.log.Prices().Find(p.Identity())
	m.embedders[ref] = &embedder{Embedder: m.log.Embedder(p), cost: func(tokens int) rag.Cost {
		return price.Cost(model.TokenUsage{Prompt: tokens})
	}}
	return m.embedders[ref], nil
}

// price returns the price of a reference, nil when it is unknown.
func (m *models) price(ref string) *model.Price { return m.log.Prices().FindRef(ref) }

// check opens a model and forgets why it could not be opened only when the caller does.
func (m *models) check(r usedRef) error {
	if r.embedding {
		_, err := m.embedder(r.ref)
		return err
	}
	_, err := m.chat(r.ref)
	return err
}

// missingModels lists why models cannot be opened, each once.
func missingModels(list []error) error {
	var out []error
	for _, err := range list {
		if !slices.ContainsFunc(out, func(e error) bool { return e.Error() == err.Error() }) {
			out = append(out, err)
		}
	}
	return errors.Join(out...)
}
