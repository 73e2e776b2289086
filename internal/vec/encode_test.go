package vec

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEncode(t *testing.T) {
	got := Encode([]float32{1, -2.5, 0})
	want := []byte{0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0, 0, 0, 0, 0}
	if !slices.Equal(got, want) {
		t.Errorf("Encode: got % x, want % x", got, want)
	}
	back, err := Decode(got)
	if diff := cmp.Diff([]float32{1, -2.5, 0}, back); err != nil || diff != "" {
		t.Errorf("Decode(Encode(v)): error %v, difference (-want +got)\n%s", err, diff)
	}
}

func TestDecodeLength(t *testing.T) {
	for n := range 9 {
		v, err := Decode(make([]byte, n))
		if n%4 == 0 {
			if err != nil || len(v) != n/4 {
				t.Errorf("Decode of %d bytes: got %d dimensions, error %v, want %d and none", n, len(v), err, n/4)
			}
		} else if !errors.Is(err, ErrLength) {
			t.Errorf("Decode of %d bytes: got error %v, want ErrLength", n, err)
		}
	}
}

// Every sequence of bytes decodes to bits that encode to the same bytes, or is refused for its length; a matrix takes exactly
// what Check accepts.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 2, 3})
	f.Add(Encode([]float32{0, 0}))
	f.Add(Encode([]float32{1, float32(math.NaN()), float32(math.Inf(1)), math.SmallestNonzeroFloat32, math.MaxFloat32}))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if len(data)%4 != 0 {
			if !errors.Is(err, ErrLength) {
				t.Fatalf("Decode of %d bytes: got error %v, want ErrLength", len(data), err)
			}
			return
		}
		if err != nil {
			t.Fatalf("Decode of %d bytes: %v", len(data), err)
		}
		if back := Encode(v); !slices.Equal(back, data) {
			t.Fatalf("Encode(Decode(data)): got % x, want % x", back, data)
		}
		if len(v) == 0 || len(v) > MaxDims {
			return
		}
		m, err := NewMatrix(len(v), 0)
		if err != nil {
			t.Fatal(err)
		}
		want, got := Check(v, len(v)), m.AppendBlock(data, 1)
		if (want == nil) != (got == nil) || want != nil && !errors.Is(got, errors.Unwrap(want)) && !errors.Is(got, want) {
			t.Fatalf("AppendBlock: got error %v, want %v", got, want)
		}
		if got == nil {
			if norm := m.norms[0]; norm < Norm(v) || norm > 1.01*Norm(v) {
				t.Fatalf("bound of the length: got %g, want a little above %g", norm, Norm(v))
			}
		}
	})
}
