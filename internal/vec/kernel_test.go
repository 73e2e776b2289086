package vec

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// scores returns the coarse scores of all pairs, [query][row], computed step rows and block queries a call.
func scores(k kernel, m *Matrix, queries [][]float32, step, block int) [][]float32 {
	p := newPass(m, k, nil, queries, 1)
	thresholds := slices.Repeat([]float32{float32(math.Inf(-1))}, block)
	out := make([][]float32, len(queries))
	for start := 0; start < m.rows; start += step {
		nr := min(step, m.rows-start)
		for first := 0; first < len(queries); first += block {
			nq := min(block, len(queries)-first)
			found := k.scan(m.flat[start*m.stride:], nr, p.queries[first*m.stride:], nq, m.stride, thresholds, make([]hit, nq*nr))
			for _, h := range found {
				out[first+int(h.query)] = append(out[first+int(h.query)], float32(h.score))
			}
		}
	}
	return out
}

// The score of a pair has the same bits wherever the pair stands in a tile and however many queries there are; the kernels
// with fused steps agree with each other; and every score lies within the bound that TopK relies on.
func TestKernelBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, dims := range []int{1, 3, 16, 17, 384, 1536} {
		m, queries := randomMatrix(t, rng, dims, 37), make([][]float32, 15)
		for i := range queries {
			queries[i] = randomVector(rng, dims)
		}
		var fused [][]float32
		for _, k := range kernels() {
			alone := scores(k, m, queries, 1, 1)
			for _, shape := range [][2]int{{37, 15}, {37, 1}, {5, 7}, {4, 6}, {1, 15}, {16, 2}} {
				name := fmt.Sprintf("%s, %d dimensions, %d rows and %d queries a call", k.name, dims, shape[0], shape[1])
				expectBits(t, name, scores(k, m, queries, shape[0], shape[1]), alone)
			}
			if k.name != "portable" {
				if fused == nil {
					fused = alone
				}
				expectBits(t, k.name+" against "+kernels()[0].name, alone, fused)
			}
			expectBound(t, k.name, m, queries, alone)
		}
	}
}

func expectBits(t *testing.T, name string, got, want [][]float32) {
	t.Helper()
	for q := range want {
		for row := range want[q] {
			if math.Float32bits(got[q][row]) != math.Float32bits(want[q][row]) {
				t.Fatalf("%s: query %d row %d: got %x, want %x", name, q, row, got[q][row], want[q][row])
			}
		}
	}
}

func expectBound(t *testing.T, name string, m *Matrix, queries [][]float32, got [][]float32) {
	t.Helper()
	bound := newCoarse(m.dims)
	for q, query := range queries {
		for row := range m.rows {
			off := math.Abs(float64(got[q][row]) - Dot(query, m.Row(row)))
			if slack := bound.slack(Norm(query), Norm(m.Row(row))); off > slack {
				t.Fatalf("%s, %d dimensions: off by %g, bound %g", name, m.dims, off, slack)
			}
		}
	}
}

// Terms that nearly cancel, of very different sizes, and below the normal range stay within the bound.
func TestBoundOnHardSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, dims := range []int{1, 2, 17, 384} {
		for _, scale := range []float64{1, 0x1p-70, 0x1p-76, 0x1p60} {
			m, err := NewMatrix(dims, 64)
			if err != nil {
				t.Fatal(err)
			}
			var queries [][]float32
			for range 64 {
				v, q := make([]float32, dims), make([]float32, dims)
				for i := range v {
					size := math.Exp2(float64(rng.IntN(8)))
					v[i], q[i] = float32(rng.NormFloat64()*scale*size), float32(rng.NormFloat64()*scale/size)
					if i%2 == 1 {
						v[i], q[i] = v[i-1], -q[i-1]*(1+float32(rng.IntN(3))*0x1p-23)
					}
				}
				if err := m.Append(v); err != nil {
					t.Fatal(err)
				}
				queries = append(queries, q)
			}
			for _, k := range kernels() {
				expectBound(t, k.name, m, queries, scores(k, m, queries, 64, 64))
			}
		}
	}
}

func TestKernelNames(t *testing.T) {
	names := Kernels()
	if names[0] != Kernel() || names[len(names)-1] != "portable" {
		t.Errorf("got kernels %v with %s first, want the first and portable last", names, Kernel())
	}
	m := randomMatrix(t, rand.New(rand.NewPCG(1, 1)), 3, 5)
	if _, err := (Scan{Kernel: "abacus"}).TopK(m, []float32{1, 2, 3}, 1); err == nil {
		t.Error("unknown kernel: got no error")
	}
}

func TestFloorToFloat32(t *testing.T) {
	inf := math.Inf(1)
	for x, want := range map[float64]float32{
		0: 0, 1: 1, 1 + 0x1p-40: 1, 1 - 0x1p-40: 1 - 0x1p-24, -1 - 0x1p-40: -1 - 0x1p-23, 1e300: math.MaxFloat32,
		-1e300: float32(-inf), -inf: float32(-inf), -0x1p-200: -math.SmallestNonzeroFloat32, 0x1p-200: 0,
	} {
		if got := floorToFloat32(x); got != want {
			t.Errorf("%g: got %g, want %g", x, got, want)
		}
	}
}

func randomMatrix(t *testing.T, rng *rand.Rand, dims, rows int) *Matrix {
	t.Helper()
	m, err := NewMatrix(dims, rows)
	if err != nil {
		t.Fatal(err)
	}
	for range rows {
		if err := m.Append(randomVector(rng, dims)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Numbers made without rounding give the same bits on every machine: the fused kernels' scores and Dot's.
func TestBitsAcrossMachines(t *testing.T) {
	const wantCoarse, wantDot = 0xc5c07b573f8d68f5, 0xb8a1e445ecf5d9c7
	rng := rand.New(rand.NewPCG(17, 18))
	vector := func() []float32 {
		v := make([]float32, 100)
		for i := range v {
			v[i] = float32(rng.IntN(1<<24)-1<<23) * 0x1p-23
		}
		return v
	}
	m, err := NewMatrix(100, 50)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := m.Append(vector()); err != nil {
			t.Fatal(err)
		}
	}
	query := vector()
	for _, k := range kernels() {
		sum := fnv.New64a()
		sum.Write(Encode(scores(k, m, [][]float32{query}, 50, 1)[0]))
		if got := sum.Sum64(); got != wantCoarse && k.name != "portable" {
			t.Errorf("%s: got scores of hash %#x, want %#x", k.name, got, uint64(wantCoarse))
		}
	}
	sum := fnv.New64a()
	for row := range m.Rows() {
		fmt.Fprintf(sum, "%x ", math.Float64bits(Dot(query, m.Row(row))))
	}
	if got := sum.Sum64(); got != wantDot {
		t.Errorf("Dot: got scores of hash %#x, want %#x", got, uint64(wantDot))
	}
}
