package ragtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ragbench/internal/rag"
)

// TestQueryFusionEqualsOracle holds the lists that systems of several queries make against a plain fusion of the lists they
// were made from.
func TestQueryFusionEqualsOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			questions = questions[:min(60, len(questions))]
			b := newBench(t, docs)
			for _, c := range []struct {
				entry, made string // made: the list a query has, fused from bm25 and vector
				k           int
				wl, wv      float64
				final       string // what the final list is fused from; empty when it is reranked
			}{
				{"rag_fusion", "variant", 60, 1, 1, "variant"},
				{"{type: rag_fusion, retrieval: {rrf_k: 0, bm25_weight: 0.25, vector_weight: 2, num_queries: 2}}", "variant", 0, .25, 2, "variant"},
				{"{type: rag_fusion, retrieval: {retriever: vector}}", "variant", 60, 1, 1, "variant"},
				{"decompose", "subquestion", 60, 1, 1, "subquestion"},
				{"{type: decompose, retrieval: {sequential: true, rrf_k: 5, bm25_weight: 3}}", "subquestion", 5, 3, 1, "subquestion"},
				{"hyde", "", 60, 0, 0, "hypothesis question"},
				{"{type: hyde, retrieval: {rrf_k: 0}}", "", 0, 0, 0, "hypothesis question"},
				{"raglite", "fused", 59, .25, .75, ""}, // its ranks count from 0
			} {
				sys := b.build(t, c.entry)
				for _, q := range questions {
					const depth = 10
					r := retrieve(t, sys, q.Text, depth)
					legs := map[string][]rag.Hit{}
					for _, leg := range r.Legs {
						legs[leg.Name] = leg.Hits
					}
					var lists []Vote
					for _, base := range strings.Fields(c.final) {
						for i := range len(r.Legs) {
							lists = append(lists, Vote{legs[numbered(base, i)], 1})
						}
					}
					if c.final != "" {
						want := RRF(c.k, lists)
						alikeFusion(t, c.entry+" "+short(q), r.Hits, want, depth)
					}
					for i := range len(r.Legs) {
						made, ok := legs[numbered(c.made, i)]
						if !ok {
							continue
						}
						want := RRF(c.k, []Vote{{legs[numbered("bm25", i)], c.wl}, {legs[numbered("vector", i)], c.wv}})
						alikeFusion(t, fmt.Sprintf("%s %s %s %d", c.entry, short(q), c.made, i), made, want, 20)
					}
				}
			}
		})
	}
}

// alikeFusion wants the first n of a fused list in order. Scores that are equal as fractions may differ in their last digit as
// floating-point numbers, 1/10 + 1/15 and 1/6 for one: such chunks may change places, and no others.
func alikeFusion(t *testing.T, what string, got []rag.Hit, want []Fused, n int) {
	t.Helper()
	if n = min(n, len(want)); len(got) != n {
		t.Errorf("%s: got %d hits, want %d", what, len(got), n)
		return
	}
	score := map[int64]float64{}
	for _, f := range want {
		score[f.Chunk] = f.Score
	}
	for i, h := range got {
		own := score[h.Chunk.RowID]
		if math.Abs(h.Score-own) > 1e-14 || own != want[i].Score || h.Chunk.RowID != want[i].Chunk && !rounded(got, want[i].Chunk, h.Score) {
			t.Errorf("%s: hit %d: got chunk %d with %v, want %d with %v", what, i+1, h.Chunk.RowID, h.Score, want[i].Chunk, want[i].Score)
			return
		}
	}
}

// rounded tells whether the list holds a chunk with another score than the one given: a tie of fractions that rounding broke.
// A chunk beyond the end of the list may be one.
func rounded(got []rag.Hit, chunk int64, score float64) bool {
	for _, h := range got {
		if h.Chunk.RowID == chunk {
			return h.Score != score
		}
	}
	return true
}

// numbered names the list of the n-th query.
func numbered(base string, n int) string {
	if n == 0 {
		return base
	}
	return fmt.Sprintf("%s#%d", base, n)
}
