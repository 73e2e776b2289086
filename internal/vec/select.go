package vec

import (
	"math/bits"
	"slices"
)

// selectFirst moves the k first of a, by compare, to its front, in no order. It is Hoare's selection, which takes linear time
// on average; when its pivots turn out badly it sorts what is left, so the worst case is that of sorting.
func selectFirst(a []candidate, k int) {
	if k >= len(a) {
		return
	}
	lo, hi := 0, len(a)
	for rounds := 2 * bits.Len(uint(len(a))); hi-lo > 12 && rounds > 0; rounds-- {
		i, j := partition(a, lo, hi)
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
	slices.SortFunc(a[lo:hi], compare)
}

// partition reorders a[lo:hi] so that nothing in a[lo:j] comes after a pivot, nothing in a[i:hi] before it, and whatever lies
// between equals it. Both parts are smaller than a[lo:hi], which has two elements or more.
func partition(a []candidate, lo, hi int) (i, j int) {
	pivot := middle(a[lo], a[lo+(hi-lo)/2], a[hi-1])
	i, j = lo, hi-1
	for i <= j {
		for compare(a[i], pivot) < 0 {
			i++
		}
		for compare(a[j], pivot) > 0 {
			j--
		}
		if i <= j {
			a[i], a[j] = a[j], a[i]
			i++
			j--
		}
	}
	return i, j + 1
}

// middle returns the median of three.
func middle(a, b, c candidate) candidate {
	if compare(b, a) < 0 {
		a, b = b, a
	}
	if compare(c, b) < 0 {
		b = c
		if compare(b, a) < 0 {
			b = a
		}
	}
	return b
}
