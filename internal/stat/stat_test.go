package stat

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func repeat(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }

// TestDegenerate defines the edges: no value, one, all the same, and rates of 0 and 1.
func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	s := NewSampler(200, 0)
	for _, tt := range []struct {
		name string
		x    []float64
		o    Options
		want Interval
	}{
		{"none", nil, Options{}, Interval{Method: None, Mean: nan, Lo: nan, Hi: nan, Confidence: 0.95}},
		{"one", []float64{3}, Options{}, Interval{Method: None, N: 1, Mean: 3, Lo: nan, Hi: nan, Confidence: 0.95, Warnings: []string{WarnOne}}},
		{"constant", repeat(2.5, 30), Options{Confidence: 0.9}, Interval{Method: Percentile, N: 30, Mean: 2.5, Lo: 2.5, Hi: 2.5, Confidence: 0.9, Warnings: []string{WarnConstant}}},
		{"never", repeat(0, 50), Options{}, Interval{Method: Wilson, N: 50, Mean: 0, Lo: 0, Hi: 0.07134759913335874, Confidence: 0.95, Warnings: []string{WarnSparse}}},
		{"always", repeat(1, 50), Options{Method: Wilson}, Interval{Method: Wilson, N: 50, Mean: 1, Lo: 0.9286524008666412, Hi: 1, Confidence: 0.95, Warnings: []string{WarnSparse}}},
	} {
		got := s.Mean(tt.x, tt.o)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestWilson compares with the worked example of Newcombe 1998: 81 of 263.
func TestWilson(t *testing.T) {
	lo, hi := wilson(81.0/263, 263, 0.95)
	if math.Abs(lo-0.2553) > 5e-5 || math.Abs(hi-0.3662) > 5e-5 {
		t.Errorf("got %.4f to %.4f, want 0.2553 to 0.3662", lo, hi)
	}
}

// TestIntervals holds what every method promises: the mean inside, bounds kept, wider for more confidence, the same for
// the same seed, and another for another.
func TestIntervals(t *testing.T) {
	x := make([]float64, 60)
	for i := range x {
		x[i] = math.Pow(float64(i%20)/19, 3)
	}
	for _, method := range []string{Auto, Percentile, BCa, Studentised} {
		s := NewSampler(500, 3)
		wide, narrow := s.Mean(x, Options{Method: method, Confidence: 0.99, Max: 1}), s.Mean(x, Options{Method: method, Confidence: 0.8, Max: 1})
		if !(wide.Lo < narrow.Lo && narrow.Lo < narrow.Mean && narrow.Mean < narrow.Hi && narrow.Hi < wide.Hi) {
			t.Errorf("%s: got %+v inside %+v", method, narrow, wide)
		}
		if again := NewSampler(500, 3).Mean(x, Options{Method: method, Confidence: 0.99, Max: 1}); again.Lo != wide.Lo || again.Hi != wide.Hi {
			t.Errorf("%s: got %v to %v and then %v to %v for one seed", method, wide.Lo, wide.Hi, again.Lo, again.Hi)
		}
		if other := NewSampler(500, 4).Mean(x, Options{Method: method, Confidence: 0.99, Max: 1}); other.Lo == wide.Lo {
			t.Errorf("%s: got the same interval for another seed", method)
		}
	}
	high := append(repeat(1, 25), repeat(0.9, 5)...)
	if iv := NewSampler(500, 0).Mean(high, Options{Max: 1}); iv.Hi > 1 || iv.Lo > iv.Mean || iv.Hi < iv.Mean {
		t.Errorf("got %+v, want the mean inside and at most 1", iv)
	}
}

// TestLongSeries passes the number of draws that are remembered; the intervals are those of remembered draws.
func TestLongSeries(t *testing.T) {
	x := make([]float64, maxDraws/400)
	for i := range x {
		x[i] = float64(i % 7)
	}
	small, big := NewSampler(100, 5), NewSampler(500, 5)
	if got, want := big.means(x)[:100], small.means(x); !slices.Equal(got, want) {
		t.Errorf("got other means without remembered draws, first %v and %v", got[0], want[0])
	}
	if len(big.draws) != 0 || len(small.draws) != 1 {
		t.Errorf("got %d and %d lengths remembered, want 0 and 1", len(big.draws), len(small.draws))
	}
}

// TestClustered copies each question four times: by question the interval is half as wide as it should be, by cluster
// it is as wide as before.
func TestClustered(t *testing.T) {
	var one, four []float64
	var cluster []int
	for i := range 50 {
		v := math.Sin(float64(i*i)) + 1
		one = append(one, v)
		for range 4 {
			four, cluster = append(four, v), append(cluster, i)
		}
	}
	s := NewSampler(2000, 0)
	alone, naive, grouped := s.Mean(one, Options{}), s.Mean(four, Options{}), s.Clustered(four, cluster, Options{})
	if math.Abs(grouped.Mean-alone.Mean) > 1e-12 || grouped.N != 50 {
		t.Errorf("got mean %v of %d, want %v of 50", grouped.Mean, grouped.N, alone.Mean)
	}
	if math.Abs((grouped.Hi-grouped.Lo)/(alone.Hi-alone.Lo)-1) > 1e-9 {
		t.Errorf("got a width of %v by cluster, want %v", grouped.Hi-grouped.Lo, alone.Hi-alone.Lo)
	}
	if ratio := (alone.Hi - alone.Lo) / (naive.Hi - naive.Lo); ratio < 1.8 || ratio > 2.3 {
		t.Errorf("got %v times the width of single questions, want about 2", ratio)
	}
	if iv := s.Clustered(four[:8], cluster[:8], Options{}); !slices.Contains(iv.Warnings, WarnClusters) {
		t.Errorf("got %v for two clusters, want %q", iv.Warnings, WarnClusters)
	}
	if iv := s.Clustered(four[:4], cluster[:4], Options{}); iv.Method != None || !math.IsNaN(iv.Lo) {
		t.Errorf("got %+v for one cluster, want no interval", iv)
	}
}
