package model

import (
	"slices"
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

// PriceTable finds the price of a model. Prices of the configuration come first, by full reference, endpoint/model,
// model, or endpoint/* for all models of an endpoint; then the dated ones, for models of OpenAI, Anthropic and mocks only:
// a compatible endpoint that serves "gpt-6-luna" does not charge OpenAI's price, so its price is unknown until the
// configuration says it, be it 0.
type PriceTable struct {
	overrides []Price
	dated     []Price // one a model
}

// NewPriceTable returns the built-in table with the prices of the configuration before it.
func NewPriceTable(overrides []Price) *PriceTable { return &PriceTable{overrides, builtInPrices} }

// PriceTableAsOf returns the table of a day (YYYY-MM-DD): of rows and of the built-in prices the newest of each model that
// is not later, a row before a built-in price of the same day.
func PriceTableAsOf(day string, rows []Price) *PriceTable {
	newest := map[string]int{}
	t := &PriceTable{}
	for _, p := range slices.Concat(rows, builtInPrices) {
		if p.AsOf > day {
			continue
		}
		i, ok := newest[p.Model]
		switch {
		case !ok:
			newest[p.Model] = len(t.dated)
			t.dated = append(t.dated, p)
		case p.AsOf > t.dated[i].AsOf:
			t.dated[i] = p
		}
	}
	// A row may be a price of the configuration, by any name that this can have.
	for _, p := range t.dated {
		if !slices.ContainsFunc(builtInPrices, func(b Price) bool { return b.Model == p.Model }) {
			t.overrides = append(t.overrides, p)
		}
	}
	return t
}

// With returns the table with further prices of a configuration before it.
func (t *PriceTable) With(overrides []Price) *PriceTable {
	return &PriceTable{slices.Concat(overrides, t.overrides), t.dated}
}

// PriceRows returns every price a run may refer to, for the table prices: overrides first, then the dated ones.
func (t *PriceTable) PriceRows() []Price { return slices.Concat(t.overrides, t.dated) }

// Find returns the price of a model, or nil when it is unknown, which is not free.
func (t *PriceTable) Find(id Identity) *Price {
	ref := id.Ref
	if id.billed != "" {
		ref = id.billed
	}
	_, local, _ := strings.Cut(ref, ":")
	names := []string{ref, local}
	if endpoint, bare, ok := strings.Cut(local, "/"); ok && strings.HasPrefix(ref, "openai_compatible:") {
		names = append(names, bare, endpoint+"/*")
	}
	for _, name := range names {
		if p := lookup(t.overrides, name); p != nil {
			return p
		}
	}
	if id.price == "" {
		return nil
	}
	return lookup(t.dated, id.price)
}

// FindRef is Find for a full reference; nil for one that cannot be read.
func (t *PriceTable) FindRef(ref string) *Price {
	id, err := Identity{}.BilledAs(ref)
	if err != nil {
		return nil
	}
	return t.Find(id)
}

// BilledAs returns the identity with the price of another model, for an estimate on mock models.
func (id Identity) BilledAs(ref string) (Identity, error) {
	r, err := ParseRef(ref)
	if err != nil {
		return id, err
	}
	id.billed, id.price = r.String(), ""
	if r.Provider != "openai_compatible" {
		id.price = r.Model
	}
	return id, nil
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
