package vec

import (
	"math"
	"slices"
)

// candidate is a row whose float64 score lies within low and high; they are equal once the score is known.
type candidate struct {
	row       int
	low, high float64
}

// compare orders candidates by (low descending, row ascending). No two rows are equal under it.
func compare(a, b candidate) int {
	switch {
	case a.low > b.low:
		return -1
	case a.low < b.low:
		return 1
	default:
		return a.row - b.row
	}
}

// collector keeps the k best rows of one query, k at least 1. Its memory is bounded by k, and its work is linear in the rows
// added: it makes room when it is full, at a cost in proportion to its size, and then is at most half full.
type collector struct {
	m     *Matrix
	query []float64
	k     int
	held  []candidate
	limit int     // of held: at least 2k
	floor float64 // k of the rows added score at least this
}

// leastHeld keeps a small k from making room all the time.
const leastHeld = 512

func newCollector(m *Matrix, query []float32, k int) *collector {
	wide := make([]float64, len(query))
	for i, x := range query {
		wide[i] = float64(x)
	}
	return &collector{m: m, query: wide, k: k, limit: max(4*k, leastHeld), floor: math.Inf(-1)}
}

// add takes a row whose coarse score is off by at most slack. An infinite slack says that the score is unknown.
func (c *collector) add(row int, score float32, slack float64) {
	low, high := float64(score)-slack, float64(score)+slack
	if math.IsInf(slack, 1) {
		low, high = math.Inf(-1), math.Inf(1)
	}
	if high < c.floor {
		return
	}
	c.held = append(c.held, candidate{row, low, high})
	if len(c.held) >= c.limit {
		c.makeRoom()
	}
}

// makeRoom drops the rows that k others beat for certain. When too many are left, as with duplicates, it settles them.
func (c *collector) makeRoom() {
	c.raiseFloor()
	c.held = slices.DeleteFunc(c.held, func(x candidate) bool { return x.high < c.floor })
	if len(c.held) > c.limit/2 {
		c.settle()
	}
}

// raiseFloor moves the k candidates with the best low ends to the front and takes the worst of these ends as the floor.
func (c *collector) raiseFloor() {
	if len(c.held) < c.k {
		return
	}
	selectFirst(c.held, c.k)
	worst := c.held[0].low
	for _, x := range c.held[:c.k] {
		worst = min(worst, x.low)
	}
	c.floor = max(c.floor, worst)
}

// settle scores what is held in float64 and keeps the k best, each known exactly.
func (c *collector) settle() {
	rescore(c.m, c.query, c.held)
	c.raiseFloor()
	if len(c.held) > c.k {
		c.held = c.held[:c.k]
	}
}

// finish returns the k best of the rows added, in no order.
func (c *collector) finish() []candidate {
	c.makeRoom()
	c.settle()
	return c.held
}

// rank returns the k best of settled candidates in their final order: score descending, then row ascending.
func rank(settled []candidate, k int) []Scored {
	slices.SortFunc(settled, compare)
	settled = settled[:min(k, len(settled))]
	ranked := make([]Scored, len(settled))
	for i, x := range settled {
		ranked[i] = Scored{Row: x.row, Score: x.low}
	}
	return ranked
}
