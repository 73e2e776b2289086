package report

import (
	"fmt"
	"strings"
)

// fact is one sentence of the leaderboard: what is extreme, which system it is, its value.
type fact struct {
	Label, Name, Value string
}

// glance sums the leaderboard of two systems or more up. It states what was measured and claims no significance.
func glance(run runInfo, systems []systemInfo, all map[int64]*measures) []fact {
	var out []fact
	if len(systems) < 2 {
		return nil
	}
	add := func(label, key string, among []systemInfo, high bool, format func(float64) string) {
		if s, v, ok := extreme(among, all, key, high); ok {
			out = append(out, fact{label, s, format(v)})
		}
	}
	add("Highest "+title(run.Primary()), run.Primary(), systems, true, score3)
	add("Highest "+title(run.NDCG()), run.NDCG(), systems, true, score3)
	add("Fastest that retrieves", "p50", searching(systems, all, run.Primary()), false, duration)
	return out
}

// extreme finds the systems with the highest or lowest value of a measure; equal ones are all named. ok is false when no
// system has one.
func extreme(systems []systemInfo, all map[int64]*measures, key string, high bool) (names string, value float64, ok bool) {
	var best []string
	for _, s := range systems {
		v, has := all[s.ID].values[key]
		switch {
		case !has:
		case !ok || (v > value) == high && v != value:
			best, value, ok = []string{s.Name}, v, true
		case v == value:
			best = append(best, s.Name)
		}
	}
	if len(best) > 4 {
		best = append(best[:3:3], fmt.Sprintf("%d more", len(best)-3))
	}
	return joinNames(best), value, ok
}

// searching keeps the systems that have a value of a retrieval metric.
func searching(systems []systemInfo, all map[int64]*measures, key string) []systemInfo {
	var out []systemInfo
	for _, s := range systems {
		if _, ok := all[s.ID].values[key]; ok {
			out = append(out, s)
		}
	}
	return out
}

// title writes a metric as a heading has it: recall@5 is Recall@5.
func title(metric string) string {
	if rest, ok := strings.CutPrefix(metric, "ndcg_exp"); ok {
		return "nDCG" + rest
	}
	if rest, ok := strings.CutPrefix(metric, "ndcg"); ok {
		return "nDCG" + rest
	}
	if rest, ok := strings.CutPrefix(metric, "mrr"); ok {
		return "MRR" + rest
	}
	if metric == "" {
		return metric
	}
	return strings.ToUpper(metric[:1]) + strings.ReplaceAll(metric[1:], "_", " ")
}
