package vec

import (
	"fmt"
	"sync"
)

// Scored is a row of a matrix and its inner product with a query.
type Scored struct {
	Row   int
	Score float64 // Dot of the query and the row
}

// Scan says how to search. No field but Filter changes a result. The zero value searches all rows on one thread with the best
// kernel.
type Scan struct {
	Filter  Filter // rows that may be returned; nil allows all
	Threads int    // goroutines that share the rows; less than 2 means one
	Kernel  string // one of Kernels, or "" for the best
}

// A coarse score costs about a fifth of Dot for a single query, a fiftieth in a batch, but is computed for rows that the filter
// excludes, too. So Dot alone is cheaper when fewer than one row in so many is allowed.
const sparseSingle, sparseBatch = 8, 64

// TopK returns the k rows with the largest inner product with the query, ordered by (score descending, row ascending); all
// rows when there are fewer than k, none when k is not positive. A query that Check refuses is an error.
func TopK(m *Matrix, query []float32, k int) ([]Scored, error) {
	return Scan{}.TopK(m, query, k)
}

// TopKBatch is TopK for many queries at once, result i belonging to query i. It is several times faster per query.
func TopKBatch(m *Matrix, queries [][]float32, k int) ([][]Scored, error) {
	return Scan{}.TopKBatch(m, queries, k)
}

// TopK is the function TopK among the rows that the filter allows.
func (s Scan) TopK(m *Matrix, query []float32, k int) ([]Scored, error) {
	if err := Check(query, m.dims); err != nil {
		return nil, fmt.Errorf("search vector: %w", err)
	}
	results, err := s.search(m, [][]float32{query}, k)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// TopKBatch is the function TopKBatch among the rows that the filter allows.
func (s Scan) TopKBatch(m *Matrix, queries [][]float32, k int) ([][]Scored, error) {
	for i, query := range queries {
		if err := Check(query, m.dims); err != nil {
			return nil, fmt.Errorf("search vector %d of %d: %w", i, len(queries), err)
		}
	}
	return s.search(m, queries, k)
}

// search answers checked queries.
func (s Scan) search(m *Matrix, queries [][]float32, k int) ([][]Scored, error) {
	kernel, err := kernelNamed(s.Kernel)
	if err != nil {
		return nil, err
	}
	results := make([][]Scored, len(queries))
	allowed := s.Filter.Count(m.rows)
	k = min(k, allowed)
	if k <= 0 || len(queries) == 0 {
		for i := range results {
			results[i] = []Scored{}
		}
		return results, nil
	}
	// The coarse pass has nothing to drop when every row is wanted, and costs more than Dot when few rows are allowed.
	sparse := m.rows / sparseBatch
	if len(queries) == 1 {
		sparse = m.rows / sparseSingle
	}
	exact := k == allowed || allowed < sparse
	segments := len(m.norms)
	threads := max(1, min(s.Threads, segments))
	job := newPass(m, kernel, s.Filter, queries, k)
	parts := make([][][]candidate, threads)
	var running sync.WaitGroup
	for t := range threads {
		lo, hi := segments*t/threads*segmentRows, min(segments*(t+1)/threads*segmentRows, m.rows)
		share := func() {
			if exact {
				parts[t] = job.all(lo, hi)
			} else {
				parts[t] = job.scan(lo, hi)
			}
		}
		if t == threads-1 {
			share()
		} else {
			running.Go(share)
		}
	}
	running.Wait()
	for q := range results {
		settled := parts[0][q]
		for _, part := range parts[1:] {
			settled = append(settled, part[q]...)
		}
		results[q] = rank(settled, k)
	}
	return results, nil
}
