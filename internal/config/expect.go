package config

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// Expectation is one score that a run of the file must reproduce.
type Expectation struct {
	System string
	Metric string // such as recall@5
	Value  float64
	Line   int
}

// expect reads the section expect, system to metric to value, after the systems.
func (l *loader) expect(where string, n *yaml.Node) {
	list := l.cfg.names()
	for _, s := range l.pairs(n, where) {
		if !slices.Contains(list, s.key) {
			l.fail(s.name, "%s: %v", where, spec.Unknown("system", s.key, list))
			continue
		}
		for _, m := range l.pairs(s.value, join(where, s.key)) {
			v, ok := l.value(join(join(where, s.key), m.key), m.value, numberIn(-inf, inf))
			if ok {
				l.cfg.Expect = append(l.cfg.Expect, Expectation{System: s.key, Metric: m.key, Value: v.(float64), Line: m.name.Line})
			}
		}
	}
}
