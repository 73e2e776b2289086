package stat

import "math"

// Power is the usual chance of finding a difference that is there.
const Power = 0.8

// Detectable returns the smallest true mean difference that a two-sided paired test at level alpha finds with the given
// power on n questions, when the differences have the standard deviation sd: (z(1-alpha/2) + z(power)) sd / √n. It is
// NaN for n = 0.
func Detectable(sd float64, n int, alpha, power float64) float64 {
	if n == 0 {
		return math.NaN()
	}
	return (NormalQuantile(1-alpha/2) + NormalQuantile(power)) * sd / math.Sqrt(float64(n))
}

// Needed returns how many questions a test at level alpha needs to find a mean difference of diff with the given power,
// when the differences have the standard deviation sd. It is 0 when no number is enough, as for a difference of 0; the
// least is 2.
func Needed(diff, sd, alpha, power float64) int {
	if diff == 0 || math.IsNaN(diff) || math.IsNaN(sd) {
		return 0
	}
	z := (NormalQuantile(1-alpha/2) + NormalQuantile(power)) * sd / diff
	n := math.Ceil(z*z - 1e-9)
	if n > 1e9 {
		return 0
	}
	return max(2, int(n))
}
