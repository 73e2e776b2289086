package chunk

import (
	"context"
	"math"
	"slices"
	"strings"

	"ragbench/internal/rag"
)

// RAGLite joins chunklets into chunks of at most Size code points, cut where neighbours are least alike (RAGLite,
// _split_chunks), and puts the headings in force before each.
type RAGLite struct {
	Size          int
	PrefixHeading bool
	Models        Models
}

var (
	_ rag.Chunker = RAGLite{}
	_ sectioner   = RAGLite{}
)

func (RAGLite) embeds() {}

// Spans returns the chunks. They tile the text.
func (c RAGLite) Spans(ctx context.Context, d *rag.Document) ([]rag.Span, error) {
	return spansOf(c.sections(ctx, d))
}

// sections returns the chunks with headings as metadata: the lines "# Guide" of the headings in force, one a level.
func (c RAGLite) sections(ctx context.Context, d *rag.Document) ([]section, error) {
	o := readOutline(d.Text)
	list := chunklets(d.Text, o, c.Size)
	total := 0
	for _, u := range list {
		total += u.size
	}
	starts := []int{0} // of chunks, as indexes into list
	if len(list) > 1 && total > c.Size {
		rows := make([][]float32, len(list))
		err := c.Models.each(ctx, len(list), func(i int) string {
			return strings.TrimSpace(d.Text[list[i].start:list[i].end])
		}, func(i int, v []float32) { rows[i] = v })
		if err != nil {
			return nil, err
		}
		sims := neighbours(rows, list)
		weighHeadings(sims, d.Text, list)
		starts = partition(sims, list, c.Size)
	}
	var out []section
	trail := headingTrail{headings: o.headings}
	for k, first := range starts {
		last := len(list)
		if k+1 < len(starts) {
			last = starts[k+1]
		}
		if first == last {
			continue // no chunklets at all
		}
		span := rag.Span{Start: list[first].start, End: list[last-1].end}
		lines := trail.at(d.Text, span.Start)
		s := section{Span: span, metadata: map[string]string{"headings": lines}}
		if c.PrefixHeading {
			s.heading = lines
		}
		out = append(out, s)
	}
	return out, nil
}

// floor is the least similarity: the square root of the precision of float32. With it every cut costs something.
const floor = 0.00034526698300124393

// neighbours returns how alike each chunklet is to the next, from floor to 1. What all chunklets have in common is taken
// out of the vectors first: the direction of the mean over those whose size is between the 15th and 85th percentile.
// A zero vector, which has no direction, is as far from its neighbours as a right angle, and nothing is taken out.
func neighbours(rows [][]float32, list []unit) []float64 {
	sizes := make([]float64, len(list))
	for i, u := range list {
		sizes[i] = float64(u.size)
	}
	low, high := quantile(sizes, 0.15), quantile(sizes, 0.85)
	norms := make([]float64, len(rows))
	common := make([]float64, len(rows[0]))
	for i, v := range rows {
		norms[i] = math.Sqrt(dot(v, v))
		if low <= sizes[i] && sizes[i] <= high && norms[i] > 0 {
			for k, x := range v {
				common[k] += float64(x) / norms[i]
			}
		}
	}
	shares, rests := projections(rows, norms, common)
	sims := make([]float64, len(rows)-1)
	for i := range sims {
		cos := 0.0
		if norms[i] > 0 && norms[i+1] > 0 {
			cos = dot(rows[i], rows[i+1]) / norms[i] / norms[i+1]
			if rests != nil {
				cos = (cos - shares[i]*shares[i+1]) / rests[i] / rests[i+1]
			}
		}
		sims[i] = max((min(max(cos, -1), 1)+1)/2, floor)
	}
	return sims
}

// projections returns, for each row of unit length, its share in the common direction and the length of the rest. The
// rests are nil where a row is zero or nothing would be left of it, or where there is no common direction.
func projections(rows [][]float32, norms, common []float64) (shares, rests []float64) {
	length := 0.0
	for _, x := range common {
		length += x * x
	}
	if length = math.Sqrt(length); length < 1e-12 {
		return nil, nil
	}
	shares, rests = make([]float64, len(rows)), make([]float64, len(rows))
	for i, v := range rows {
		if norms[i] == 0 {
			return nil, nil
		}
		for k, x := range v {
			shares[i] += float64(x) * common[k]
		}
		shares[i] /= norms[i] * length
		rests[i] = math.Sqrt(max(0, 1-shares[i]*shares[i]))
		if rests[i] < floor {
			return nil, nil
		}
	}
	return shares, rests
}

// weighHeadings makes cuts before headings cheap, and cuts right behind them dear.
func weighHeadings(sims []float64, s string, list []unit) {
	before := false
	for i, u := range list[:len(list)-1] {
		is := startsWithHeading(s[u.start:u.end])
		if is {
			if i > 0 && !before {
				sims[i-1] /= 4
			}
			sims[i] = 1
		}
		before = is
	}
}

// startsWithHeading reports whether s begins with "# ", after white space, of any level.
func startsWithHeading(s string) bool { return headingLevel(strings.TrimLeft(s, " \t\r\n")) > 0 }

// headingLevel is the number of # that s begins with where a space follows, 1 to 6, else 0.
func headingLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n > 6 || n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// partition returns where chunks start: the cuts of least total similarity with which every chunk has at most limit code
// points. The 0/1 programme of the original has the shape of intervals, so that a pass over prefixes finds its optimum;
// a queue of candidates with rising cost makes it linear.
func partition(sims []float64, list []unit, limit int) []int {
	n := len(list)
	best, from := make([]float64, n+1), make([]int, n+1)
	cost := func(k int) float64 { // of a last chunk that starts at k
		if k == 0 {
			return 0
		}
		return best[k] + sims[k-1]
	}
	var queue []int // starts of the last chunk, ascending, with strictly rising cost
	size, first := 0, 0
	for i := 1; i <= n; i++ {
		for len(queue) > 0 && cost(queue[len(queue)-1]) >= cost(i-1) {
			queue = queue[:len(queue)-1]
		}
		queue = append(queue, i-1)
		size += list[i-1].size
		for size > limit && first < i-1 {
			size -= list[first].size
			first++
		}
		for queue[0] < first {
			queue = queue[1:]
		}
		best[i], from[i] = cost(queue[0]), queue[0]
	}
	var starts []int
	for i := n; i > 0; i = from[i] {
		starts = append(starts, from[i])
	}
	slices.Reverse(starts)
	return starts
}
