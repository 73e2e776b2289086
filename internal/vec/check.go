package vec

import (
	"errors"
	"fmt"
	"math"
)

// What Check finds wrong with a vector; test with errors.Is.
var (
	ErrLength = errors.New("wrong length")
	ErrNaN    = errors.New("not a number")
	ErrInf    = errors.New("infinite value")
	ErrZero   = errors.New("all values are zero")
)

// Check refuses a vector that must be neither kept nor searched for: one that has not dims dimensions (ErrLength), holds a NaN
// (ErrNaN) or an infinity (ErrInf), or is zero throughout (ErrZero). The first fault in this order of dimensions is named.
func Check(v []float32, dims int) error {
	if len(v) != dims {
		return fmt.Errorf("%w: got %d dimensions, want %d", ErrLength, len(v), dims)
	}
	zero := true
	for i, x := range v {
		switch f := float64(x); {
		case math.IsNaN(f):
			return fmt.Errorf("%w at dimension %d", ErrNaN, i)
		case math.IsInf(f, 0):
			return fmt.Errorf("%w at dimension %d", ErrInf, i)
		case x != 0:
			zero = false
		}
	}
	if zero {
		return ErrZero
	}
	return nil
}

// Dot returns the inner product of a and b, which have the same length, summed in float64 in the order of the dimensions. It
// is the score of every search in this package, the same bits on every machine.
func Dot(a, b []float32) float64 {
	b = b[:len(a)]
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// Norm returns the Euclidean length of v, summed in float64, where the squares of float32 values neither overflow nor vanish.
func Norm(v []float32) float64 {
	return math.Sqrt(Dot(v, v))
}

// Normalise scales v in place to length 1, up to float32 rounding, and reports whether it did. It leaves v alone and returns
// false when v is zero throughout, empty, or holds a NaN or an infinity.
func Normalise(v []float32) bool {
	norm := Norm(v)
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return false
	}
	for i, x := range v {
		v[i] = float32(float64(x) / norm)
	}
	return true
}
