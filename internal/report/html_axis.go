package report

import "math"

// axis maps values to 0..1 and has marks.
type axis struct {
	lo, hi float64
	log    bool
	ticks  []float64
}

// place is where v lies between the ends of the axis.
func (a axis) place(v float64) float64 {
	if a.log {
		return (math.Log10(v) - math.Log10(a.lo)) / (math.Log10(a.hi) - math.Log10(a.lo))
	}
	return (v - a.lo) / (a.hi - a.lo)
}

// linearAxis spans the values with about n marks at round numbers. It leaves room around them, but none below 0 and none
// above limit, and a range of width 0 gets some.
func linearAxis(lo, hi float64, n int, limit float64) axis {
	pad := (hi - lo) * 0.08
	if pad == 0 {
		if pad = math.Abs(hi) * 0.1; pad == 0 {
			pad = 0.1
		}
	}
	if lo -= pad; lo < 0 && lo+pad >= 0 {
		lo = 0
	}
	if hi += pad; hi > limit && hi-pad <= limit {
		hi = limit
	}
	rough := (hi - lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := power * 10
	for _, m := range []float64{1, 2, 5} {
		if m*power >= rough {
			step = m * power
			break
		}
	}
	a := axis{lo: math.Floor(lo/step+1e-9) * step, hi: math.Ceil(hi/step-1e-9) * step}
	for i := 0.0; ; i++ {
		t := a.lo + i*step
		if t > a.hi+step*1e-6 {
			return a
		}
		a.ticks = append(a.ticks, math.Round(t/step)*step)
	}
}

// logAxis spans positive values with marks at powers of ten, and at twice and five times those where there are few.
func logAxis(lo, hi float64) axis {
	a := axis{lo: lo / 1.5, hi: hi * 1.5, log: true}
	first, last := int(math.Floor(math.Log10(a.lo))), int(math.Ceil(math.Log10(a.hi)))
	factors := []float64{1}
	if last-first <= 3 {
		factors = []float64{1, 2, 5}
	}
	for e := first; e <= last; e++ {
		for _, f := range factors {
			if t := f * math.Pow(10, float64(e)); t >= a.lo && t <= a.hi {
				a.ticks = append(a.ticks, t)
			}
		}
	}
	return a
}
