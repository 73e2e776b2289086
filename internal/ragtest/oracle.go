package ragtest

import (
	"math"
	"math/big"
	"slices"

	"ragbench/internal/rag"
)

// Vote is one list of a fusion.
type Vote struct {
	Hits   []rag.Hit
	Weight float64
}

// Fused is a chunk of a fused list with its score.
type Fused struct {
	Chunk int64
	Score float64
}

// RRF fuses lists by weighted reciprocal rank as plainly as can be, in exact fractions: a chunk scores the sum of
// weight / (k + rank) over the lists that hold it, the highest comes first, and of equals the one seen first, list by list.
// It is what the statements of systems are compared with.
func RRF(k int, lists []Vote) []Fused {
	score := map[int64]*big.Rat{}
	var seen []int64
	for _, l := range lists {
		weight := new(big.Rat).SetFloat64(l.Weight)
		for i, h := range l.Hits {
			id := h.Chunk.RowID
			if score[id] == nil {
				score[id] = new(big.Rat)
				seen = append(seen, id)
			}
			vote := new(big.Rat).SetFrac64(1, int64(k+i+1))
			score[id].Add(score[id], vote.Mul(vote, weight))
		}
	}
	slices.SortStableFunc(seen, func(a, b int64) int { return score[b].Cmp(score[a]) })
	out := make([]Fused, len(seen))
	for i, id := range seen {
		value, _ := score[id].Float64()
		out[i] = Fused{id, value}
	}
	return out
}

// MMR picks n of the candidates greedily, as plainly as can be: of those left, the one with the largest
//
//	lambda * score/best - (1 - lambda) * largest cosine to one picked, at least 0
//
// and of equals the first; scores are not divided when the best is not above 0 (Carbonell and Goldstein 1998; seed
// document of the project). It returns positions of candidates. A nil vector is like no other.
func MMR(candidates []rag.Hit, vectors [][]float32, lambda float64, n int) []int {
	best := 0.0
	for _, c := range candidates {
		best = math.Max(best, c.Score)
	}
	if best == 0 {
		best = 1
	}
	var picked []int
	for len(picked) < n && len(picked) < len(candidates) {
		winner, most := -1, 0.0
		for i, c := range candidates {
			if slices.Contains(picked, i) {
				continue
			}
			near := 0.0
			for _, p := range picked {
				near = math.Max(near, likeness(vectors[i], vectors[p]))
			}
			if v := lambda*(c.Score/best) - (1-lambda)*near; winner < 0 || v > most {
				winner, most = i, v
			}
		}
		picked = append(picked, winner)
	}
	return picked
}

// likeness is the cosine of two vectors, 0 when one has no direction.
func likeness(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range min(len(a), len(b)) {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / (math.Sqrt(aa) * math.Sqrt(bb))
}
