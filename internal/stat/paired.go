package stat

import (
	"math"
	"math/bits"
	"slices"
)

// The verdicts of a comparison.
const (
	Better    = "better"
	Worse     = "worse"
	NoClear   = "no clear difference"
	NotTested = "not tested"
)

// Comparison is a system against a baseline on the questions that both have a value for.
type Comparison struct {
	N                  int
	MeanDiff           float64 // system minus baseline; NaN for no shared question
	SD                 float64 // of the differences; NaN for fewer than two
	Lo, Hi             float64 // interval of the mean difference
	P                  float64 // two-sided, of the paired randomisation test; NaN where not tested
	Holm               float64 // adjusted over the family; NaN until Adjust
	Wins, Ties, Losses int
	Verdict            string // by Adjust; until then NoClear or NotTested
	Warnings           []string
}

// same is how far two scores may be apart and count as a tie.
const same = 1e-12

// Paired compares two systems, a against b, on the same questions in the same order; NaN marks a missing value, and a
// question where either is missing is left out. Of clusters, whole ones are resampled and flipped; nil means that every
// question stands for itself.
//
// The interval is that of the mean difference. The p-value is that of the paired randomisation test (Fisher 1935; Smucker
// et al. 2007): if the systems were interchangeable, the sign of each difference would be that of a coin. Up to 12
// differences that are not 0 are flipped in every way, which is exact; more in 10,000 ways that the seed decides, with
// p = (1 + as far out) / (1 + flips).
func (s *Sampler) Paired(a, b []float64, cluster []int, o Options) Comparison {
	c := Comparison{MeanDiff: math.NaN(), SD: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), P: math.NaN(), Holm: math.NaN(), Verdict: NotTested}
	var d []float64
	var groups []int
	for i := range a {
		if math.IsNaN(a[i]) || math.IsNaN(b[i]) {
			continue
		}
		v := a[i] - b[i]
		if math.Abs(v) <= same {
			v = 0
		}
		switch {
		case v > 0:
			c.Wins++
		case v < 0:
			c.Losses++
		default:
			c.Ties++
		}
		d = append(d, v)
		if cluster != nil {
			groups = append(groups, cluster[i])
		}
	}
	if c.N = len(d); c.N == 0 {
		return c
	}
	var variance float64
	c.MeanDiff, variance, _ = moments(d)
	if c.N > 1 {
		c.SD = math.Sqrt(variance)
	}
	o.Min, o.Max = 0, 0
	if o.Method == Wilson {
		o.Method = Auto
	}
	var iv Interval
	sums := d
	if cluster != nil {
		iv = s.Clustered(d, groups, o)
		sums = clusterSums(d, groups)
	} else {
		iv = s.Mean(d, noRate(o, d))
	}
	c.Lo, c.Hi, c.Warnings = iv.Lo, iv.Hi, iv.Warnings
	c.P, c.Verdict = s.flips(sums), NoClear
	if c.Wins+c.Losses == 0 {
		c.Warnings = []string{WarnIdentical}
	}
	return c
}

// noRate keeps differences that happen to be 0 and 1 from being taken for a rate.
func noRate(o Options, d []float64) Options {
	if isRate(d) && (o.Method == "" || o.Method == Auto) {
		o.Method = BCa
	}
	return o
}

// clusterSums adds the values of each cluster up, in the order of first mention.
func clusterSums(d []float64, cluster []int) []float64 {
	at := map[int]int{}
	var sums []float64
	for i, v := range d {
		c, ok := at[cluster[i]]
		if !ok {
			c = len(sums)
			at[cluster[i]] = c
			sums = append(sums, 0)
		}
		sums[c] += v
	}
	return sums
}

const (
	exactFlips  = 12    // values up to which every pattern of signs is tried
	randomFlips = 10000 // patterns of more
)

// flips returns the p-value of the randomisation test for the sum of d. Eight values at a time, the sums of all 256
// patterns are looked up, so that a pattern costs an eighth of its values.
func (s *Sampler) flips(d []float64) float64 {
	var moved []float64
	sum, scale := 0.0, 0.0
	for _, v := range d {
		if v != 0 {
			moved = append(moved, v)
			sum += v
			scale += math.Abs(v)
		}
	}
	limit := math.Abs(sum) - 1e-9*scale // equal sums are equal in whatever order they are added
	tables := signTables(moved)
	out := 0
	if len(moved) <= exactFlips {
		patterns := 1 << len(moved)
		for p := range patterns {
			if math.Abs(signedSum(tables, uint64(p))) >= limit {
				out++
			}
		}
		return float64(out) / float64(patterns)
	}
	g := &pcg{hi: s.seed, lo: 1}
	for range s.patterns {
		total := 0.0
		for first := 0; first < len(tables); first += 8 {
			total += signedSum(tables[first:min(first+8, len(tables))], g.next())
		}
		if math.Abs(total) >= limit {
			out++
		}
	}
	return float64(out+1) / float64(s.patterns+1)
}

// signTables holds, for each eight values, their sum under each pattern of signs: bit i set means value i is added,
// else taken away.
func signTables(d []float64) [][256]float64 {
	tables := make([][256]float64, (len(d)+7)/8)
	for i := range tables {
		part := d[8*i : min(8*i+8, len(d))]
		t := &tables[i]
		for _, v := range part {
			t[0] -= v
		}
		for p := 1; p < 256; p++ {
			low := bits.TrailingZeros(uint(p))
			t[p] = t[p&(p-1)]
			if low < len(part) {
				t[p] += 2 * part[low]
			}
		}
	}
	return tables
}

// signedSum adds the tables up under the signs of u, the lowest byte for the first.
func signedSum(tables [][256]float64, u uint64) float64 {
	sum := 0.0
	for i := range tables {
		sum += tables[i][u>>(8*i)&255]
	}
	return sum
}

// Holm returns p-values adjusted for being a family (Holm 1979): step-down, monotone, at most 1. NaN, not tested, stays
// NaN and does not count.
func Holm(ps []float64) []float64 {
	out := make([]float64, len(ps))
	var order []int
	for i, p := range ps {
		out[i] = math.NaN()
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case ps[a] < ps[b]:
			return -1
		case ps[a] > ps[b]:
			return 1
		}
		return 0
	})
	last := 0.0
	for rank, i := range order {
		last = max(last, min(1, ps[i]*float64(len(order)-rank)))
		out[i] = last
	}
	return out
}

// Adjust adjusts the p-values of a family of comparisons and gives each its verdict at level alpha.
func Adjust(family []Comparison, alpha float64) {
	ps := make([]float64, len(family))
	for i := range family {
		ps[i] = family[i].P
	}
	for i, p := range Holm(ps) {
		c := &family[i]
		c.Holm = p
		switch {
		case math.IsNaN(p):
			c.Verdict = NotTested
		case p < alpha && c.MeanDiff > 0:
			c.Verdict = Better
		case p < alpha && c.MeanDiff < 0:
			c.Verdict = Worse
		default:
			c.Verdict = NoClear
		}
	}
}
