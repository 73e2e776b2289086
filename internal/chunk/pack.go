package chunk

import "ragbench/internal/rag"

// packer joins neighbouring pieces greedily to spans of at most size tokens. The time is linear in the pieces and in
// the length of all spans.
type packer struct {
	size, overlap int
	sentences     bool // overlap counts pieces, else tokens
	*ruler

	open   []piece // of the span being filled
	tokens int     // of open
	spans  []rag.Span
}

// add takes the next piece, which has at most size tokens.
func (p *packer) add(next piece) {
	last := len(p.open) - 1
	switch {
	case last >= 0 && next.tokens == 0:
		p.open[last].end = next.end // weighs nothing: part of the piece before
		return
	case last == 0 && p.tokens == 0:
		p.open[0] = piece{start: p.open[0].start, end: next.end, tokens: next.tokens, atom: next.atom}
		p.tokens = next.tokens
		return
	case last >= 0 && p.tokens+next.tokens > p.size:
		p.close(next.tokens)
	}
	p.open = append(p.open, next)
	p.tokens += next.tokens
}

// close ends the span and carries its overlap into the next, whose first new piece has so many tokens: whole pieces
// from the end of the span while they come to at most overlap and leave room for the new one, but never all of them.
// Where overlap counts tokens and not one piece can be carried, the last tokens are.
func (p *packer) close(next int) {
	end := p.open[len(p.open)-1].end
	p.spans = append(p.spans, rag.Span{Start: p.open[0].start, End: end})
	first, tokens := len(p.open), 0
	for first > 1 {
		n := p.open[first-1].tokens
		weight := tokens + n
		if p.sentences {
			weight = len(p.open) - first + 1
		}
		if weight > p.overlap || tokens+n+next > p.size {
			break
		}
		tokens += n
		first--
	}
	whole, atom := p.tokens, p.open[len(p.open)-1].atom
	p.open = append(p.open[:0], p.open[first:]...)
	p.tokens = tokens
	if len(p.open) > 0 || p.sentences || atom {
		return
	}
	if n := min(p.overlap, p.size-next, whole-1); n > 0 {
		p.open = append(p.open, piece{start: p.starts[p.index(end)-n], end: end, tokens: n})
		p.tokens = n
	}
}

// finish returns the spans.
func (p *packer) finish() []rag.Span {
	if len(p.open) > 0 {
		p.spans = append(p.spans, rag.Span{Start: p.open[0].start, End: p.open[len(p.open)-1].end})
		p.open, p.tokens = p.open[:0], 0
	}
	return p.spans
}

// foldSmall joins each span below least tokens to the one before, and a small first one to the second, where the result
// has at most size tokens.
func foldSmall(spans []rag.Span, least, size int, r *ruler) []rag.Span {
	if least <= 1 || len(spans) < 2 {
		return spans
	}
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if r.count(s.Start, s.End) < least && r.count(last.Start, s.End) <= size {
			last.End = s.End
			continue
		}
		out = append(out, s)
	}
	if len(out) > 1 && r.count(out[0].Start, out[0].End) < least && r.count(out[0].Start, out[1].End) <= size {
		out[1].Start = out[0].Start
		out = out[1:]
	}
	return out
}
