package model

import (
	"strings"

	"ragbench/internal/rag"
)

// Price is what a million tokens cost, from a date on: a row of the table prices.
type Price struct {
	Model     string
	AsOf      string  // YYYY-MM-DD
	Input     float64 // US dollars
	Output    float64
	Cached    *float64 // nil: cached input costs as much as input
	Reasoning *float64 // nil: reasoning costs as much as output
	Source    string
}

const (
	pricesAsOf   = "2026-10-01"
	pricesSource = "price table of ragbench"
	mockSource   = "computed in this process"
)

// builtInPrices are the published list prices on pricesAsOf. Mock models are free.
var builtInPrices = []Price{
	{Model: "gpt-6-astra", AsOf: pricesAsOf, Input: 10, Output: 50, Source: pricesSource},
	{Model: "gpt-6.1-sol", AsOf: pricesAsOf, Input: 2, Output: 10, Source: pricesSource},
	{Model: "gpt-6-luna", AsOf: pricesAsOf, Input: .10, Output: .50, Source: pricesSource},
	{Model: "text-embedding-3-small", AsOf: pricesAsOf, Input: .02, Source: pricesSource},
	{Model: "text-embedding-3-large", AsOf: pricesAsOf, Input: .13, Source: pricesSource},
	{Model: "claude-fable-5-1", AsOf: pricesAsOf, Input: 10, Output: 50, Source: pricesSource},
	{Model: "claude-opus-5-5", AsOf: pricesAsOf, Input: 4, Output: 20, Source: pricesSource},
	{Model: "claude-sonnet-5-5", AsOf: pricesAsOf, Input: 2, Output: 10, Source: pricesSource},
	{Model: "claude-haiku-4-5", AsOf: pricesAsOf, Input: 1, Output: 5, Source: pricesSource},
	{Model: "mock-llm", AsOf: pricesAsOf, Source: mockSource},
	{Model: "hashing-embedding", AsOf: pricesAsOf, Source: mockSource},
	{Model: "word-overlap", AsOf: pricesAsOf, Source: mockSource},
}

// PriceTable finds the price of a model. Prices of the configuration come first, by full reference, endpoint/model or
// model; then the built-in ones, for models of OpenAI, Anthropic and mocks only: a compatible endpoint that serves
// "gpt-6-luna" does not charge OpenAI's price, so its price is unknown until the configuration says it.
type PriceTable struct {
	overrides []Price
}

// NewPriceTable returns the built-in table with the prices of the configuration before it.
func NewPriceTable(overrides []Price) *PriceTable { return &PriceTable{overrides} }

// PriceRows returns every price a run may refer to, for the table prices: overrides first, then the built-in ones.
func (t *PriceTable) PriceRows() []Price {
	rows := make([]Price, 0, len(t.overrides)+len(builtInPrices))
	rows = append(rows, t.overrides...)
	return append(rows, builtInPrices...)
}

// Find returns the price of a model, or nil when it is unknown, which is not free.
func (t *PriceTable) Find(id Identity) *Price {
	_, local, _ := strings.Cut(id.Ref, ":")
	_, bare, ok := strings.Cut(local, "/")
	if !ok || !strings.HasPrefix(id.Ref, "openai_compatible:") {
		bare = local
	}
	for _, name := range []string{id.Ref, local, bare} {
		if p := lookup(t.overrides, name); p != nil {
			return p
		}
	}
	if id.price == "" {
		return nil
	}
	return lookup(builtInPrices, id.price)
}

// lookup finds name exactly, or else by the longest model that name continues with "-", as gpt-6-luna-2026-09-01
// continues gpt-6-luna.
func lookup(rows []Price, name string) *Price {
	var best *Price
	for i := range rows {
		p := &rows[i]
		if p.Model == name {
			return p
		}
		if strings.HasPrefix(name, p.Model+"-") && (best == nil || len(p.Model) > len(best.Model)) {
			best = p
		}
	}
	return best
}

// Cost is the standalone price of a call: nothing is taken off for a reply from the log. The cost at a nil price is
// unknown.
func (p *Price) Cost(u TokenUsage) rag.Cost {
	if p == nil {
		return rag.Cost{Unknown: true}
	}
	cached, reasoning := p.Input, p.Output
	if p.Cached != nil {
		cached = *p.Cached
	}
	if p.Reasoning != nil {
		reasoning = *p.Reasoning
	}
	usd := float64(u.Prompt-u.Cached)*p.Input + float64(u.Cached)*cached +
		float64(u.Completion-u.Reasoning)*p.Output + float64(u.Reasoning)*reasoning
	return rag.Cost{USD: max(0, usd) / 1e6}
}
