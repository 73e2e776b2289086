package config

import (
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// Limits bound the requests to one provider. Zero means no bound, and the default for Timeout and Attempts.
type Limits struct {
	InFlight          int // requests at a time
	RequestsPerMinute int
	TokensPerMinute   int
	Timeout           time.Duration // of one attempt; 0: 120 s
	Attempts          int           // in all; 0: 6
}

// limitsTo reads the limits of one provider into dst.
func (l *loader) limitsTo(dst *Limits) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		seconds := 0.0
		l.fields(n, where,
			field{key: "in_flight", also: []string{"max_concurrency"}, read: to(&l.reader, &dst.InFlight, wholeFrom(1))},
			field{key: "requests_per_minute", also: []string{"rpm"}, read: to(&l.reader, &dst.RequestsPerMinute, wholeFrom(1))},
			field{key: "tokens_per_minute", also: []string{"tpm"}, read: to(&l.reader, &dst.TokensPerMinute, wholeFrom(1))},
			field{key: "timeout_s", read: to(&l.reader, &seconds, option{kind: number, lo: 0, hi: 3600, above: true})},
			field{key: "attempts", read: to(&l.reader, &dst.Attempts, option{kind: whole, lo: 1, hi: 100})},
		)
		dst.Timeout = time.Duration(seconds * float64(time.Second))
	}
}

// limits reads the section limits: one entry a provider, or the name of an endpoint of the section providers.
func (l *loader) limits(where string, n *yaml.Node) {
	for _, p := range l.pairs(n, where) {
		at := join(where, p.key)
		if i := slices.IndexFunc(l.cfg.Providers, func(q Provider) bool { return q.Name == p.key }); i >= 0 {
			l.limitsTo(&l.cfg.Providers[i].Limits)(at, p.value)
			continue
		}
		valid := []string{"openai", "anthropic"}
		for _, q := range l.cfg.Providers {
			valid = append(valid, q.Name)
		}
		if !slices.Contains(valid, p.key) {
			l.fail(p.name, "%s: %v", where, spec.Unknown("provider", p.key, valid))
			continue
		}
		var limits Limits
		l.limitsTo(&limits)(at, p.value)
		if l.cfg.Limits == nil {
			l.cfg.Limits = map[string]Limits{}
		}
		l.cfg.Limits[p.key] = limits
	}
}
