package tokens

import "math"

// merger splits pieces by byte-pair encoding (Sennrich, Haddow and Birch 2016, section 3.2): the adjacent pair of
// lowest rank is joined, the leftmost of equals first, until no pair is in the vocabulary. It keeps its buffers between
// pieces.
type merger struct {
	parts      []part
	next, prev []int32
	heap       pairHeap
	out        []int32
}

// part is one token so far: it starts at start, and rank is that of itself joined to the next part.
type part struct {
	start int32
	rank  int32
}

const (
	noRank    = math.MaxInt32
	longPiece = 96 // bytes; above it a heap finds the next pair
)

// split returns the byte offsets at which the tokens of piece start. The slice is valid until the next call.
func (m *merger) split(piece string, v *vocab) []int32 {
	if len(piece) > longPiece {
		return m.splitLong(piece, v)
	}
	p := m.parts[:0]
	for i := range len(piece) {
		p = append(p, part{start: int32(i), rank: pairRank(v, piece, i, i+1, i+2)})
	}
	p = append(p, part{start: int32(len(piece)), rank: noRank})
	for len(p) > 2 {
		best := 0
		for i := 1; i < len(p)-2; i++ {
			if p[i].rank < p[best].rank {
				best = i
			}
		}
		if p[best].rank == noRank {
			break
		}
		p = append(p[:best+1], p[best+2:]...)
		p[best].rank = rankAt(v, piece, p, best)
		if best > 0 {
			p[best-1].rank = rankAt(v, piece, p, best-1)
		}
	}
	m.parts, m.out = p, m.out[:0]
	for _, q := range p[:len(p)-1] {
		m.out = append(m.out, q.start)
	}
	return m.out
}

// rankAt is the rank of part i joined to part i+1.
func rankAt(v *vocab, piece string, p []part, i int) int32 {
	if i+2 >= len(p) {
		return noRank
	}
	return pairRank(v, piece, int(p[i].start), int(p[i+1].start), int(p[i+2].start))
}

// pairRank is the rank of piece[a:c], the join of [a, b) and [b, c), or noRank.
func pairRank(v *vocab, piece string, a, b, c int) int32 {
	if b >= len(piece) || c > len(piece) {
		return noRank
	}
	return v.rank(piece[a:c])
}
