package systems

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// random makes a vector of length 1.
func random(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	out := unit(v)
	for i := range v {
		v[i] = float32(out[i])
	}
	return v
}

// TestTargetByHand has one pair in the plane: the relevant chunk p at (0, 1), the other n at (1, 0), the question half
// way. The nearest vector with p·t = 1.05 n·t lies on the line through (1, 1.05).
func TestTargetByHand(t *testing.T) {
	got := target([]float64{math.Sqrt2 / 2, math.Sqrt2 / 2}, [][]float64{{0, 1}}, [][]float64{{1, 0}}, 0.05)
	length := math.Hypot(1, 1.05)
	for i, want := range []float64{1 / length, 1.05 / length} {
		if math.Abs(got[i]-want) > 1e-7 {
			t.Errorf("got target %v, want (1, 1.05) of length 1", got)
			break
		}
	}
}

// TestTargetKeepsWhatIsRight leaves a question alone that is near enough to its chunk already.
func TestTargetKeepsWhatIsRight(t *testing.T) {
	q := []float64{0.6, 0.8}
	if got := target(q, [][]float64{{0, 1}}, [][]float64{{1, 0}}, 0.05); !floats.EqualApprox(got, q, 1e-12) {
		t.Errorf("got target %v, want the question %v", got, q)
	}
}

// TestTargetHoldsForEveryPair checks the constraints on random vectors, and that no feasible neighbour is nearer.
func TestTargetHoldsForEveryPair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const dims, gap = 24, 0.05
	for range 20 {
		q := unit(random(r, dims))
		var relevant, others [][]float64
		for range 2 {
			relevant = append(relevant, unit(random(r, dims)))
		}
		for range 8 {
			others = append(others, unit(random(r, dims)))
		}
		got := target(q, relevant, others, gap)
		if got == nil {
			t.Fatal("got no target for vectors in general position")
		}
		holds := func(v []float64, slack float64) bool {
			for _, p := range relevant {
				for _, n := range others {
					if floats.Dot(p, v) < (1+gap)*floats.Dot(n, v)-slack {
						return false
					}
				}
			}
			return true
		}
		if !holds(got, 1e-5) {
			t.Errorf("the target breaks a constraint")
		}
		near := floats.Dot(q, got)
		for range 200 { // a cone: the nearest direction is the one with the largest cosine
			v := append([]float64(nil), got...)
			floats.AddScaled(v, 0.05, unit(random(r, dims)))
			floats.Scale(1/floats.Norm(v, 2), v)
			if holds(v, 0) && floats.Dot(q, v) > near+1e-6 {
				t.Fatalf("a vector with cosine %v to the question fits too, the target has %v", floats.Dot(q, v), near)
			}
		}
	}
}

// TestProcrustesFindsTheRotation gives targets that are turned questions: the matrix must be that rotation where questions
// cover the space, and leave alone what they do not.
func TestProcrustesFindsTheRotation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const dims = 8
	turn := mat.NewDense(dims, dims, nil)
	for i := range dims {
		turn.Set(i, i, 1)
	}
	c, s := math.Cos(0.4), math.Sin(0.4)
	turn.Set(0, 0, c)
	turn.Set(0, 1, -s)
	turn.Set(1, 0, s)
	turn.Set(1, 1, c)
	for _, n := range []int{3, 40} {
		q, tg := mat.NewDense(n, dims, nil), mat.NewDense(n, dims, nil)
		for i := range n {
			row := unit(random(r, dims))
			if n < dims { // within the first three axes, which the rotation keeps
				for j := 3; j < dims; j++ {
					row[j] = 0
				}
				floats.Scale(1/floats.Norm(row, 2), row)
			}
			q.SetRow(i, row)
		}
		tg.Mul(q, turn.T())
		got, err := procrustes(q, tg)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(got, turn, 1e-9) {
			t.Errorf("%d questions: got\n%v\nwant\n%v", n, mat.Formatted(got), mat.Formatted(turn))
		}
	}
}

// TestFit wants an orthogonal matrix that brings the relevant chunk of each question nearer, and counts what it skips.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const dims = 32
	var examples []example
	for range 12 {
		q := random(r, dims)
		others := [][]float32{q, random(r, dims)} // another chunk lies on the question itself
		examples = append(examples, example{query: q, relevant: [][]float32{random(r, dims)}, others: others})
	}
	examples = append(examples, example{query: random(r, dims), others: [][]float32{random(r, dims)}}, example{query: random(r, dims), relevant: [][]float32{random(r, dims)}})
	a, err := fit(context.Background(), dims, examples, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if a.Trained != 12 || a.Skipped != 2 {
		t.Errorf("got %d trained and %d skipped, want 12 and 2", a.Trained, a.Skipped)
	}
	for i, x := range a.rows {
		for j, y := range a.rows {
			want := 0.0
			if i == j {
				want = 1
			}
			if got := floats.Dot(float64s(x), float64s(y)); math.Abs(got-want) > 1e-5 {
				t.Fatalf("rows %d and %d: got product %v, want %v", i, j, got, want)
			}
		}
	}
	nearer := 0
	for _, x := range examples[:12] {
		v, err := a.Turn(x.query)
		if err != nil {
			t.Fatal(err)
		}
		if floats.Dot(unit(v), unit(x.relevant[0])) > floats.Dot(unit(x.query), unit(x.relevant[0])) {
			nearer++
		}
	}
	if nearer < 11 {
		t.Errorf("%d of 12 questions came nearer to their chunk, want at least 11", nearer)
	}
	if _, err := fit(context.Background(), dims, examples[12:], 0.05); err == nil {
		t.Error("nothing to learn from: got no error")
	}
	if _, err := a.Turn(make([]float32, dims-1)); err == nil {
		t.Error("a vector of another length: got no error")
	}
}

func float64s(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}
