package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/rerank"
	"ragbench/internal/spec"
)

// whatIfOptions are the settings of a system that rankings can be computed anew with.
type whatIfOptions struct {
	ContextK  int             `json:"context_k"`
	Retrieval whatIfRetrieval `json:"retrieval"`
}

type whatIfRetrieval struct {
	BM25TopK      int     `json:"bm25_top_k"`
	VectorTopK    int     `json:"vector_top_k"`
	BM25Weight    float64 `json:"bm25_weight"`
	VectorWeight  float64 `json:"vector_weight"`
	RRFK          int     `json:"rrf_k"`
	Diversity     string  `json:"diversity"`
	MMRLambda     float64 `json:"mmr_lambda"`
	MMRCandidates int     `json:"mmr_candidates"`
	Candidates    int     `json:"candidate_top_k"`
	Reranker      string  `json:"reranker"`
	Parents       int     `json:"top_k_parents"`
	Aggregation   string  `json:"parent_score_aggregation"`
}

// whatIfKinds are the types whose rankings can be computed anew, and the options of each that may be set.
var whatIfKinds = []struct {
	typ     string
	options []string
}{
	{"vector", []string{"top_k", "diversity", "mmr_lambda", "mmr_candidates"}},
	{"hybrid", []string{"top_k", "rrf_k", "bm25_weight", "vector_weight", "bm25_top_k", "vector_top_k", "diversity", "mmr_lambda", "mmr_candidates"}},
	{"rerank", []string{"top_k", "candidate_top_k", "reranker"}},
	{"hybrid_rerank", []string{"top_k", "rrf_k", "bm25_weight", "vector_weight", "bm25_top_k", "vector_top_k", "candidate_top_k", "reranker"}},
	{"parent_doc", []string{"top_k_parents", "parent_score_aggregation"}},
}

// whatIfHelp lists what can be set, a line a type.
func whatIfHelp() string {
	var lines []string
	for _, k := range whatIfKinds {
		lines = append(lines, "  "+k.typ+": "+strings.Join(k.options, ", "))
	}
	return strings.Join(lines, "\n")
}

// apply sets options, each KEY=VALUE, on those that a system of a type ran with. Setting a constant of MMR asks for MMR.
func (o *whatIfOptions) apply(typ, config string, sets []string) error {
	if err := json.Unmarshal([]byte(config), o); err != nil {
		return fmt.Errorf("read the settings of the system: %w", err)
	}
	i := slices.IndexFunc(whatIfKinds, func(k struct {
		typ     string
		options []string
	}) bool {
		return k.typ == typ
	})
	if i < 0 {
		return fmt.Errorf("the rankings of a system of type %s cannot be computed anew from what is stored; those of these types can, with these options:\n%s", typ, whatIfHelp())
	}
	given := map[string]bool{}
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		key = strings.TrimPrefix(strings.TrimSpace(key), "retrieval.")
		if !ok {
			return fmt.Errorf("--set %s: want KEY=VALUE", set)
		}
		if !slices.Contains(whatIfKinds[i].options, key) {
			return fmt.Errorf("--set %s: for a system of type %s: %w", set, typ, spec.Unknown("option", key, whatIfKinds[i].options))
		}
		if err := o.set(key, strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("--set %s: %w", set, err)
		}
		given[key] = true
	}
	if (given["mmr_lambda"] || given["mmr_candidates"]) && !given["diversity"] {
		o.Retrieval.Diversity = "mmr"
	}
	if r := o.Retrieval; r.BM25Weight == 0 && r.VectorWeight == 0 && slices.Contains(whatIfKinds[i].options, "rrf_k") {
		return fmt.Errorf("bm25_weight and vector_weight are both 0, one of them must be larger")
	}
	return nil
}

// set reads one value.
func (o *whatIfOptions) set(key, value string) error {
	r := &o.Retrieval
	if to, ok := map[string]*int{"top_k": &o.ContextK, "rrf_k": &r.RRFK, "bm25_top_k": &r.BM25TopK, "vector_top_k": &r.VectorTopK,
		"mmr_candidates": &r.MMRCandidates, "candidate_top_k": &r.Candidates, "top_k_parents": &r.Parents}[key]; ok {
		lo := 1
		if key == "rrf_k" {
			lo = 0
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < lo {
			return fmt.Errorf("want a whole number from %d", lo)
		}
		*to = n
		return nil
	}
	if to, ok := map[string]*float64{"bm25_weight": &r.BM25Weight, "vector_weight": &r.VectorWeight, "mmr_lambda": &r.MMRLambda}[key]; ok {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0) || v > 1e9 || key == "mmr_lambda" && v > 1 {
			return fmt.Errorf("want a number from 0%s", map[string]string{"mmr_lambda": " to 1"}[key])
		}
		*to = v
		return nil
	}
	text := map[string]*string{"diversity": &r.Diversity, "parent_score_aggregation": &r.Aggregation, "reranker": &r.Reranker}
	choices := map[string][]string{"diversity": {"none", "mmr"}, "parent_score_aggregation": {"max", "sum", "mean"}}
	if key == "reranker" {
		if _, err := rerank.Find(value); err != nil {
			return err
		}
	} else if !slices.Contains(choices[key], value) {
		return spec.Unknown("value", value, choices[key])
	}
	*text[key] = value
	return nil
}

// whatIfNeed is how much of each list a ranking is computed from.
type whatIfNeed struct {
	pool           int // candidates before they are reordered
	lexical, dense int // of each leg
}

// need says what a ranking to depth is computed from.
func (o *whatIfOptions) need(typ string, depth int) whatIfNeed {
	r := o.Retrieval
	pool := depth
	switch {
	case r.Diversity == "mmr":
		pool = max(r.MMRCandidates, depth)
	case typ == "rerank" || typ == "hybrid_rerank":
		pool = max(r.Candidates, depth)
	case typ == "parent_doc":
		return whatIfNeed{pool: max(depth, r.Parents)}
	}
	if typ == "hybrid" || typ == "hybrid_rerank" {
		return whatIfNeed{pool, max(r.BM25TopK, pool), max(r.VectorTopK, pool)}
	}
	return whatIfNeed{pool: pool, dense: pool}
}

// within refuses a need beyond what the run kept.
func (n whatIfNeed) within(kept whatIfNeed) error {
	for _, leg := range []struct {
		name       string
		want, have int
	}{{"bm25", n.lexical, kept.lexical}, {"vector", n.dense, kept.dense}} {
		if leg.want > leg.have {
			return fmt.Errorf("the run kept the first %d hits of %s and these settings need %d: lower bm25_top_k, vector_top_k, candidate_top_k or mmr_candidates, or run again with more",
				leg.have, leg.name, leg.want)
		}
	}
	return nil
}
