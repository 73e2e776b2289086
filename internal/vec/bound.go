package vec

import "math"

// roundUp turns a computed length into an upper bound of the true one. A length computed in float64 is off by less than
// MaxDims*2^-53; one computed from a coarse square (normFromSquare) by less than 2^-11 relative.
const roundUp = 1 + 0x1p-10

// coarse says how far the float32 score of a pair may lie from its float64 score, Dot.
type coarse struct {
	factor float64 // of the product of the two lengths
	tiny   float64 // added for underflow
}

// newCoarse returns the bound for vectors of dims dimensions (at most MaxDims).
func newCoarse(dims int) coarse {
	roundings := float64(padded(dims)/lanes + 5)
	return coarse{
		factor: (gamma(roundings, 0x1p-24) + gamma(float64(dims), 0x1p-53)) * roundUp,
		tiny:   float64(dims) * 0x1p-148,
	}
}

// slack returns e such that |coarse score - Dot| <= e for every pair of vectors whose lengths are at most query and row. It is
// +Inf when the coarse score may overflow; such a score says nothing and may be NaN.
//
// Derivation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1). A sum in which no product
// passes through more than m roundings of relative size u is off by at most gamma_m * sum|q_i*x_i|, with
// gamma_m = m*u/(1-m*u), and sum|q_i*x_i| <= |q||x| (Cauchy-Schwarz). In the coarse sum u = 2^-24. A lane has dims/16 terms,
// rounded up: that many roundings when fused, and as many when not, for then the product is rounded but the first addition,
// to zero, is exact. The tree adds 4 levels; one more is spare: m = ceil(dims/16)+5. Results below the normal range carry an
// absolute error of at most 2^-150 a step in place of the relative one, and are enlarged by less than 2 on the way: together
// dims*2^-149. Dot's products are exact, so it is off by at most gamma_dims with u = 2^-53. The factor roundUp
// covers the rounding of the thresholds that are computed from the bound, which are relative 2^-53 of |q||x|, and tiny has a
// factor of two to spare.
func (c coarse) slack(query, row float64) float64 {
	product := query * row
	if product >= 0x1p126 {
		return math.Inf(1)
	}
	return c.factor*product + c.tiny
}

// gamma is n*u/(1-n*u).
func gamma(n, u float64) float64 {
	return n * u / (1 - n*u)
}

// floorToFloat32 returns the largest float32 that is not above x.
func floorToFloat32(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}
