package stat

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestPaired defines the outcomes of small and degenerate comparisons.
func TestPaired(t *testing.T) {
	nan := math.NaN()
	s := NewSampler(200, 0)
	for _, tt := range []struct {
		name              string
		a, b              []float64
		n                 int
		diff, p           float64
		wins, ties, loses int
		warning           string
	}{
		{name: "nothing", diff: nan, p: nan},
		{name: "nothing shared", a: []float64{1, nan}, b: []float64{nan, 1}, diff: nan, p: nan},
		{name: "one", a: []float64{1}, b: []float64{0}, n: 1, diff: 1, p: 1, wins: 1, warning: WarnOne},
		{name: "identical", a: repeat(0.3, 40), b: repeat(0.3, 40), n: 40, p: 1, ties: 40, warning: WarnIdentical},
		{name: "a constant difference", a: repeat(2, 10), b: repeat(1, 10), n: 10, diff: 1, p: 2.0 / 1024, wins: 10, warning: WarnConstant},
		{name: "five to none", a: append(repeat(1, 5), repeat(0, 45)...), b: repeat(0, 50), n: 50, diff: 0.1, p: 2.0 / 32, wins: 5, ties: 45, warning: WarnSparse},
		{name: "even", a: []float64{1, 0, nan, 0.5}, b: []float64{0, 1, 1, 0.5}, n: 3, p: 1, wins: 1, ties: 1, loses: 1, warning: WarnFew},
		{name: "no more than rounding", a: []float64{0.1 + 0.2, 0.1 + 0.2}, b: []float64{0.3, 0.3}, n: 2, p: 1, ties: 2, warning: WarnIdentical},
	} {
		c := s.Paired(tt.a, tt.b, nil, Options{})
		got := []float64{float64(c.N), c.MeanDiff, c.P, float64(c.Wins), float64(c.Ties), float64(c.Losses)}
		want := []float64{float64(tt.n), tt.diff, tt.p, float64(tt.wins), float64(tt.ties), float64(tt.loses)}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: n, difference, p, wins, ties, losses (-want +got):\n%s", tt.name, diff)
		}
		if tt.warning != "" && !slices.Contains(c.Warnings, tt.warning) {
			t.Errorf("%s: got warnings %q, want %q", tt.name, c.Warnings, tt.warning)
		}
	}
}

// TestFlipsAgainstEnumeration compares tables and random flips with the sum over all patterns of 18 values.
func TestFlipsAgainstEnumeration(t *testing.T) {
	var d []float64
	for i := range 18 {
		d = append(d, math.Round(10*(math.Sin(float64(i))+0.35))/10)
	}
	sum := 0.0
	for _, v := range d {
		sum += v
	}
	out := 0
	for p := range 1 << 18 {
		total := 0.0
		for i, v := range d {
			if p>>i&1 == 1 {
				total += v
			} else {
				total -= v
			}
		}
		if math.Abs(total) >= math.Abs(sum)-1e-9 {
			out++
		}
	}
	exact := float64(out) / (1 << 18)
	got := NewSampler(100, 9).flips(d)
	if math.Abs(got-exact) > 4*math.Sqrt(exact*(1-exact)/randomFlips) {
		t.Errorf("got p = %.4f from random flips, want about %.4f", got, exact)
	}
	if few := NewSampler(100, 9).flips(d[:11]); few != exactP(d[:11]) {
		t.Errorf("got p = %v of eleven values, want %v", few, exactP(d[:11]))
	}
}

func exactP(d []float64) float64 {
	sum, out := 0.0, 0
	for _, v := range d {
		sum += v
	}
	for p := range 1 << len(d) {
		total := 0.0
		for i, v := range d {
			total += v * float64(2*(p>>i&1)-1)
		}
		if math.Abs(total) >= math.Abs(sum)-1e-9 {
			out++
		}
	}
	return float64(out) / float64(int(1)<<len(d))
}

// TestHolm is the example of Holm's procedure: step-down, monotone, capped, and blind to what was not tested.
func TestHolm(t *testing.T) {
	nan := math.NaN()
	got := Holm([]float64{0.01, 0.04, nan, 0.03, 0.005, 0.9})
	want := []float64{0.04, 0.09, nan, 0.09, 0.025, 0.9}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("adjusted (-want +got):\n%s", diff)
	}
	if got := Holm([]float64{0.7, 0.6}); got[0] != 1 || got[1] != 1 {
		t.Errorf("got %v, want 1 and 1", got)
	}
}

// TestAdjust gives verdicts over a family, in which only the clearest difference stands.
func TestAdjust(t *testing.T) {
	family := []Comparison{{P: 0.001, MeanDiff: 0.2}, {P: 0.03, MeanDiff: 0.1}, {P: 0.002, MeanDiff: -0.2}, {P: math.NaN()}, {P: 1}}
	Adjust(family, 0.05)
	var got []string
	for _, c := range family {
		got = append(got, c.Verdict)
	}
	if want := []string{Better, NoClear, Worse, NotTested, NoClear}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestClusterFlips flips whole clusters: ten copies of one win are one win.
func TestClusterFlips(t *testing.T) {
	s := NewSampler(200, 0)
	a, b := repeat(1, 50), repeat(0, 50)
	cluster := make([]int, 50)
	for i := range cluster {
		cluster[i] = i / 10
	}
	if c := s.Paired(a, b, cluster, Options{}); c.P != 2.0/32 || c.N != 50 {
		t.Errorf("got p = %v of %d, want %v of 50", c.P, c.N, 2.0/32)
	}
}

// TestPower goes there and back: as many questions as are needed make the difference detectable.
func TestPower(t *testing.T) {
	if got := Needed(0.1, 0.5, 0.05, 0.8); got != 197 {
		t.Errorf("got %d questions, want 197", got)
	}
	if got := Detectable(0.5, 197, 0.05, 0.8); math.Abs(got-0.0998) > 5e-5 {
		t.Errorf("got %v, want 0.0998", got)
	}
	for _, d := range []float64{0, math.NaN()} {
		if got := Needed(d, 0.5, 0.05, 0.8); got != 0 {
			t.Errorf("a difference of %v: got %d, want 0, as no number is enough", d, got)
		}
	}
	if got := Needed(1, 0.001, 0.05, 0.8); got != 2 {
		t.Errorf("got %d, want the least, 2", got)
	}
	if !math.IsNaN(Detectable(1, 0, 0.05, 0.8)) {
		t.Error("got a number for no question, want NaN")
	}
}

// BenchmarkRun is what a large run asks for: 2,000 resamples of 30 systems × 200 questions × 17 metrics, and the tests
// of two metrics against a baseline.
func BenchmarkRun(b *testing.B) {
	series := make([][]float64, 30)
	for i := range series {
		series[i] = make([]float64, 200)
		for q := range series[i] {
			series[i][q] = math.Abs(math.Sin(float64(q*(i+3)))) * 5
		}
	}
	for b.Loop() {
		s := NewSampler(2000, 0)
		for range 17 {
			for _, x := range series {
				s.Mean(x, Options{})
			}
		}
		for range 2 {
			for _, x := range series[1:] {
				s.Paired(x, series[0], nil, Options{})
			}
		}
	}
}
