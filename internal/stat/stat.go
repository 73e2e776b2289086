// Package stat says how sure a number is: intervals of means and rates, paired comparisons of systems on the same
// questions, and how many questions a difference needs. It is pure: numbers in, numbers out, nothing random but what
// the seed decides.
//
// # Draw order
//
// The generator is PCG-DXSM with 128 bits of state (O'Neill 2014; the one of Go's math/rand/v2), seeded with the words
// (seed, 0). One 64-bit output gives two 32-bit halves, the low one first; a half u gives the index (u × n) >> 32, which
// favours no index by more than n/2^32. Resample b of n values takes the next n halves; an odd n leaves the last high
// half unused. Every series of the same length is therefore resampled alike, whatever its metric and system, and pairs
// stay pairs. Cluster resampling draws clusters in the same way.
package stat

import "math"

// Warning words that a result carries; docs/methodology.md owns their meaning.
const (
	WarnFew       = "fewer than 20 values: the interval is a rough guide"
	WarnSparse    = "nearly all values are the same: the interval can be too short"
	WarnSkewed    = "a few values far from the rest decide the mean: the interval can be too short"
	WarnOne       = "one value has no interval"
	WarnConstant  = "all values are the same: the interval is that value, which does not mean certainty"
	WarnClusters  = "fewer than 20 clusters: the interval is a rough guide"
	WarnIdentical = "the systems have the same score on every question"
)

// moments returns mean, sample variance (n-1) and the third central moment (n) of x. They are 0 where undefined.
func moments(x []float64) (mean, variance, third float64) {
	n := float64(len(x))
	if n == 0 {
		return 0, 0, 0
	}
	for _, v := range x {
		mean += v
	}
	mean /= n
	for _, v := range x {
		d := v - mean
		variance += d * d
		third += d * d * d
	}
	third /= n
	if n > 1 {
		variance /= n - 1
	} else {
		variance = 0
	}
	return mean, variance, third
}

// constant tells whether all values are the same number.
func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// Quantile returns the q-quantile of sorted values by linear interpolation between the nearest two (type 7 of Hyndman
// and Fan 1996, numpy's default). It panics for no values.
func Quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(math.Floor(at))
	if i < 0 {
		return sorted[0]
	}
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// normalCDF is the distribution function of the standard normal distribution.
func normalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// NormalQuantile is the inverse of the distribution function of the standard normal distribution.
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }
