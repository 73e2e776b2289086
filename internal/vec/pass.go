package vec

import "math"

const (
	// queryBlock is how many queries one call of a kernel takes at most; it bounds the array of hits.
	queryBlock = 96
	// tileBytes is how much of the matrix one call takes when several queries share it, so that it stays in a second-level
	// cache beside the queries; streamBytes is the same when nothing is shared and only the cost of the call counts.
	tileBytes, streamBytes = 128 << 10, 1 << 20
)

// pass is what all threads of one search share: it is only read.
type pass struct {
	m       *Matrix
	kernel  kernel
	filter  Filter
	raw     [][]float32
	queries []float32 // padded to the matrix' stride, with room for widest-1 more after the last
	lengths []float64 // upper bounds of the queries' lengths
	k, step int       // step: rows of one call, a power of two that divides segmentRows
}

func newPass(m *Matrix, kernel kernel, filter Filter, queries [][]float32, k int) *pass {
	p := &pass{m: m, kernel: kernel, filter: filter, raw: queries, k: k}
	p.queries = aligned((len(queries) + widest - 1) * m.stride)
	p.lengths = make([]float64, len(queries))
	for i, query := range queries {
		copy(p.queries[i*m.stride:], query)
		p.lengths[i] = Norm(query) * roundUp
	}
	budget := tileBytes
	if len(queries) == 1 {
		budget = streamBytes
	}
	p.step = segmentRows
	for p.step > 16 && p.step*m.stride*bytesPerFloat > budget {
		p.step /= 2
	}
	return p
}

// collectors returns a fresh collector for each query.
func (p *pass) collectors() []*collector {
	best := make([]*collector, len(p.raw))
	for q := range best {
		best[q] = newCollector(p.m, p.raw[q], p.k)
	}
	return best
}

// scan returns, for each query, the k best of the rows lo to hi-1, settled. lo is the start of a segment.
func (p *pass) scan(lo, hi int) [][]candidate {
	best := p.collectors()
	block := min(queryBlock, len(best))
	thresholds, slacks := make([]float32, block), make([]float64, block)
	hits := make([]hit, block*p.step)
	bound, n := newCoarse(p.m.dims), p.m.stride
	for start := lo; start < hi; start += p.step {
		end := min(start+p.step, hi)
		if !p.filter.anyIn(start, end) {
			continue
		}
		norm := p.m.norms[start/segmentRows]
		for first := 0; first < len(best); first += block {
			some := best[first:min(first+block, len(best))]
			for i, c := range some {
				slacks[i] = bound.slack(p.lengths[first+i], norm)
				thresholds[i] = floorToFloat32(c.floor - slacks[i])
			}
			found := p.kernel.scan(p.m.flat[start*n:end*n], end-start, p.queries[first*n:], len(some), n, thresholds, hits)
			for _, h := range found {
				if row := start + int(h.row); p.filter.Allows(row) {
					some[h.query].add(row, float32(h.score), slacks[h.query])
				}
			}
		}
	}
	return finishAll(best)
}

// all is scan without the coarse pass: every allowed row is settled.
func (p *pass) all(lo, hi int) [][]candidate {
	best := p.collectors()
	for start := lo; start < hi; start += 64 {
		if !p.filter.anyIn(start, start+64) {
			continue
		}
		for row := start; row < min(start+64, hi); row++ {
			if !p.filter.Allows(row) {
				continue
			}
			for _, c := range best {
				c.add(row, 0, math.Inf(1))
			}
		}
	}
	return finishAll(best)
}

func finishAll(best []*collector) [][]candidate {
	settled := make([][]candidate, len(best))
	for q, c := range best {
		settled[q] = c.finish()
	}
	return settled
}
