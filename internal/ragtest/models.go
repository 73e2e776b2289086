package ragtest

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"time"

	"ragbench/internal/model"
	"ragbench/internal/rag"
)

// Prices in dollars a million tokens, so that money is counted in tests too. The real mock models are free.
var prices = []model.Price{
	{Model: "mock:mock-llm", AsOf: "2026-01-01", Input: 10, Output: 30, Source: "a test"},
	{Model: "mock:hashing-embedding", AsOf: "2026-01-01", Input: 5, Source: "a test"},
}

// Models are the mock models behind the call log of a file, with a meter of what they were asked for.
type Models struct {
	Chat     rag.Chat
	Embedder rag.Embedder
	// Save stores calls inside the transaction of what they were made for.
	Save func(ctx context.Context, tx *sql.Tx, calls []rag.Call) ([][]int64, error)
	// EmbeddingCost is the price of embedding so many tokens.
	EmbeddingCost func(tokens int) rag.Cost

	mu    sync.Mutex
	calls int
	spent rag.Usage
}

// NewModels opens the mock models on a file.
func NewModels(t testing.TB, f *File) *Models {
	t.Helper()
	m := &Models{}
	chat, embedder, save, cost := wire(t, f)
	m.Chat, m.Embedder = meteredChat{chat, m}, meteredEmbedder{embedder, m}
	m.Save, m.EmbeddingCost = save, cost
	return m
}

// wire is the one place that knows how models are put behind the log.
func wire(t testing.TB, f *File) (rag.Chat, rag.Embedder, func(context.Context, *sql.Tx, []rag.Call) ([][]int64, error), func(int) rag.Cost) {
	t.Helper()
	log := model.NewLog(model.NewSQLStore(f.DB), model.LogOptions{Now: time.Now, Prices: model.NewPriceTable(prices)})
	chat, err := model.OpenChat("mock:mock-llm", model.Env{})
	if err != nil {
		t.Fatal(err)
	}
	embedder, err := model.OpenEmbedder("mock:hashing-embedding", model.Env{})
	if err != nil {
		t.Fatal(err)
	}
	price := log.Prices().Find(embedder.Identity())
	cost := func(tokens int) rag.Cost { return price.Cost(model.TokenUsage{Prompt: tokens}) }
	return log.Chat(chat), log.Embedder(embedder), model.SaveCarried, cost
}

// Spent returns how many calls the models have answered and what those cost.
func (m *Models) Spent() (calls int, u rag.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls, m.spent
}

func (m *Models) count(u rag.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.spent = m.spent.Plus(u)
}

// chatModel and embedModel give the embedded interfaces names that their methods do not have.
type (
	chatModel  = rag.Chat
	embedModel = rag.Embedder
)

type meteredChat struct {
	chatModel
	m *Models
}

func (c meteredChat) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	r, err := c.chatModel.Chat(ctx, req)
	c.m.count(rag.Usage{PromptTokens: r.Call.PromptTokens, CompletionTokens: r.Call.CompletionTokens, LLM: r.Call.Cost})
	return r, err
}

type meteredEmbedder struct {
	embedModel
	m *Models
}

func (e meteredEmbedder) Embed(ctx context.Context, req rag.EmbedRequest) (rag.EmbedReply, error) {
	r, err := e.embedModel.Embed(ctx, req)
	e.m.count(rag.Usage{EmbeddingTokens: r.Call.PromptTokens, Embedding: r.Call.Cost})
	return r, err
}
