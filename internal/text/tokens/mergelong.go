package tokens

// splitLong is split in n log n steps: the parts are a linked list, the pairs a heap by rank and place. A pair whose
// parts have changed since it was pushed is passed over.
func (m *merger) splitLong(piece string, v *vocab) []int32 {
	n := len(piece)
	m.next, m.prev = m.next[:0], m.prev[:0]
	for i := range n + 1 {
		m.next, m.prev = append(m.next, int32(i+1)), append(m.prev, int32(i-1))
	}
	h := m.heap[:0]
	for i := range n - 1 {
		if r := pairRank(v, piece, i, i+1, i+2); r != noRank {
			h = append(h, newPair(r, int32(i), int32(i+1), int32(i+2)))
		}
	}
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	for len(h) > 0 {
		q := h[0]
		a := q.place()
		if m.next[a] != q.b || m.next[q.b] != q.c {
			h.pop()
			continue
		}
		m.next[a], m.next[q.b] = q.c, -1
		m.prev[q.c] = a
		// The new pair to the right takes the place of the one just joined, which saves a pop.
		if r, ok := m.pairAt(piece, v, a); ok {
			h[0] = r
			h.down(0)
		} else {
			h.pop()
		}
		if l, ok := m.pairAt(piece, v, m.prev[a]); ok {
			h.push(l)
		}
	}
	m.heap, m.out = h, m.out[:0]
	for i := int32(0); int(i) < n; i = m.next[i] {
		m.out = append(m.out, i)
	}
	return m.out
}

// pairAt is the pair whose left part starts at a, if the vocabulary joins it.
func (m *merger) pairAt(piece string, v *vocab, a int32) (pair, bool) {
	if a < 0 || int(m.next[a]) >= len(piece) {
		return pair{}, false
	}
	b := m.next[a]
	c := m.next[b]
	r := pairRank(v, piece, int(a), int(b), int(c))
	return newPair(r, a, b, c), r != noRank
}

// pair is the join of [a, b) and [b, c). Its key is the rank, then a, so that equals are joined from the left.
type pair struct {
	key  uint64
	b, c int32
}

func newPair(rank, a, b, c int32) pair {
	return pair{key: uint64(rank)<<32 | uint64(a), b: b, c: c}
}

func (p pair) place() int32 { return int32(uint32(p.key)) }

// pairHeap is a binary heap with the least key first.
type pairHeap []pair

func (h pairHeap) down(i int) {
	x := h[i]
	for {
		j := 2*i + 1
		if j >= len(h) {
			break
		}
		if j+1 < len(h) && h[j+1].key < h[j].key {
			j++
		}
		if x.key <= h[j].key {
			break
		}
		h[i] = h[j]
		i = j
	}
	h[i] = x
}

func (h *pairHeap) push(p pair) {
	*h = append(*h, p)
	s := *h
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if s[up].key <= p.key {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = p
}

func (h *pairHeap) pop() {
	s := *h
	last := len(s) - 1
	s[0] = s[last]
	*h = s[:last]
	if last > 0 {
		h.down(0)
	}
}
