package stat

import (
	"math"
	"slices"
)

// The methods of an interval.
const (
	Auto        = "auto"        // the one of the others that covers best for values like these
	Percentile  = "percentile"  // quantiles of the resampled means (Efron 1979)
	BCa         = "bca"         // bias-corrected and accelerated (Efron 1987)
	Studentised = "studentised" // quantiles of the resampled t statistics (Hall 1988)
	Wilson      = "wilson"      // of a rate (Wilson 1927); nothing is resampled
	None        = "none"        // there is no interval
)

// Methods lists the methods that may be asked for.
var Methods = []string{Auto, Percentile, BCa, Studentised, Wilson}

// Interval is a mean with a confidence interval.
type Interval struct {
	Method     string // the one used, never Auto
	N          int    // values, or clusters of them
	Mean       float64
	Lo, Hi     float64 // NaN where there is no interval
	Confidence float64
	Warnings   []string
}

// Options say how an interval is made. The zero value is Auto at 95 %, without bounds.
type Options struct {
	Method     string
	Confidence float64
	Min, Max   float64 // what a value can be at all: the interval is cut there; equal means not known
}

// The thresholds of Auto and of the warnings, from the simulations in docs/methodology.md.
const (
	zeroInflated = 0.5  // share of the commonest value from which BCa covers better than the studentised interval
	fewOthers    = 6    // values beside the commonest below which no method covers
	fewValues    = 20   // values below which an interval is a rough guide
	skewed       = 0.35 // |skewness|/√n above which no method covers
)

// Mean returns the mean of x and its interval. For no value the mean is NaN; for one there is no interval. Where all
// values are the same the interval is that value, except of a rate, for which Wilson's has a width.
func (s *Sampler) Mean(x []float64, o Options) Interval {
	o = o.filled()
	iv := Interval{Method: None, N: len(x), Mean: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Confidence: o.Confidence}
	if len(x) == 0 {
		return iv
	}
	mean, variance, third := moments(x)
	iv.Mean = mean
	rate := isRate(x)
	method := o.Method
	if method == Wilson && !rate {
		method = Auto
	}
	switch {
	case rate && (method == Auto || method == Wilson):
		iv.Method = Wilson
		iv.Lo, iv.Hi = wilson(mean, len(x), o.Confidence)
	case len(x) == 1:
		iv.Warnings = append(iv.Warnings, WarnOne)
		return iv
	case constant(x):
		iv.Method = Percentile
		iv.Lo, iv.Hi, iv.Mean = x[0], x[0], x[0]
		iv.Warnings = append(iv.Warnings, WarnConstant)
		return iv
	default:
		iv.Method, iv.Lo, iv.Hi = s.resampled(x, mean, variance, third, method, o.Confidence)
	}
	if o.Min < o.Max {
		iv.Lo, iv.Hi = max(iv.Lo, o.Min), min(iv.Hi, o.Max)
	}
	iv.Lo, iv.Hi = min(iv.Lo, mean), max(iv.Hi, mean)
	iv.Warnings = append(iv.Warnings, warnings(x, variance, third)...)
	return iv
}

// Clustered returns the mean of x and its interval where questions belong together: cluster[i] names the group of x[i],
// and whole groups are resampled. The mean is a ratio, the sum over the number; its interval is that of the linearised
// ratio, one value a cluster (Cochran 1977, chapter 6).
func (s *Sampler) Clustered(x []float64, cluster []int, o Options) Interval {
	o = o.filled()
	u, mean := linearised(x, cluster)
	if len(u) < 2 {
		iv := Interval{Method: None, N: len(u), Mean: mean, Lo: math.NaN(), Hi: math.NaN(), Confidence: o.Confidence}
		if len(u) == 1 {
			iv.Warnings = []string{WarnOne}
		}
		return iv
	}
	inner := o
	inner.Min, inner.Max = 0, 0
	if inner.Method == Wilson {
		inner.Method = Auto
	}
	iv := s.Mean(u, inner)
	iv.Mean, iv.Lo, iv.Hi = mean, mean+iv.Lo-iv.Mean, mean+iv.Hi-iv.Mean
	if o.Min < o.Max {
		iv.Lo, iv.Hi = max(iv.Lo, o.Min), min(iv.Hi, o.Max)
	}
	iv.Warnings = slices.DeleteFunc(iv.Warnings, func(w string) bool { return w == WarnFew })
	if len(u) < fewValues {
		iv.Warnings = append(iv.Warnings, WarnClusters)
	}
	return iv
}

// linearised returns one value a cluster, in the order of first mention, and the mean of all.
func linearised(x []float64, cluster []int) (u []float64, mean float64) {
	mean, _, _ = moments(x)
	if len(x) == 0 {
		return nil, math.NaN()
	}
	at := map[int]int{}
	for i, v := range x {
		c, ok := at[cluster[i]]
		if !ok {
			c = len(u)
			at[cluster[i]] = c
			u = append(u, 0)
		}
		u[c] += v - mean
	}
	size := float64(len(x)) / float64(len(u))
	for i := range u {
		u[i] /= size
	}
	return u, mean
}

func (o Options) filled() Options {
	if o.Method == "" {
		o.Method = Auto
	}
	if o.Confidence == 0 {
		o.Confidence = 0.95
	}
	return o
}

// resampled makes an interval of values that are not all the same.
func (s *Sampler) resampled(x []float64, mean, variance, third float64, method string, confidence float64) (used string, lo, hi float64) {
	tail := (1 - confidence) / 2
	if method == Auto {
		method = Studentised
		if commonest(x) >= zeroInflated*float64(len(x)) {
			method = BCa
		}
	}
	if method == Studentised {
		ts := s.ts(x, mean)
		slices.Sort(ts)
		se := math.Sqrt(variance / float64(len(x)))
		lo, hi = mean-se*Quantile(ts, 1-tail), mean-se*Quantile(ts, tail)
		if !math.IsInf(lo, 0) && !math.IsInf(hi, 0) && !math.IsNaN(lo) && !math.IsNaN(hi) {
			return Studentised, lo, hi
		}
		method = BCa // too many resamples without a spread
	}
	means := s.means(x)
	slices.Sort(means)
	if method == Percentile {
		return Percentile, Quantile(means, tail), Quantile(means, 1-tail)
	}
	z0, a := bias(means, mean), acceleration(len(x), variance, third)
	return BCa, Quantile(means, shifted(tail, z0, a)), Quantile(means, shifted(1-tail, z0, a))
}

// bias is how far the median of the resampled means is from the mean, in standard normal units; ties count half.
func bias(means []float64, mean float64) float64 {
	below := 0.0
	for _, m := range means {
		switch {
		case m < mean:
			below++
		case m == mean:
			below += 0.5
		}
	}
	n := float64(len(means))
	return NormalQuantile(min(max(below, 0.5), n-0.5) / n)
}

// acceleration is a sixth of the skewness of the mean, which the jackknife gives for it in closed form.
func acceleration(n int, variance, third float64) float64 {
	return third * float64(n) / (6 * math.Pow(variance*float64(n-1), 1.5))
}

// shifted moves a tail by bias and acceleration.
func shifted(p, z0, a float64) float64 {
	z := z0 + NormalQuantile(p)
	d := 1 - a*z
	if d <= 0 {
		if z > 0 {
			return 1
		}
		return 0
	}
	return normalCDF(z0 + z/d)
}

// wilson is Wilson's score interval of a rate.
func wilson(p float64, n int, confidence float64) (lo, hi float64) {
	z, m := NormalQuantile(1-(1-confidence)/2), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, centre-half), min(1, centre+half)
}

// isRate tells whether all values are 0 or 1.
func isRate(x []float64) bool {
	for _, v := range x {
		if v != 0 && v != 1 {
			return false
		}
	}
	return true
}

// commonest returns how often the commonest value occurs.
func commonest(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	best, run := 0, 0
	for i, v := range sorted {
		if i > 0 && v == sorted[i-1] {
			run++
		} else {
			run = 1
		}
		best = max(best, run)
	}
	return float64(best)
}

// warnings says where no method is known to cover.
func warnings(x []float64, variance, third float64) []string {
	var list []string
	n := float64(len(x))
	if len(x) < fewValues {
		list = append(list, WarnFew)
	}
	if n-commonest(x) < fewOthers {
		list = append(list, WarnSparse)
	}
	if sd := math.Sqrt(variance * (n - 1) / n); !isRate(x) && sd > 0 && math.Abs(third/(sd*sd*sd))/math.Sqrt(n) > skewed {
		list = append(list, WarnSkewed)
	}
	return list
}
