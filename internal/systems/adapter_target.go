package systems

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The end of the iteration for a target: the largest step of a pass, and a number of passes.
const (
	targetTolerance = 1e-8
	targetPasses    = 5_000
)

// target returns the vector nearest to q that is nearer to every relevant vector than to any other by the factor 1 + gap:
// p·t >= (1 + gap) n·t for each pair, brought to length 1. It minimises ||q + Dᵀμ|| over μ >= 0, whose rows of D are
// p - (1 + gap) n, one coordinate after the other (Hildreth 1957). All vectors have length 1. It is nil when nothing but
// the zero vector fits.
func target(q []float64, relevant, others [][]float64, gap float64) []float64 {
	var pairs [][]float64
	var norms []float64
	for _, p := range relevant {
		for _, n := range others {
			row := make([]float64, len(q))
			floats.AddScaledTo(row, p, -(1 + gap), n)
			if sq := floats.Dot(row, row); sq > 0 {
				pairs, norms = append(pairs, row), append(norms, sq)
			}
		}
	}
	t := append([]float64(nil), q...)
	for i, mu := range multipliers(q, pairs, norms) {
		floats.AddScaled(t, mu, pairs[i])
	}
	length := floats.Norm(t, 2)
	if length < 1e-6 {
		return nil
	}
	floats.Scale(1/length, t)
	return t
}

// multipliers returns the μ of target. It keeps D(q + Dᵀμ) up to date, so that a step costs a row of DDᵀ and not a vector.
func multipliers(q []float64, pairs [][]float64, norms []float64) []float64 {
	mu := make([]float64, len(pairs))
	slack := make([]float64, len(pairs))
	gram := make([][]float64, len(pairs))
	for i, row := range pairs {
		slack[i] = floats.Dot(row, q)
		gram[i] = make([]float64, len(pairs))
		for j := range i + 1 {
			gram[i][j] = floats.Dot(row, pairs[j])
			gram[j][i] = gram[i][j]
		}
	}
	for range targetPasses {
		largest := 0.0
		for i := range pairs {
			step := max(-slack[i]/norms[i], -mu[i])
			if step == 0 {
				continue
			}
			mu[i] += step
			floats.AddScaled(slack, step, gram[i])
			largest = max(largest, math.Abs(step)*math.Sqrt(norms[i]))
		}
		if largest < targetTolerance {
			break
		}
	}
	return mu
}

// unit returns v with length 1, as float64; a zero vector stays zero.
func unit(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	if length := floats.Norm(out, 2); length > 0 {
		floats.Scale(1/length, out)
	}
	return out
}

func allUnit(vs [][]float32) [][]float64 {
	out := make([][]float64, len(vs))
	for i, v := range vs {
		out[i] = unit(v)
	}
	return out
}
