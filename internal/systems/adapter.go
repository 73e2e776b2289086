package systems

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ragbench/internal/vec"
)

// Adapter turns the vector of a question before it is searched with, so that questions come nearer to the chunks that
// answer them. It is orthogonal: lengths and angles between questions stay. It belongs to the vectors of one index.
type Adapter struct {
	Dims    int     `json:"dims"`
	Trained int     `json:"trained_on"` // questions
	Skipped int     `json:"skipped"`    // questions whose search gave no relevant chunk, or no other
	TopK    int     `json:"top_k"`
	Gap     float64 `json:"gap"`
	Matrix  []byte  `json:"matrix"` // Dims rows of Dims float32, little-endian; the vector is multiplied from the right
	rows    [][]float32
}

// turn multiplies an encoded vector by the matrix.
func (a *Adapter) turn(blob []byte) ([]byte, error) {
	v, err := vec.Decode(blob)
	if err != nil {
		return nil, err
	}
	out, err := a.Turn(v)
	return vec.Encode(out), err
}

// Turn returns the vector that v is searched as. v has Dims numbers.
func (a *Adapter) Turn(v []float32) ([]float32, error) {
	if len(v) != a.Dims {
		return nil, fmt.Errorf("turn a vector of %d dimensions: the query adapter has %d", len(v), a.Dims)
	}
	out := make([]float32, a.Dims)
	for i, row := range a.rows {
		out[i] = float32(vec.Dot(row, v))
	}
	return out, nil
}

// unpack reads the rows of the matrix.
func (a *Adapter) unpack() error {
	all, err := vec.Decode(a.Matrix)
	if err != nil {
		return err
	}
	if a.Dims < 1 || len(all) != a.Dims*a.Dims {
		return fmt.Errorf("a matrix of %d numbers for %d dimensions", len(all), a.Dims)
	}
	a.rows = make([][]float32, a.Dims)
	for i := range a.rows {
		a.rows[i] = all[i*a.Dims : (i+1)*a.Dims]
	}
	return nil
}

// example is one question to learn from: its vector, and those of the chunks found for it that are relevant and that
// are not.
type example struct {
	query            []float32
	relevant, others [][]float32
}

// fit learns the orthogonal matrix that turns each query towards its target (orthogonal Procrustes in closed form,
// Schönemann 1966; the target and the treatment of directions that no query covers are RAGLite's). Examples without a
// relevant chunk or without another are skipped; when all are, it is an error.
func fit(ctx context.Context, dims int, examples []example, gap float64) (*Adapter, error) {
	a := &Adapter{Dims: dims, Gap: gap}
	var queries, targets []float64
	for _, x := range examples {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(x.relevant) == 0 || len(x.others) == 0 {
			a.Skipped++
			continue
		}
		q := unit(x.query)
		t := target(q, allUnit(x.relevant), allUnit(x.others), gap)
		if t == nil {
			a.Skipped++
			continue
		}
		a.Trained++
		queries, targets = append(queries, q...), append(targets, t...)
	}
	if a.Trained == 0 {
		return nil, errors.New("no question can be learnt from: for each, the search found no relevant chunk or nothing else")
	}
	m, err := procrustes(mat.NewDense(a.Trained, dims, queries), mat.NewDense(a.Trained, dims, targets))
	if err != nil {
		return nil, err
	}
	all := make([]float32, 0, dims*dims)
	for i := range dims {
		for _, x := range m.RawRowView(i) {
			all = append(all, float32(x))
		}
	}
	a.Matrix = vec.Encode(all)
	return a, a.unpack()
}

// procrustes returns the orthogonal A that brings A q nearest to t over the rows of both: with M = TᵀQ/n, A = UVᵀ of M's
// singular value decomposition. Directions that no query covers are kept: the projector on them, I - Qᵀ(QQᵀ)⁺Q, is added
// to M.
func procrustes(q, t *mat.Dense) (*mat.Dense, error) {
	n, d := q.Dims()
	var m mat.Dense
	m.Mul(t.T(), q)
	m.Scale(1/float64(n), &m)
	var rows mat.SVD
	if !rows.Factorize(q, mat.SVDThin) {
		return nil, errors.New("the singular values of the questions do not converge")
	}
	values := rows.Values(nil)
	var v mat.Dense
	rows.VTo(&v)
	rank := 0
	for _, s := range values {
		if s > values[0]*float64(max(n, d))*0x1p-52 {
			rank++
		}
	}
	if rank < d {
		covered := v.Slice(0, d, 0, rank)
		var p mat.Dense
		p.Mul(covered, covered.T())
		for i := range d {
			for j := range d {
				add := -p.At(i, j)
				if i == j {
					add++
				}
				m.Set(i, j, m.At(i, j)+add)
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(&m, mat.SVDFull) {
		return nil, errors.New("the singular values of the questions and targets do not converge")
	}
	var u, w, a mat.Dense
	svd.UTo(&u)
	svd.VTo(&w)
	a.Mul(&u, w.T())
	return &a, nil
}
