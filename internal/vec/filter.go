package vec

import "math/bits"

// Filter is a bitmap of the rows that a search may return: row r is bit r%64 of word r/64. A nil Filter allows every row;
// rows beyond the end of a Filter that is not nil are not allowed.
type Filter []uint64

// NewFilter returns a filter over the given number of rows that allows none.
func NewFilter(rows int) Filter {
	return make(Filter, (rows+63)/64)
}

// Allow adds a row, which must be one that the filter was made for.
func (f Filter) Allow(row int) {
	f[row/64] |= 1 << (row % 64)
}

// Allows reports whether a search may return the row.
func (f Filter) Allows(row int) bool {
	if f == nil {
		return true
	}
	return row/64 < len(f) && f[row/64]>>(row%64)&1 == 1
}

// Count returns how many of the rows 0 to rows-1 are allowed.
func (f Filter) Count(rows int) int {
	if f == nil {
		return rows
	}
	n := 0
	for i, word := range f {
		switch left := rows - 64*i; {
		case left <= 0:
			return n
		case left < 64:
			word &= 1<<left - 1
		}
		n += bits.OnesCount64(word)
	}
	return n
}

// anyIn reports whether a row in the half-open range may be allowed. It looks at whole words, so it may say yes for a
// neighbour's sake; it never says no wrongly.
func (f Filter) anyIn(lo, hi int) bool {
	if f == nil {
		return true
	}
	for i := lo / 64; i < min((hi+63)/64, len(f)); i++ {
		if f[i] != 0 {
			return true
		}
	}
	return false
}
