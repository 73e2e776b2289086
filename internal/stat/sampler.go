package stat

import "math"

// Sampler resamples series and remembers the draws of each length, so that many series cost one set of draws. It is not
// safe for concurrent use.
type Sampler struct {
	resamples int
	seed      uint64
	patterns  int // of signs, in the randomisation test
	draws     map[int][]uint32
}

// maxDraws bounds the draws that are remembered, 4 bytes each.
const maxDraws = 1 << 25

// NewSampler returns a sampler of so many resamples, at least 100.
func NewSampler(resamples int, seed uint64) *Sampler {
	return &Sampler{resamples: max(100, resamples), seed: seed, patterns: randomFlips, draws: map[int][]uint32{}}
}

// Resamples returns the number of resamples.
func (s *Sampler) Resamples() int { return s.resamples }

// Seed returns the seed.
func (s *Sampler) Seed() uint64 { return s.seed }

// each calls f with the indices of each resample of n values, in order.
func (s *Sampler) each(n int, f func(b int, row []uint32)) {
	all, ok := s.draws[n]
	if !ok && n*s.resamples <= maxDraws {
		all = make([]uint32, n*s.resamples)
		g := newPCG(s.seed)
		for b := range s.resamples {
			g.indices(all[b*n:(b+1)*n], n)
		}
		s.draws[n] = all
		ok = true
	}
	if ok {
		for b := range s.resamples {
			f(b, all[b*n:(b+1)*n])
		}
		return
	}
	g, row := newPCG(s.seed), make([]uint32, n)
	for b := range s.resamples {
		g.indices(row, n)
		f(b, row)
	}
}

// means returns the mean of each resample of x.
func (s *Sampler) means(x []float64) []float64 {
	out := make([]float64, s.resamples)
	s.each(len(x), func(b int, row []uint32) {
		sum := 0.0
		for _, i := range row {
			sum += x[i]
		}
		out[b] = sum / float64(len(row))
	})
	return out
}

// ts returns the t statistic of each resample of x about its mean: (mean* - mean) / se*. A resample of equal values has
// no standard error; its t is 0 where its mean is x's, and otherwise infinite.
func (s *Sampler) ts(x []float64, mean float64) []float64 {
	out := make([]float64, s.resamples)
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = v - mean
	}
	n := float64(len(x))
	s.each(len(x), func(b int, row []uint32) {
		var sum, squares float64
		for _, i := range row {
			v := d[i]
			sum += v
			squares += v * v
		}
		m := sum / n
		variance := (squares - n*m*m) / (n - 1)
		switch {
		case variance > 1e-12*squares/n:
			out[b] = m / math.Sqrt(variance/n)
		case m == 0:
		default:
			out[b] = math.Inf(int(math.Copysign(1, m)))
		}
	})
	return out
}
