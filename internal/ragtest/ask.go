package ragtest

import (
	"context"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/trace"
)

// asked is what a question leaves behind, without times.
type asked struct {
	Ranking rag.Ranking
	Answer  rag.Answer
	Steps   []rag.Step
	calls   int // made inside the steps
}

// ask puts one question to a system the way the runner does.
func ask(ctx context.Context, sys rag.System, q rag.Question, depth int) (a asked, err error) {
	tr := trace.New(time.Now)
	if a.Ranking, err = sys.Retrieve(ctx, q, depth, tr); err != nil {
		return a, err
	}
	if a.Answer, err = sys.Answer(ctx, q, a.Ranking, tr); err != nil {
		return a, err
	}
	a.Steps = tr.Steps()
	for i := range a.Steps {
		s := &a.Steps[i]
		a.calls += len(s.Calls)
		s.Start, s.Latency, s.Calls = 0, 0, nil
	}
	return a, nil
}
