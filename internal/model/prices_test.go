package model

import (
	"testing"

	"ragbench/internal/rag"
)

func TestPriceLookup(t *testing.T) {
	own := NewPriceTable([]Price{
		{Model: "box/llama", AsOf: "2026-10-02", Input: 3, Source: "config"},
		{Model: "qwen", AsOf: "2026-10-02", Source: "config"},
		{Model: "openai:gpt-6-luna", AsOf: "2026-10-02", Input: 7, Source: "config"},
	})
	builtIn := NewPriceTable(nil)
	openai := func(m string) Identity { return Identity{Ref: "openai:" + m, price: m} }
	for _, tt := range []struct {
		table *PriceTable
		id    Identity
		want  string // model of the price, "" for unknown
		input float64
	}{
		{builtIn, openai("gpt-6-luna"), "gpt-6-luna", .10},
		{builtIn, openai("gpt-6-luna-2026-09-01"), "gpt-6-luna", .10},
		{builtIn, openai("gpt-6-lunatic"), "", 0},
		{builtIn, openai("gpt-6"), "", 0},
		{builtIn, openai("gpt-6.1-sol-mini"), "gpt-6.1-sol", 2},
		{builtIn, openai("text-embedding-3-large"), "text-embedding-3-large", .13},
		{builtIn, Identity{Ref: "openai_compatible:box/gpt-6-luna"}, "", 0},
		{builtIn, Identity{Ref: "mock:hashing-embedding@4096", price: "hashing-embedding"}, "hashing-embedding", 0},
		{own, openai("gpt-6-luna"), "openai:gpt-6-luna", 7},
		{own, Identity{Ref: "openai_compatible:box/llama"}, "box/llama", 3},
		{own, Identity{Ref: "openai_compatible:box/llama-8b"}, "box/llama", 3},
		{own, Identity{Ref: "openai_compatible:other/llama"}, "", 0},
		{own, Identity{Ref: "openai_compatible:other/qwen"}, "qwen", 0},
	} {
		got := tt.table.Find(tt.id)
		switch {
		case tt.want == "" && got != nil:
			t.Errorf("%s: got price of %s, want none", tt.id.Ref, got.Model)
		case tt.want != "" && (got == nil || got.Model != tt.want || got.Input != tt.input):
			t.Errorf("%s: got %+v, want the price of %s, %v", tt.id.Ref, got, tt.want, tt.input)
		}
	}
}

func TestCost(t *testing.T) {
	cached, reasoning := .5, 20.0
	use := TokenUsage{Prompt: 1000, Cached: 400, Completion: 100, Reasoning: 30}
	for _, tt := range []struct {
		name  string
		price *Price
		use   TokenUsage
		want  rag.Cost
	}{
		{"unknown", nil, use, rag.Cost{Unknown: true}},
		{"unknown and nothing used", nil, TokenUsage{}, rag.Cost{Unknown: true}},
		{"plain", &Price{Input: 2, Output: 10}, use, rag.Cost{USD: (1000*2 + 100*10) / 1e6}},
		{"classes", &Price{Input: 2, Output: 10, Cached: &cached, Reasoning: &reasoning}, use,
			rag.Cost{USD: (600*2 + 400*.5 + 70*10 + 30*20) / 1e6}},
		{"free", &Price{}, use, rag.Cost{}},
	} {
		if got := tt.price.Cost(tt.use); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestMockModelsAreFree(t *testing.T) {
	table := NewPriceTable(nil)
	chat := openMock(t).Identity()
	embed := openEmbed(t, "mock:hashing-embedding@4096", Env{}).Identity()
	decide, err := OpenDecider("mock:word-overlap", Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []Identity{chat, embed, decide.Identity()} {
		if got := table.Find(id).Cost(TokenUsage{Prompt: 9, Completion: 9}); got != (rag.Cost{}) {
			t.Errorf("%s: got cost %+v, want a known 0", id.Ref, got)
		}
	}
}
