package vec

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

func TestMatrixHoldsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, dims := range []int{1, 15, 16, 17, 384} {
		m, err := NewMatrix(dims, 3)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]float32
		for len(want) < 2500 {
			some := make([][]float32, 1+rng.IntN(600))
			for i := range some {
				some[i] = randomVector(rng, dims)
			}
			want = append(want, some...)
			if len(some)%2 == 0 {
				// A byte more at either end: the block need not be aligned, nor end with the last row.
				data := slices.Concat([]byte{9}, Encode(slices.Concat(some...)), []byte{9})
				err = m.AppendBlock(data[1:], len(some))
			} else {
				for _, v := range some {
					err = errors.Join(err, m.Append(v))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if m.Rows() != len(want) || m.Dims() != dims {
			t.Fatalf("got %d rows of %d dimensions, want %d of %d", m.Rows(), m.Dims(), len(want), dims)
		}
		for i, v := range want {
			if !slices.Equal(m.Row(i), v) {
				t.Fatalf("%d dimensions, row %d: got %v, want %v", dims, i, m.Row(i), v)
			}
			if norm := m.norms[i/segmentRows]; norm < Norm(v) {
				t.Fatalf("row %d: its segment's bound %g is below its length %g", i, norm, Norm(v))
			}
		}
		if at := uintptr(unsafe.Pointer(&m.flat[0])); at%64 != 0 {
			t.Errorf("%d dimensions: data at %#x, want a multiple of 64", dims, at)
		}
	}
}

func TestAppendBlockIsAllOrNothing(t *testing.T) {
	m, err := NewMatrix(3, 0)
	if err != nil {
		t.Fatal(err)
	}
	good := Encode([]float32{1, 2, 3, 4, 5, 6})
	bad := Encode([]float32{1, 2, 3, 4, nan, 6})
	check := func(name string, data []byte, n int, want error, rows int) {
		t.Helper()
		if err := m.AppendBlock(data, n); !errors.Is(err, want) {
			t.Errorf("%s: got error %v, want %v", name, err, want)
		}
		if m.Rows() != rows {
			t.Errorf("%s: got %d rows, want %d", name, m.Rows(), rows)
		}
	}
	check("none", nil, 0, nil, 0)
	check("two", good, 2, nil, 2)
	check("one of two", good, 1, nil, 3)
	check("second is not a number", bad, 2, ErrNaN, 3)
	check("before the bad one", bad, 1, nil, 4)
	check("more than there are", good, 3, ErrLength, 4)
	check("a byte short", good[:23], 2, ErrLength, 4)
	check("negative", good, -1, ErrLength, 4)
	if diff := cmp.Diff([]float32{1, 2, 3}, m.Row(3)); diff != "" {
		t.Errorf("row 3 (-want +got)\n%s", diff)
	}
}

func TestNewMatrixDims(t *testing.T) {
	for dims, want := range map[int]error{-1: ErrLength, 0: ErrLength, 1: nil, MaxDims: nil, MaxDims + 1: ErrLength} {
		if _, err := NewMatrix(dims, 1); !errors.Is(err, want) {
			t.Errorf("%d dimensions: got error %v, want %v", dims, err, want)
		}
	}
}
