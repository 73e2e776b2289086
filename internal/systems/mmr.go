package systems

import (
	"strconv"

	"ragbench/internal/rag"
	"ragbench/internal/trace"
	"ragbench/internal/vec"
)

// pool is how deep to search when MMR picks from a larger pool.
func (e *Env) pool(depth int) int {
	if e.Config.Retrieval.Diversity == "mmr" {
		return max(e.Config.Retrieval.MMRCandidates, depth)
	}
	return depth
}

// diversify reorders a ranking by maximal marginal relevance when the option asks for it, and cuts it to depth.
func (e *Env) diversify(r rag.Ranking, vectors int64, depth int, tr rag.Trace) (rag.Ranking, error) {
	if e.Config.Retrieval.Diversity != "mmr" {
		r.Hits = r.Hits[:min(depth, len(r.Hits))]
		return r, nil
	}
	step, end := tr.Step(rag.StepRerank, "mmr", trace.Chunks(r.Hits))
	defer end()
	note(step, "lambda", e.Config.Retrieval.MMRLambda)
	note(step, "candidates", len(r.Hits))
	ids := make([]int64, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.Chunk.RowID
	}
	rows, err := e.Search.Vectors(vectors, ids)
	if err != nil {
		step.Error = err.Error()
		return r, err
	}
	r.Hits = Diversify(r.Hits, rows, e.Config.Retrieval.MMRLambda, depth)
	step.Output = trace.Chunks(r.Hits)
	return r, nil
}

// Diversify picks k hits by maximal marginal relevance, given the vector of each. Scores stay; the place before is kept as
// mmr_original_rank.
func Diversify(hits []rag.Hit, vectors [][]float32, lambda float64, k int) []rag.Hit {
	order := mmr(hits, vectors, lambda, k)
	picked := make([]rag.Hit, len(order))
	for rank, i := range order {
		picked[rank] = hits[i]
		picked[rank].Rank = rank + 1
		picked[rank].Metadata = map[string]string{"mmr_original_rank": strconv.Itoa(i + 1)}
	}
	return picked
}

// mmr returns the indexes of k hits picked greedily: lambda times relevance minus (1 - lambda) times the highest cosine
// to a hit already picked (Carbonell and Goldstein 1998). Relevance is the score over the best score, when that is above
// 0. The highest cosine starts at 0, so a negative one earns nothing; the first of equals wins. A hit without a vector
// is like no other.
func mmr(hits []rag.Hit, rows [][]float32, lambda float64, k int) []int {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	nearest := make([]float64, len(hits))
	norms := make([]float64, len(hits))
	for i, row := range rows {
		norms[i] = vec.Norm(row)
	}
	left := make([]bool, len(hits))
	for i := range left {
		left[i] = true
	}
	var order []int
	for len(order) < min(k, len(hits)) {
		pick, top := -1, 0.0
		for i, h := range hits {
			if !left[i] {
				continue
			}
			relevance := h.Score
			if best > 0 {
				relevance /= best
			}
			if v := lambda*relevance - (1-lambda)*nearest[i]; pick < 0 || v > top {
				pick, top = i, v
			}
		}
		left[pick] = false
		order = append(order, pick)
		for i := range hits {
			if left[i] && norms[i] > 0 && norms[pick] > 0 {
				nearest[i] = max(nearest[i], vec.Dot(rows[i], rows[pick])/(norms[i]*norms[pick]))
			}
		}
	}
	return order
}
