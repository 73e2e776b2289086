package vec

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

// refused lists vectors that are no vectors of two dimensions.
var refused = []struct {
	name string
	v    []float32
	want error
	text string
}{
	{"nil", nil, ErrLength, "wrong length: got 0 dimensions, want 2"},
	{"short", []float32{1}, ErrLength, "wrong length: got 1 dimensions, want 2"},
	{"long", []float32{1, 2, 3}, ErrLength, "wrong length: got 3 dimensions, want 2"},
	{"nan", []float32{1, nan}, ErrNaN, "not a number at dimension 1"},
	{"inf", []float32{inf, 1}, ErrInf, "infinite value at dimension 0"},
	{"minus inf", []float32{1, -inf}, ErrInf, "infinite value at dimension 1"},
	{"zero", []float32{0, 0}, ErrZero, "all values are zero"},
	{"minus zero", []float32{float32(math.Copysign(0, -1)), 0}, ErrZero, "all values are zero"},
}

func TestCheck(t *testing.T) {
	for _, test := range refused {
		err := Check(test.v, 2)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: got error %v, want %v", test.name, err, test.want)
		} else if err.Error() != test.text {
			t.Errorf("%s: got text %q, want %q", test.name, err, test.text)
		}
	}
	for _, v := range [][]float32{{1, 0}, {0, math.SmallestNonzeroFloat32}, {math.MaxFloat32, -math.MaxFloat32}} {
		if err := Check(v, 2); err != nil {
			t.Errorf("Check(%v): got error %v, want none", v, err)
		}
	}
}

// What Check refuses, neither a matrix nor a search takes.
func TestRefusedEverywhere(t *testing.T) {
	m, err := NewMatrix(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Append([]float32{3, 4}); err != nil {
		t.Fatal(err)
	}
	for _, test := range refused {
		if err := m.Append(test.v); !errors.Is(err, test.want) {
			t.Errorf("Append %s: got error %v, want %v", test.name, err, test.want)
		}
		if _, err := TopK(m, test.v, 1); !errors.Is(err, test.want) {
			t.Errorf("TopK %s: got error %v, want %v", test.name, err, test.want)
		}
		if _, err := TopKBatch(m, [][]float32{{1, 1}, test.v}, 1); !errors.Is(err, test.want) {
			t.Errorf("TopKBatch %s: got error %v, want %v", test.name, err, test.want)
		}
	}
	if m.Rows() != 1 || len(m.flat) != m.stride {
		t.Errorf("after refusals: got %d rows in %d floats, want 1 in %d", m.Rows(), len(m.flat), m.stride)
	}
}

func TestNormalise(t *testing.T) {
	v := []float32{3, 0, -4}
	if ok := Normalise(v); !ok || cmp.Diff([]float32{.6, 0, -.8}, v) != "" {
		t.Errorf("got %v %v, want true [0.6 0 -0.8]", ok, v)
	}
	for _, v := range [][]float32{{math.MaxFloat32, math.MaxFloat32}, {math.SmallestNonzeroFloat32, 0},
		randomVector(rand.New(rand.NewPCG(3, 4)), 1536)} {
		if ok := Normalise(v); !ok || math.Abs(Norm(v)-1) > 1e-6 {
			t.Errorf("got %v and length %g, want true and 1", ok, Norm(v))
		}
	}
	for _, v := range [][]float32{{}, {0, 0}, {1, inf}} {
		want := append([]float32{}, v...)
		if ok := Normalise(v); ok || cmp.Diff(want, v) != "" {
			t.Errorf("Normalise(%v): got %v %v, want false and no change", want, ok, v)
		}
	}
	if ok := Normalise([]float32{1, nan}); ok {
		t.Error("Normalise of a NaN: got true, want false")
	}
}
