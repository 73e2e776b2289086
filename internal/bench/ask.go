package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/trace"
)

// cell is a finished question: what to write and the calls to save with it.
type cell struct {
	store.AnswerInput
	calls []rag.Call
	spans []int // how many of calls belong to each step
}

// ask puts one question to one system. An error, and a panic, of the system becomes the cell's error.
func ask(ctx context.Context, env Env, plan Plan, system, question int) *cell {
	s, q := plan.Systems[system], plan.Questions[question]
	tr := trace.New(env.Now)
	c := &cell{AnswerInput: store.AnswerInput{
		ID:       plan.Run.FirstAnswer + int64(system*len(plan.Questions)+question),
		Cell:     store.Cell{SystemID: s.ID, QuestionID: q.RowID},
		ContextK: s.ContextK,
	}}
	if err := c.run(ctx, s, q, plan.Depth, tr); err != nil {
		c.Err = err.Error()
	}
	c.Latency = tr.Elapsed()
	c.Steps = tr.Steps()
	if step, ok := trace.Reconcile(c.Steps, charged(c.Steps)); ok {
		step.Start = c.Latency
		c.Steps = append(c.Steps, step)
	}
	c.Usage = trace.Usage(c.Steps)
	for _, st := range c.Steps {
		c.calls = append(c.calls, st.Calls...)
		c.spans = append(c.spans, len(st.Calls))
	}
	return c
}

// run retrieves and answers.
func (c *cell) run(ctx context.Context, s System, q rag.Question, depth int, tr *trace.Recorder) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v at %s", p, site(debug.Stack()))
		}
	}()
	if c.Ranking, err = s.Retrieve(ctx, q, max(depth, s.ContextK), tr); err != nil {
		return fmt.Errorf("retrieve: %w", err)
	}
	c.Retrieval = tr.Elapsed()
	if len(tr.Steps()) == 0 && !c.Ranking.Unscored {
		step, end := tr.Step(rag.StepRetrieve, "fetch_context", q.Text)
		step.Output, step.Latency = trace.Chunks(c.Ranking.Hits), max(c.Retrieval, 1)
		end()
	}
	if c.Answer, err = s.Answer(ctx, q, c.Ranking, tr); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// site names the file and line of the frame that panicked, without the folder, which differs between machines.
func site(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") && i+3 < len(lines) {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " ")
			return filepath.Base(place)
		}
	}
	return "unknown place"
}
