package ragtest

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/text"
	"ragbench/internal/trace"
)

// corpora are what the fusion and the diversification are compared on.
var corpora = map[string]func(t testing.TB) ([]rag.Document, []rag.Question){
	"demo":      Demo,
	"cranfield": func(t testing.TB) ([]rag.Document, []rag.Question) { return Shared(t, "cranfield") },
	"hostile":   func(t testing.TB) ([]rag.Document, []rag.Question) { return Hostile(t), Questions() },
}

func TestFusionEqualsOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			b := newBench(t, docs)
			lexical, dense := b.build(t, "bm25"), b.build(t, "vector")
			for _, c := range []struct {
				k            int
				wl, wv       float64
				topL, topV   int
				multi, depth int
			}{
				{60, 1, 1, 20, 20, 0, 10},
				{60, 1, 1, 20, 20, 4, 10},
				{0, 2, .5, 5, 40, 0, 10},
				{10, 0, 1, 20, 20, 0, 30},
				{60, 1, 0, 20, 20, 3, 30},
				{1, .1, .3, 1, 2, 8, 1},
			} {
				entry := fmt.Sprintf("{type: hybrid, retrieval: {rrf_k: %d, bm25_weight: %v, vector_weight: %v, bm25_top_k: %d, vector_top_k: %d, multi_query: %v, max_query_variants: %d}}",
					c.k, c.wl, c.wv, c.topL, c.topV, c.multi > 0, max(1, c.multi))
				sys := b.build(t, entry)
				for _, q := range questions {
					wordings := []string{q.Text}
					if c.multi > 0 {
						wordings = text.Variants(q.Text, c.multi)
					}
					var lists []Vote
					for _, w := range wordings {
						lists = append(lists,
							Vote{retrieve(t, lexical, w, max(c.topL, c.depth)).Hits, c.wl},
							Vote{retrieve(t, dense, w, max(c.topV, c.depth)).Hits, c.wv})
					}
					want := RRF(c.k, lists)
					want = want[:min(c.depth, len(want))]
					sameFusion(t, entry+" "+short(q), retrieve(t, sys, q.Text, c.depth).Hits, want)
				}
			}
		})
	}
}

// sameFusion wants the same chunks in the same order, and scores within a few units of the last place.
func sameFusion(t *testing.T, what string, got []rag.Hit, want []Fused) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d hits, want %d", what, len(got), len(want))
		return
	}
	for i, h := range got {
		if h.Chunk.RowID != want[i].Chunk || math.Abs(h.Score-want[i].Score) > 1e-15*math.Max(1, want[i].Score) {
			t.Errorf("%s: hit %d: got chunk %d with %v, want %d with %v", what, i+1, h.Chunk.RowID, h.Score, want[i].Chunk, want[i].Score)
			return
		}
	}
}

func TestDiversityEqualsOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			b := newBench(t, docs)
			for _, c := range []struct {
				typ         string
				lambda      float64
				pool, depth int
			}{
				{"vector", .5, 20, 10}, {"vector", 0, 30, 10}, {"vector", 1, 20, 10}, {"vector", .3, 5, 12}, {"hybrid", .5, 20, 10}, {"hybrid", .7, 40, 10},
			} {
				plain := b.build(t, c.typ)
				entry := fmt.Sprintf("{type: %s, retrieval: {diversity: mmr, mmr_lambda: %v, mmr_candidates: %d}}", c.typ, c.lambda, c.pool)
				sys := b.build(t, entry)
				for _, q := range questions {
					candidates := retrieve(t, plain, q.Text, max(c.pool, c.depth)).Hits
					vectors := make([][]float32, len(candidates))
					for i, h := range candidates {
						vectors[i] = b.vector(t, h.Chunk.Indexed())
					}
					order := MMR(candidates, vectors, c.lambda, c.depth)
					got := retrieve(t, sys, q.Text, c.depth).Hits
					if len(got) != len(order) {
						t.Errorf("%s %s: got %d hits, want %d", entry, short(q), len(got), len(order))
						continue
					}
					for i, at := range order {
						if h, w := got[i], candidates[at]; h.Chunk.RowID != w.Chunk.RowID || h.Score != w.Score || h.Metadata["mmr_original_rank"] != fmt.Sprint(at+1) {
							t.Errorf("%s %s: hit %d: got chunk %d with %v from place %s, want %d with %v from %d", entry, short(q), i+1,
								h.Chunk.RowID, h.Score, h.Metadata["mmr_original_rank"], w.Chunk.RowID, w.Score, at+1)
							break
						}
					}
				}
			}
		})
	}
}

// bench is a corpus in a file with models.
type bench struct {
	f       *File
	m       *Models
	corpus  rag.Corpus
	vectors map[string][]float32
}

func newBench(t *testing.T, docs []rag.Document) *bench {
	t.Helper()
	f := Open(t)
	corpus, _ := f.Corpus(t, docs, nil)
	return &bench{f, NewModels(t, f), corpus, map[string][]float32{}}
}

func (b *bench) build(t *testing.T, entry string) rag.System {
	t.Helper()
	sys := Build(t, b.f, b.m, entry)
	ingest(t, sys, b.corpus)
	return sys
}

// vector asks the model itself, past every table and index.
func (b *bench) vector(t *testing.T, text string) []float32 {
	t.Helper()
	v, ok := b.vectors[text]
	if !ok {
		v = embed(t, b.m, text, false)
		b.vectors[text] = v
	}
	return v
}

func retrieve(t *testing.T, sys rag.System, question string, depth int) rag.Ranking {
	t.Helper()
	r, err := sys.Retrieve(context.Background(), rag.Question{ID: "q", Text: question}, depth, trace.New(time.Now))
	if err != nil {
		t.Fatalf("%q: %v", question[:min(40, len(question))], err)
	}
	return r
}
