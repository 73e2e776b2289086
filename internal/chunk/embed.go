package chunk

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// embedBatch is how many texts go into one call.
const embedBatch = 96

// each embeds n texts, a batch at a time, and hands the vectors over in order.
func (m Models) each(ctx context.Context, n int, text func(i int) string, yield func(i int, v []float32)) error {
	dims := 0
	for from := 0; from < n; from += embedBatch {
		texts := make([]string, min(embedBatch, n-from))
		for i := range texts {
			texts[i] = text(from + i)
		}
		vectors, err := m.Embed(ctx, texts)
		if err != nil {
			return err
		}
		if len(vectors) != len(texts) {
			return fmt.Errorf("embed the text: got %d vectors for %d texts", len(vectors), len(texts))
		}
		for i, v := range vectors {
			if dims == 0 {
				dims = len(v)
			}
			if len(v) != dims || dims == 0 {
				return fmt.Errorf("embed the text: got a vector of %d numbers after one of %d", len(v), dims)
			}
			yield(from+i, v)
		}
	}
	return nil
}

// dot is the inner product in double precision.
func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// cosine is 0 where a vector is zero, as those of texts without words may be.
func cosine(a, b []float32) float64 {
	n := math.Sqrt(dot(a, a) * dot(b, b))
	if n == 0 {
		return 0
	}
	return dot(a, b) / n
}

// quantile interpolates linearly between the order statistics of list, whose order it keeps; q is from 0 to 1. It is 0
// for an empty list.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
