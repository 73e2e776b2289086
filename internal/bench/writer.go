package bench

import (
	"context"
	"database/sql"
	"sync"

	"ragbench/internal/store"
)

// writer stores finished cells, each in a transaction of its own, and counts them.
type writer struct {
	env Env
	st  *store.AnswerWriter

	mu               sync.Mutex
	answered, failed int
	bySystem         map[int64]int // cells written
}

func newWriter(ctx context.Context, env Env) (*writer, error) {
	st, err := env.DB.NewAnswerWriter(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{env: env, st: st, bySystem: map[int64]int{}}, nil
}

// put writes a cell with the calls it made.
func (w *writer) put(ctx context.Context, c *cell) error {
	err := w.env.DB.Write(ctx, func(tx *sql.Tx) error {
		if len(c.calls) > 0 {
			ids, err := w.env.SaveCalls(ctx, tx, c.calls)
			if err != nil {
				return err
			}
			c.Calls = stepCalls(c, ids)
		}
		return w.st.Put(ctx, tx, &c.AnswerInput)
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered++
	w.bySystem[c.Cell.SystemID]++
	if c.Err != "" {
		w.failed++
	}
	return nil
}

// keep stores the calls of a cell that was given up: their replies were paid for and will be asked for again.
func (w *writer) keep(ctx context.Context, c *cell) error {
	if len(c.calls) == 0 {
		return nil
	}
	return w.env.DB.Write(ctx, func(tx *sql.Tx) error {
		_, err := w.env.SaveCalls(ctx, tx, c.calls)
		return err
	})
}

// stepCalls says, for each step of a cell, which rows its calls have and how they count.
func stepCalls(c *cell, ids [][]int64) [][]store.StepCall {
	out := make([][]store.StepCall, len(c.spans))
	at := 0
	for i, n := range c.spans {
		for ; n > 0; n-- {
			call := c.calls[at]
			for _, id := range ids[at] {
				out[i] = append(out[i], store.StepCall{ID: id, Cached: call.Cached, Booked: booked(&c.Steps[i], call)})
			}
			at++
		}
	}
	return out
}

// close frees the statements.
func (w *writer) close() { w.st.Close() }
