package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// dist is a distribution of scores with its true mean.
type dist struct {
	name     string
	mean     float64
	min, max float64
	draw     func(r *rand.Rand) float64
}

// gammaDraw draws from a gamma distribution of shape k and scale 1 (Marsaglia and Tsang 2000).
func gammaDraw(r *rand.Rand, k float64) float64 {
	if k < 1 {
		return gammaDraw(r, k+1) * math.Pow(r.Float64(), 1/k)
	}
	d := k - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := math.Pow(1+c*x, 3)
		if v > 0 && math.Log(r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

func betaDraw(r *rand.Rand, a, b float64) float64 {
	x, y := gammaDraw(r, a), gammaDraw(r, b)
	return x / (x + y)
}

// steps is a distribution over a few values.
func steps(name string, values, shares []float64) dist {
	d := dist{name: name, min: values[0], max: values[len(values)-1]}
	for i := range values {
		d.mean += values[i] * shares[i]
	}
	d.draw = func(r *rand.Rand) float64 {
		u := r.Float64()
		for i, p := range shares {
			if u < p {
				return values[i]
			}
			u -= p
		}
		return values[len(values)-1]
	}
	return d
}

// inflated is 0 with probability zero, else uniform on 0..1.
func inflated(zero float64) dist {
	return dist{fmt.Sprintf("%.0f %% zeros", 100*zero), (1 - zero) / 2, 0, 1, func(r *rand.Rand) float64 {
		if r.Float64() < zero {
			return 0
		}
		return r.Float64()
	}}
}

// scores are shaped like what a benchmark measures.
func scores() []dist {
	return []dist{
		{"skewed, beta(5,1)", 5.0 / 6, 0, 1, func(r *rand.Rand) float64 { return betaDraw(r, 5, 1) }},
		{"skewed, beta(.4,1.6)", 0.2, 0, 1, func(r *rand.Rand) float64 { return betaDraw(r, 0.4, 1.6) }},
		{"skewed, exponential", 1, 0, 0, func(r *rand.Rand) float64 { return r.ExpFloat64() }},
		{"skewed, lognormal .5", math.Exp(0.125), 0, 0, func(r *rand.Rand) float64 { return math.Exp(0.5 * r.NormFloat64()) }},
		steps("discrete, recall", []float64{0, 0.5, 1}, []float64{0.15, 0.25, 0.6}),
		steps("discrete, judge 0..5", []float64{0, 1, 2, 3, 4, 5}, []float64{0.03, 0.05, 0.07, 0.1, 0.25, 0.5}),
		steps("discrete, mrr", []float64{0, 0.1, 0.2, 0.25, 1.0 / 3, 0.5, 1}, []float64{0.2, 0.05, 0.05, 0.05, 0.1, 0.15, 0.4}),
		steps("rate .3", []float64{0, 1}, []float64{0.7, 0.3}),
		steps("rate .75", []float64{0, 1}, []float64{0.25, 0.75}),
		inflated(0.5), inflated(0.7), inflated(0.85),
	}
}

// covered is how often an interval held the true mean, over so many samples of n values.
func covered(d dist, n, samples int, method string) (share, warned float64) {
	s := NewSampler(599, 0)
	r := rand.New(rand.NewPCG(20261201, uint64(n)))
	x := make([]float64, n)
	hit, warnings := 0, 0
	for range samples {
		for i := range x {
			x[i] = d.draw(r)
		}
		iv := s.Mean(x, Options{Method: method, Min: d.min, Max: d.max})
		if iv.Lo <= d.mean+1e-12 && d.mean-1e-12 <= iv.Hi {
			hit++
		}
		if len(iv.Warnings) > 0 {
			warnings++
		}
	}
	return float64(hit) / float64(samples), float64(warnings) / float64(samples)
}

// inParallel runs f for each of n on a few goroutines.
func inParallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			f(i)
			<-slots
		}()
	}
	wg.Wait()
}

// TestCoverage proves that 95 % intervals of Auto hold the true mean in 93 to 97 % of samples of 50 and of 200 values.
// With -v it prints the table of docs/methodology.md, the other methods beside it.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates for some seconds")
	}
	methods := []string{Auto}
	samples := 2000
	if testing.Verbose() {
		methods, samples = []string{Auto, Percentile, BCa, Studentised}, 4000
	}
	list := scores()
	for _, n := range []int{50, 200} {
		rows := make([][]float64, len(list))
		inParallel(len(list), func(i int) {
			for _, m := range methods {
				share, _ := covered(list[i], n, samples, m)
				rows[i] = append(rows[i], 100*share)
			}
		})
		for i, d := range list {
			t.Logf("n = %3d  %-22s %s %.1f", n, d.name, methods, rows[i])
			if got := rows[i][0]; got < 93 || got > 97 {
				t.Errorf("%s, n = %d: got a coverage of %.1f %%, want 93 to 97 %%", d.name, n, got)
			}
		}
	}
}

// TestCoverageWarns looks at scores for which no method covers: the result says so.
func TestCoverageWarns(t *testing.T) {
	for _, tt := range []struct {
		d    dist
		n    int
		want float64 // least share of results that warn
	}{
		{dist{"lognormal 1.5", math.Exp(1.125), 0, 0, func(r *rand.Rand) float64 { return math.Exp(1.5 * r.NormFloat64()) }}, 50, 0.5},
		{inflated(0.95), 50, 0.95},
		{steps("rate .02", []float64{0, 1}, []float64{0.98, 0.02}), 50, 0.95},
		{steps("recall", []float64{0, 0.5, 1}, []float64{0.15, 0.25, 0.6}), 12, 1},
	} {
		share, warned := covered(tt.d, tt.n, 1000, Auto)
		t.Logf("%s, n = %d: coverage %.1f %%, %.0f %% of the results warn", tt.d.name, tt.n, 100*share, 100*warned)
		if warned < tt.want {
			t.Errorf("%s, n = %d: got %.2f of the results with a warning, want at least %.2f", tt.d.name, tt.n, warned, tt.want)
		}
	}
	for _, d := range scores()[4:7] {
		if _, warned := covered(d, 200, 300, Auto); warned > 0 {
			t.Errorf("%s, n = 200: got warnings in %.2f of the results, want none: it covers", d.name, warned)
		}
	}
}

// TestFalsePositives compares systems that are equally good, with scores of each shape, independent and with most
// questions scored alike: at most 5.5 % of the tests at 5 % find a difference.
func TestFalsePositives(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates for some seconds")
	}
	const samples = 12000
	list := scores()
	for _, n := range []int{50, 200} {
		for _, alike := range []float64{0, 0.8} {
			found := make([]float64, len(list))
			inParallel(len(list), func(i int) {
				r := rand.New(rand.NewPCG(uint64(n), uint64(i)))
				a, b := make([]float64, n), make([]float64, n)
				hits := 0
				d := make([]float64, n)
				for sample := range samples {
					for q := range a {
						a[q] = list[i].draw(r)
						b[q] = a[q]
						if r.Float64() >= alike {
							b[q] = list[i].draw(r)
						}
						d[q] = a[q] - b[q]
					}
					s := Sampler{seed: uint64(sample), patterns: 999}
					if s.flips(d) < 0.05 {
						hits++
					}
				}
				found[i] = 100 * float64(hits) / samples
			})
			for i, d := range list {
				t.Logf("n = %3d, %2.0f %% alike  %-22s %.1f %%", n, 100*alike, d.name, found[i])
				if found[i] > 5.5 {
					t.Errorf("%s, n = %d, %.0f %% alike: got %.1f %% false positives, want at most 5.5 %%", d.name, n, 100*alike, found[i])
				}
			}
		}
	}
}
