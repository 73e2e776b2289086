package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brute is the definition of TopK: all rows, Dot, sort.
func brute(m *Matrix, query []float32, k int, f Filter) []Scored {
	all := []Scored{}
	for row := range m.Rows() {
		if f.Allows(row) {
			all = append(all, Scored{row, Dot(query, m.Row(row))})
		}
	}
	slices.SortStableFunc(all, func(a, b Scored) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return all[:max(0, min(k, len(all)))]
}

// shapes of data: each makes one row after the other.
var shapes = []struct {
	name string
	row  func(rng *rand.Rand, dims int, before [][]float32) []float32
}{
	{"random", func(rng *rand.Rand, dims int, _ [][]float32) []float32 { return randomVector(rng, dims) }},
	{"unit", func(rng *rand.Rand, dims int, _ [][]float32) []float32 {
		v := randomVector(rng, dims)
		Normalise(v)
		return v
	}},
	{"clustered", func(rng *rand.Rand, dims int, before [][]float32) []float32 {
		if len(before) < 5 {
			return randomVector(rng, dims)
		}
		v := slices.Clone(before[rng.IntN(5)])
		for i := range v {
			v[i] += float32(rng.NormFloat64()) * 1e-3
		}
		return v
	}},
	{"duplicated", func(rng *rand.Rand, dims int, before [][]float32) []float32 {
		if len(before) < 3 {
			return randomVector(rng, dims)
		}
		return before[rng.IntN(3)]
	}},
	{"last bit", func(rng *rand.Rand, dims int, before [][]float32) []float32 {
		if len(before) == 0 {
			return randomVector(rng, dims)
		}
		v := slices.Clone(before[0])
		i := rng.IntN(dims)
		v[i] = math.Nextafter32(v[i], float32(rng.IntN(3)-1)*math.MaxFloat32)
		return v
	}},
	{"last bit, short rows first", func(rng *rand.Rand, dims int, before [][]float32) []float32 {
		if len(before) == 0 {
			return randomVector(rng, dims)
		}
		v := slices.Clone(before[0])
		i := rng.IntN(dims)
		v[i] = math.Nextafter32(v[i], float32(rng.IntN(3)-1)*math.MaxFloat32)
		if len(before) >= segmentRows {
			for i := range v {
				v[i] *= 0x1p20
			}
		}
		return v
	}},
	{"mixed lengths", func(rng *rand.Rand, dims int, _ [][]float32) []float32 {
		v, scale := randomVector(rng, dims), float32(math.Exp2(float64(rng.IntN(60)-30)))
		for i := range v {
			v[i] *= scale
		}
		return v
	}},
	{"whole range", func(rng *rand.Rand, dims int, _ [][]float32) []float32 {
		v, scale := make([]float32, dims), []float32{0x1p-149, 0x1p-75, 1, 0x1p62, 0x1p120}[rng.IntN(5)]
		for i := range v {
			v[i] = float32(rng.IntN(200)-100) * scale
		}
		v[0] = scale
		return v
	}},
}

func shaped(t *testing.T, rng *rand.Rand, shape, dims, rows int) (*Matrix, [][]float32) {
	t.Helper()
	m, err := NewMatrix(dims, rows)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float32
	for range rows {
		v := shapes[shape].row(rng, dims, all)
		all = append(all, v)
		if err := m.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	queries := make([][]float32, 8)
	for i := range queries {
		queries[i] = all[rng.IntN(rows)]
		if i%2 == 1 {
			queries[i] = shapes[shape].row(rng, dims, all)
		}
	}
	return m, queries
}

// TopK and TopKBatch equal the definition, order and score bits, on every kernel and for one thread and two.
func TestTopKIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	sizes := []struct{ dims, rows int }{
		{1, 1}, {1, 700}, {3, 2}, {3, 5000}, {16, 5}, {16, 2049}, {17, 1025}, {384, 3}, {384, 1500}, {384, 5000}, {1536, 1100},
	}
	for shape := range shapes {
		for _, size := range sizes {
			name := fmt.Sprintf("%s/%dx%d", shapes[shape].name, size.rows, size.dims)
			t.Run(name, func(t *testing.T) {
				m, queries := shaped(t, rng, shape, size.dims, size.rows)
				expectExact(t, m, queries, nil)
			})
		}
	}
}

func TestTopKFilter(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for shape := range shapes {
		m, queries := shaped(t, rng, shape, 33, 3000)
		for _, part := range []float64{0, .001, .01, .1, .9, 1} {
			f := NewFilter(m.Rows())
			for row := range m.Rows() {
				if rng.Float64() < part {
					f.Allow(row)
				}
			}
			t.Run(fmt.Sprintf("%s/%g", shapes[shape].name, part), func(t *testing.T) { expectExact(t, m, queries, f) })
		}
		// One stretch of rows, and a filter that ends before the rows do.
		f := NewFilter(1500)
		for row := 1100; row < 1400; row++ {
			f.Allow(row)
		}
		t.Run(shapes[shape].name+"/stretch", func(t *testing.T) { expectExact(t, m, queries, f) })
	}
}

func expectExact(t *testing.T, m *Matrix, queries [][]float32, f Filter) {
	t.Helper()
	full := make([][]Scored, len(queries))
	for q, query := range queries {
		full[q] = brute(m, query, m.Rows(), f)
	}
	depths := []int{1, 10, 300}
	if m.Rows() <= 3000 && m.Dims() <= 33 {
		depths = append(depths, -1, 0, 2, m.Rows()-1, m.Rows(), m.Rows()+7)
	}
	for _, k := range depths {
		for _, name := range Kernels() {
			for threads := 1; threads <= 2; threads++ {
				s := Scan{Filter: f, Kernel: name, Threads: threads}
				got, err := s.TopKBatch(m, queries, k)
				if err != nil {
					t.Fatal(err)
				}
				for q := range queries {
					want := full[q][:max(0, min(k, len(full[q])))]
					expectRanking(t, fmt.Sprintf("batch, %s, %d threads, k %d, query %d", name, threads, k, q), got[q], want)
				}
				// One query takes another path through the tiles; one at each k is enough.
				q := (k + 1 + threads) % len(queries)
				one, err := s.TopK(m, queries[q], k)
				if err != nil {
					t.Fatal(err)
				}
				expectRanking(t, fmt.Sprintf("single, %s, %d threads, k %d, query %d", name, threads, k, q), one, got[q])
			}
		}
	}
}

func expectRanking(t *testing.T, name string, got, want []Scored) {
	t.Helper()
	if !slices.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Fatalf("%s: got %d rows, want %d; from place %d (-want +got)\n%s", name, len(got), len(want), at,
			cmp.Diff(want[at:min(at+3, len(want))], got[at:min(at+3, len(got))]))
	}
}

// Rows that tie come in their order, and a batch of none has no results.
func TestTopKEdges(t *testing.T) {
	m, err := NewMatrix(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := TopK(m, []float32{1, 0}, 3)
	if err != nil || got == nil || len(got) != 0 {
		t.Errorf("no rows: got %v, error %v, want an empty list", got, err)
	}
	for _, v := range [][]float32{{1, 0}, {2, 5}, {1, 7}, {2, -5}, {1, 1}} {
		if err := m.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	got, err = TopK(m, []float32{1, 0}, 4)
	if diff := cmp.Diff([]Scored{{1, 2}, {3, 2}, {0, 1}, {2, 1}}, got); err != nil || diff != "" {
		t.Errorf("ties: error %v (-want +got)\n%s", err, diff)
	}
	none, err := TopKBatch(m, nil, 4)
	if err != nil || len(none) != 0 {
		t.Errorf("no queries: got %v, error %v, want no results", none, err)
	}
}

// However many rows tie, a collector holds memory that grows with k only, and scores each row once.
func TestCollectorIsBounded(t *testing.T) {
	const rows, k = 20_000, 10
	m, err := NewMatrix(4, rows)
	if err != nil {
		t.Fatal(err)
	}
	query := []float32{1, 2, 3, 4}
	for range rows {
		if err := m.Append(query); err != nil {
			t.Fatal(err)
		}
	}
	c := newCollector(m, query, k)
	for row := range rows {
		c.add(row, 30, 1e-5)
		if len(c.held) >= c.limit || cap(c.held) > 2*leastHeld {
			t.Fatalf("after row %d: holds %d of %d, want fewer than %d", row, len(c.held), cap(c.held), c.limit)
		}
	}
	want := make([]Scored, k)
	for i := range want {
		want[i] = Scored{i, 30}
	}
	if diff := cmp.Diff(want, rank(c.finish(), k)); diff != "" {
		t.Errorf("the first rows of a tie (-want +got)\n%s", diff)
	}
}
