package index

import "math"

// sqlDistance is vec_distance_cosine of sqlite-vec 0.1.6 (distance_cosine_float), operation by operation: three float32 sums in
// the order of the dimensions, square roots and quotient in float64, and the distance cut to float32. Near 1 it knows
// distances no finer than 6e-8, so vectors that differ may tie. SQL is what a ranking can be checked with, so its
// distances are what vectors are ranked by.
//
// The conversions keep the compiler from fusing products and sums, as sqlite-vec is compiled for x86-64; where the C compiler
// fuses them (ARM, unless it gets -ffp-contract=off) the last bits may differ.
func sqlDistance(a, b []float32) float32 {
	var dot, aa, bb float32
	b = b[:len(a)]
	for i, x := range a {
		y := b[i]
		dot += float32(x * y)
		aa += float32(x * x)
		bb += float32(y * y)
	}
	return float32(1 - float64(dot)/(math.Sqrt(float64(aa))*math.Sqrt(float64(bb))))
}

// sqlSlack bounds |1 - sqlDistance - cosine| for vectors of dims dimensions with lengths in the range of checkLength. Each of the
// three sums is off by at most gamma = dims*u/(1-dims*u) of its Cauchy-Schwarz bound, u = 2^-24 (Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd ed., section 3.1): gamma for the dot product, gamma/2 for each length, doubled here
// for the terms of second order. Underflow adds less than dims*2^-149 to sums above 2^-80, and the final cut 2^-24.
func sqlSlack(dims int) float64 {
	n := float64(dims) * 0x1p-24
	return 4*n/(1-n) + 0x1p-22
}
