package config

import "go.yaml.in/yaml/v3"

// Stats says how the numbers of a run are compared.
type Stats struct {
	Resamples  int      // bootstrap resamples
	Seed       int      // of the resamples
	Confidence float64  // of the intervals
	Method     string   // auto, percentile, bca, studentised or wilson
	Baseline   string   // system the others are compared with; empty: the cheapest
	Metrics    []string // metrics that are compared; empty: answer_score and recall at the primary k
	AllPairs   bool     // compare every pair of systems
	Cluster    string   // questions that belong together: none, category, document, or metadata.KEY
}

func defaultStats() Stats {
	return Stats{Resamples: 2000, Confidence: 0.95, Method: "auto", Cluster: "none"}
}

// stats reads a section stats, which may stand in the file or in evaluation.
func (l *loader) stats(where string, n *yaml.Node) {
	s := &l.cfg.Stats
	l.fields(n, where,
		field{key: "resamples", also: []string{"n_boot"}, read: to(&l.reader, &s.Resamples, option{kind: whole, lo: 100, hi: 100000})},
		field{key: "seed", read: to(&l.reader, &s.Seed, wholeFrom(0))},
		field{key: "confidence", read: to(&l.reader, &s.Confidence, numberIn(0.5, 0.999))},
		field{key: "method", read: l.textTo(&s.Method, "auto", "percentile", "bca", "studentised", "wilson")},
		field{key: "baseline", read: l.nameTo(&s.Baseline)},
		field{key: "metrics", read: listTo(&l.reader, &s.Metrics, option{kind: text})},
		field{key: "all_pairs", read: to(&l.reader, &s.AllPairs, option{kind: boolean})},
		field{key: "cluster", read: l.nameTo(&s.Cluster)},
	)
}

// Selection says what a recommendation is made by.
type Selection struct {
	Profile string             // balanced, max_quality, cheapest_acceptable or lowest_latency
	Max     map[string]float64 // limits that a system must not exceed: cost_per_question, latency_ms_p95, ingestion_cost
	Min     map[string]float64 // values that a system must reach: quality, faithfulness
}

func defaultSelection() Selection {
	return Selection{Profile: "balanced", Max: map[string]float64{}, Min: map[string]float64{}}
}

// selection reads the section selection.
func (l *loader) selection(where string, n *yaml.Node) {
	s := &l.cfg.Selection
	limit := func(key string, into map[string]float64, name string) field {
		return field{key: key, read: func(where string, n *yaml.Node) {
			if v, ok := l.value(where, n, numberIn(0, inf)); ok {
				into[name] = v.(float64)
			}
		}}
	}
	limits := []field{
		limit("max_cost_per_question", s.Max, "cost_per_question"),
		limit("max_latency_ms_p95", s.Max, "latency_ms_p95"),
		limit("max_ingestion_cost", s.Max, "ingestion_cost"),
		limit("min_quality", s.Min, "quality"),
		limit("min_faithfulness", s.Min, "faithfulness"),
	}
	l.fields(n, where, append([]field{
		{key: "profile", read: l.textTo(&s.Profile, "balanced", "max_quality", "cheapest_acceptable", "lowest_latency")},
		{key: "constraints", read: func(where string, n *yaml.Node) { l.fields(n, where, limits...) }},
	}, limits...)...)
}
