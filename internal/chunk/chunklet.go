package chunk

import (
	"context"
	"math"

	"ragbench/internal/rag"
)

// Chunklet groups sentences into chunks of about three statements that begin where Markdown begins something, by dynamic
// programming (RAGLite, _split_chunklets). No chunk has more than Size code points, except for a grapheme cluster that is
// longer.
type Chunklet struct {
	Size int
}

var _ rag.Chunker = Chunklet{}

// Spans returns the chunklets. They tile the text.
func (c Chunklet) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	list := chunklets(d.Text, readOutline(d.Text), c.Size)
	spans := make([]rag.Span, len(list))
	for i, u := range list {
		spans[i] = rag.Span{Start: u.start, End: u.end}
	}
	return spans, nil
}

// unit is a chunklet: a span in bytes and its code points.
type unit struct {
	start, end, size int
}

// chunklets partitions the sentences of s at the least total cost. The cost of one chunklet of sentences j to i-1 is
//
//	(1 - p[j]) + p[j+1] + ... + p[i-1] + (m-3)² / √m / 2
//
// where p is how much a chunklet likes to begin with a sentence and m is the sum of its sentences' statements. Of equal
// partitions the one with longer chunklets wins. Only those of at most limit code points count, so the time is linear in
// s for a given limit.
func chunklets(s string, o outline, limit int) []unit {
	list := statements(s, o.headings, limit)
	n := len(list)
	if n == 0 {
		return nil
	}
	p := beginnings(list, o.openings)
	weights := densities(list)
	likes, mass, size := make([]float64, n+1), make([]float64, n+1), make([]int, n+1) // sums of prefixes
	for i, st := range list {
		likes[i+1], mass[i+1], size[i+1] = likes[i]+p[i], mass[i]+weights[i], size[i]+st.size
	}
	best, from := make([]float64, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		best[i] = math.Inf(1)
		for j := i - 1; j >= 0 && (size[i]-size[j] <= limit || j == i-1); j-- {
			m := max(mass[i]-mass[j], 1e-6)
			cost := best[j] + (1 - p[j]) + (likes[i] - likes[j+1]) + (m-3)*(m-3)/math.Sqrt(m)/2
			if cost <= best[i] {
				best[i], from[i] = cost, j
			}
		}
	}
	var ends []int
	for i := n; i > 0; i = from[i] {
		ends = append(ends, i)
	}
	out := make([]unit, 0, len(ends))
	for k := len(ends) - 1; k >= 0; k-- {
		i := ends[k]
		j := from[i]
		out = append(out, unit{start: list[j].start, end: list[i-1].end, size: size[i] - size[j]})
	}
	return out
}

// beginnings returns how much a chunklet likes to begin with each sentence: the preference of the first block whose first
// line begins in it; and of neighbouring sentences that have one, only the greatest keeps it, the first of equals.
func beginnings(list []statement, openings []opening) []float64 {
	p := make([]float64, len(list))
	i, taken := 0, -1
	for _, o := range openings {
		for i+1 < len(list) && list[i].end <= o.start {
			i++
		}
		if i != taken {
			p[i], taken = o.preference, i
		}
	}
	for i := 0; i < len(p); {
		best, end := i, i
		for ; end < len(p) && p[end] > 0; end++ {
			if p[end] > p[best] {
				best = end
			}
		}
		for k := i; k < end; k++ {
			if k != best {
				p[k] = 0
			}
		}
		i = end + 1
	}
	return p
}

// densities returns the statements of each sentence: 0.75 for one with as many words as the lower quartile of the
// document, 1.25 for the upper, and in proportion.
func densities(list []statement) []float64 {
	words := make([]float64, len(list))
	for i, s := range list {
		words[i] = float64(s.words)
	}
	const epsilon = 1.4901161193847656e-08 // square root of the precision of float64
	low := max(quantile(words, 0.25), epsilon)
	high := max(quantile(words, 0.75), low+epsilon)
	for i, w := range words {
		if w <= low {
			words[i] = 0.75 * w / low
		} else {
			words[i] = 0.75 + 0.5*(w-low)/(high-low)
		}
	}
	return words
}
