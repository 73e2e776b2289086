package vec

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

const (
	benchRows, benchDims = 100_000, 384
	benchQueries         = 100
	benchK               = 10
)

// benchData is 100,000 unit vectors of 384 dimensions around 1,000 centres, and 100 queries near them.
var benchData = sync.OnceValues(func() (*Matrix, [][]float32) {
	rng := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, 1000)
	for i := range centres {
		centres[i] = randomVector(rng, benchDims)
	}
	near := func() []float32 {
		v := slices.Clone(centres[rng.IntN(len(centres))])
		for j := range v {
			v[j] += .7 * (rng.Float32() - .5)
		}
		Normalise(v)
		return v
	}
	m, err := NewMatrix(benchDims, benchRows)
	if err != nil {
		panic(err)
	}
	for range benchRows {
		if err := m.Append(near()); err != nil {
			panic(err)
		}
	}
	queries := make([][]float32, benchQueries)
	for i := range queries {
		queries[i] = near()
	}
	return m, queries
})

// BenchmarkTopK searches 100,000 x 384 vectors for one query at a time; naive is a plain Go loop over float32.
// that keeps its best rows by insertion.
func BenchmarkTopK(b *testing.B) {
	m, queries := benchData()
	b.Run("naive", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			naiveFloat32(m, queries[i%benchQueries], benchK)
		}
	})
	for _, name := range Kernels() {
		b.Run(name, func(b *testing.B) { benchSingle(b, m, queries, Scan{Kernel: name}) })
	}
	b.Run("threads2", func(b *testing.B) { benchSingle(b, m, queries, Scan{Threads: 2}) })
}

func benchSingle(b *testing.B, m *Matrix, queries [][]float32, s Scan) {
	b.SetBytes(benchRows * benchDims * bytesPerFloat)
	for i := 0; b.Loop(); i++ {
		if _, err := s.TopK(m, queries[i%benchQueries], benchK); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTopKBatch searches for 100 queries at once; ns/query is the figure to compare with BenchmarkTopK.
func BenchmarkTopKBatch(b *testing.B) {
	m, queries := benchData()
	for _, name := range Kernels() {
		b.Run(name, func(b *testing.B) { benchBatch(b, m, queries, Scan{Kernel: name}, benchK) })
	}
	b.Run("k100", func(b *testing.B) { benchBatch(b, m, queries, Scan{}, 100) })
	b.Run("threads2", func(b *testing.B) { benchBatch(b, m, queries, Scan{Threads: 2}, benchK) })
}

func benchBatch(b *testing.B, m *Matrix, queries [][]float32, s Scan, k int) {
	for b.Loop() {
		if _, err := s.TopKBatch(m, queries, k); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchQueries), "ns/query")
}

// BenchmarkTopKFilter searches among few rows.
func BenchmarkTopKFilter(b *testing.B) {
	m, queries := benchData()
	for _, part := range []struct {
		name  string
		every int
	}{{"all", 1}, {"1in4", 4}, {"1in20", 20}, {"1in100", 100}} {
		f := NewFilter(benchRows)
		for row := 0; row < benchRows; row += part.every {
			f.Allow(row)
		}
		b.Run(part.name, func(b *testing.B) { benchSingle(b, m, queries, Scan{Filter: f}) })
		b.Run(part.name+"/batch", func(b *testing.B) { benchBatch(b, m, queries, Scan{Filter: f}, benchK) })
	}
}

// BenchmarkTopKDuplicates searches 100,000 equal rows: every score ties.
func BenchmarkTopKDuplicates(b *testing.B) {
	_, queries := benchData()
	block := Encode(slices.Concat(slices.Repeat([][]float32{queries[0]}, benchRows)...))
	m, err := NewMatrix(benchDims, benchRows)
	if err != nil {
		b.Fatal(err)
	}
	if err := m.AppendBlock(block, benchRows); err != nil {
		b.Fatal(err)
	}
	benchSingle(b, m, queries, Scan{})
}

// BenchmarkAppendBlock loads blocks of 1,024 vectors, checks included.
func BenchmarkAppendBlock(b *testing.B) {
	m, _ := benchData()
	block := Encode(m.flat[:1024*benchDims])
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		into, err := NewMatrix(benchDims, 1024)
		if err != nil {
			b.Fatal(err)
		}
		if err := into.AppendBlock(block, 1024); err != nil {
			b.Fatal(err)
		}
	}
}

// naiveFloat32 is what one writes first in Go.
func naiveFloat32(m *Matrix, query []float32, k int) []Scored {
	best := make([]Scored, 0, k+1)
	for row := range m.Rows() {
		var sum float32
		for i, x := range m.Row(row) {
			sum += query[i] * x
		}
		score := float64(sum)
		if len(best) == k && score <= best[k-1].Score {
			continue
		}
		at := len(best)
		for at > 0 && best[at-1].Score < score {
			at--
		}
		best = slices.Insert(best, at, Scored{Row: row, Score: score})
		best = best[:min(k, len(best))]
	}
	return best
}

// randomVector has independent normal values.
func randomVector(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}
