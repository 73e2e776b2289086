package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Selection puts the k first in front, for random values, few values, sorted input and shapes that mislead its pivots.
func TestSelectFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	shapes := map[string]func(i, n int) float64{
		"random":     func(int, int) float64 { return rng.Float64() },
		"equal":      func(int, int) float64 { return 1 },
		"two values": func(int, int) float64 { return float64(rng.IntN(2)) },
		"ascending":  func(i, _ int) float64 { return float64(i) },
		"descending": func(i, _ int) float64 { return -float64(i) },
		"organ pipe": func(i, n int) float64 { return float64(min(i, n-i)) },
		"valley":     func(i, n int) float64 { return -float64(min(i, n-i)) },
	}
	for name, value := range shapes {
		for _, n := range []int{1, 2, 13, 14, 100, 3000} {
			for _, k := range []int{1, n / 3, n / 2, n - 1, n} {
				a := make([]candidate, n)
				for i, row := range rng.Perm(n) {
					a[i] = candidate{row: row, low: value(i, n)}
				}
				want := slices.SortedFunc(slices.Values(a), compare)[:k]
				selectFirst(a, k)
				got := slices.SortedFunc(slices.Values(a[:k]), compare)
				if !slices.Equal(got, want) {
					t.Errorf("%s: the first %d of %d differ from those of a sort", name, k, n)
				}
			}
		}
	}
}
