package stat

import (
	"math/rand/v2"
	"testing"
)

// TestPCG holds the generator against Go's own, which is specified to stay the same.
func TestPCG(t *testing.T) {
	for _, seed := range []uint64{0, 1, 42, 1 << 63} {
		want, got := rand.NewPCG(seed, 0), newPCG(seed)
		for i := range 1000 {
			if w, g := want.Uint64(), got.next(); g != w {
				t.Fatalf("seed %d, output %d: got %#x, want %#x", seed, i, g, w)
			}
		}
	}
}

// TestIndices holds the documented draw order: halves of an output, the low one first.
func TestIndices(t *testing.T) {
	g, r := newPCG(7), rand.NewPCG(7, 0)
	row := make([]uint32, 3)
	for range 2 {
		g.indices(row, 10)
		a, b := r.Uint64(), r.Uint64()
		want := []uint32{uint32(a & 0xffffffff * 10 >> 32), uint32(a >> 32 * 10 >> 32), uint32(b & 0xffffffff * 10 >> 32)}
		for i := range row {
			if row[i] != want[i] {
				t.Fatalf("got %v, want %v", row, want)
			}
		}
	}
}
