package config

import (
	"time"

	"go.yaml.in/yaml/v3"
)

// Price is what a million tokens of a model cost, in US dollars. Model is a full reference, endpoint/model, endpoint/*
// for every model of an endpoint, or a bare model name.
type Price struct {
	Model     string
	Input     float64
	Output    float64
	Cached    *float64 // nil: cached input costs as much as input
	Reasoning *float64 // nil: reasoning costs as much as output
	AsOf      string   // YYYY-MM-DD; empty: the day of the run
	Source    string   // where the price is from; empty: the configuration
}

// ParsePrices reads a file of prices: the section pricing alone, or under that key.
func ParsePrices(file string, data []byte) ([]Price, error) {
	l := &loader{cfg: &Config{File: file, Raw: map[string]*yaml.Node{}}}
	if root := l.document(data); root != nil {
		list := l.pairs(root, "")
		if len(list) == 1 && list[0].key == "pricing" && list[0].value.Kind == yaml.MappingNode {
			root = list[0].value
		}
		l.pricing("", root)
	}
	if err := l.err(file); err != nil {
		return nil, err
	}
	return l.cfg.Pricing, nil
}

// pricing reads the section pricing in its order. A plain 0 says that a model is free.
func (l *loader) pricing(where string, n *yaml.Node) {
	for _, p := range l.pairs(n, where) {
		if price, ok := l.price(p, join(where, p.key)); ok {
			l.cfg.Pricing = append(l.cfg.Pricing, price)
		}
	}
}

func (l *loader) price(p pair, where string) (Price, bool) {
	out := Price{Model: p.key}
	if p.key == "" {
		l.fail(p.name, "%s: want the name of a model", where)
		return out, false
	}
	before := len(l.problems)
	if p.value.Kind == yaml.ScalarNode {
		if v, ok := l.value(where, p.value, option{kind: number, lo: 0, hi: inf}); ok && v.(float64) != 0 {
			l.fail(p.value, "%s: want 0 for a free model, or input and output in dollars a million tokens", where)
		}
		return out, len(l.problems) == before
	}
	amount := numberIn(0, inf)
	optional := func(dst **float64) func(string, *yaml.Node) {
		return func(where string, n *yaml.Node) {
			if v, ok := l.value(where, n, amount); ok {
				usd := v.(float64)
				*dst = &usd
			}
		}
	}
	given := false
	l.fields(p.value, where,
		field{key: "input", read: func(where string, n *yaml.Node) { given = true; to(&l.reader, &out.Input, amount)(where, n) }},
		field{key: "output", read: to(&l.reader, &out.Output, amount)},
		field{key: "cached_input", read: optional(&out.Cached)},
		field{key: "reasoning", read: optional(&out.Reasoning)},
		field{key: "as_of", read: l.dateTo(&out.AsOf)},
		field{key: "source", read: l.nameTo(&out.Source)},
	)
	if !given && len(l.problems) == before {
		l.fail(p.name, "%s: input is missing, the price of a million input tokens in dollars", where)
	}
	return out, len(l.problems) == before
}

// dateTo reads a day into dst. YAML reads an unquoted one as a time.
func (l *loader) dateTo(dst *string) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			if _, err := time.Parse(time.DateOnly, n.Value); err == nil {
				*dst = n.Value
				return
			}
		}
		l.fail(n, "%s: want a day as YYYY-MM-DD, got %s", where, describe(n))
	}
}
