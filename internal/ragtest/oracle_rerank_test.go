package ragtest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

func TestRerankEqualsOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			b := newBench(t, docs)
			dense, fused, stop := b.build(t, "vector"), b.build(t, "hybrid"), stopWords(t)
			for _, c := range []struct {
				typ, reranker string
				pool, depth   int
				multi         int
			}{
				{"rerank", "simple_keyword_overlap", 30, 10, 0},
				{"rerank", "local", 5, 12, 0},
				{"rerank", "simple_keyword_overlap", 8, 4, 4},
				{"hybrid_rerank", "local_relevance", 30, 10, 0},
				{"hybrid_rerank", "simple_keyword_overlap", 3, 20, 0},
			} {
				entry := fmt.Sprintf("{type: %s, retrieval: {reranker: %s, candidate_top_k: %d, multi_query: %v, max_query_variants: %d}}",
					c.typ, c.reranker, c.pool, c.multi > 0, max(1, c.multi))
				sys := b.build(t, entry)
				for _, q := range questions {
					pool := max(c.pool, c.depth)
					var candidates []rag.Hit
					switch {
					case c.typ == "hybrid_rerank":
						candidates = retrieve(t, fused, q.Text, pool).Hits
					case c.multi > 0:
						candidates = bestOf(t, dense, text.Variants(q.Text, c.multi), pool)
					default:
						candidates = retrieve(t, dense, q.Text, pool).Hits
					}
					want := KeywordRerank(q.Text, candidates)
					if c.reranker != "simple_keyword_overlap" {
						if tfidf, ok := TFIDFRerank(q.Text, candidates, stop); ok {
							want = tfidf
						}
					}
					sameRerank(t, entry+" "+short(q), retrieve(t, sys, q.Text, c.depth).Hits, candidates, want[:min(c.depth, len(want))])
				}
			}
		})
	}
}

// bestOf merges the searches of several wordings: each chunk with its best score, the one seen first first on a tie.
func bestOf(t *testing.T, sys rag.System, wordings []string, pool int) (merged []rag.Hit) {
	t.Helper()
	for _, w := range wordings {
		for _, h := range retrieve(t, sys, w, pool).Hits {
			i := slices.IndexFunc(merged, func(m rag.Hit) bool { return m.Chunk.RowID == h.Chunk.RowID })
			if i < 0 {
				merged = append(merged, h)
			} else {
				merged[i].Score = max(merged[i].Score, h.Score)
			}
		}
	}
	slices.SortStableFunc(merged, func(a, b rag.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return merged[:min(pool, len(merged))]
}

// sameRerank wants the same candidates in the same order, but for those whose scores differ by rounding alone.
func sameRerank(t *testing.T, what string, got, candidates []rag.Hit, want []Reranked) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d hits, want %d", what, len(got), len(want))
		return
	}
	scores := map[int64]float64{}
	for _, w := range want {
		scores[candidates[w.At].Chunk.RowID] = w.Score
	}
	for i, h := range got {
		w := candidates[want[i].At].Chunk.RowID
		own, listed := scores[h.Chunk.RowID]
		tie := math.Abs(h.Score-want[i].Score) < 1e-12
		if !tie || listed && math.Abs(h.Score-own) >= 1e-12 || !listed && h.Chunk.RowID != w && i < len(got)-1 {
			t.Errorf("%s: hit %d: got chunk %d with %v, want %d with %v", what, i+1, h.Chunk.RowID, h.Score, w, want[i].Score)
			return
		}
		if at := slices.IndexFunc(candidates, func(c rag.Hit) bool { return c.Chunk.RowID == h.Chunk.RowID }); h.Metadata["original_rank"] != fmt.Sprint(at+1) {
			t.Errorf("%s: hit %d says it was at place %s, want %d", what, i+1, h.Metadata["original_rank"], at+1)
			return
		}
	}
}

// stopWords reads the list out of the source of package rerank, whose own test counts it.
func stopWords(t *testing.T) map[string]bool {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "rerank", "stopwords.go"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(source), "`")
	if len(parts) != 3 {
		t.Fatalf("stopwords.go has %d parts between backquotes, want 3", len(parts))
	}
	set := map[string]bool{}
	for _, w := range strings.Fields(parts[1]) {
		set[w] = true
	}
	return set
}
