package index

import (
	"cmp"
	"slices"

	"ragbench/internal/sqlext"
)

// compareHits orders hits by (score descending, chunk id ascending).
func compareHits(a, b sqlext.Hit) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Compare(a.ChunkID, b.ChunkID)
}

// top keeps the k best of the hits added, by compareHits. k is 1 or more. Once full it is a heap with the worst on top.
type top struct {
	k    int
	hits []sqlext.Hit
}

func (t *top) add(h sqlext.Hit) {
	if len(t.hits) < t.k {
		t.hits = append(t.hits, h)
		for i := t.k/2 - 1; len(t.hits) == t.k && i >= 0; i-- {
			t.sink(i)
		}
		return
	}
	if h.Score >= t.hits[0].Score && compareHits(h, t.hits[0]) < 0 {
		t.hits[0] = h
		t.sink(0)
	}
}

// sink moves hit i down until neither of the two below it is worse.
func (t *top) sink(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.hits); child++ {
			if compareHits(t.hits[child], t.hits[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
}

// ranked returns the hits kept, best first. t is used up.
func (t *top) ranked() []sqlext.Hit {
	slices.SortFunc(t.hits, compareHits)
	return t.hits
}
