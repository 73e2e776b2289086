package bench

import (
	"context"
	"database/sql"
	"slices"
	"sync"

	"ragbench/internal/store"
)

// writer stores finished cells, each in a transaction of its own, and counts them.
type writer struct {
	env Env
	st  *store.AnswerWriter

	mu               sync.Mutex
	answered, failed int
}

func newWriter(ctx context.Context, env Env) (*writer, error) {
	st, err := env.DB.NewAnswerWriter(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{env: env, st: st}, nil
}

// put writes a cell with the calls it made.
func (w *writer) put(ctx context.Context, c *cell) error {
	err := w.env.DB.Write(ctx, func(tx *sql.Tx) error {
		if len(c.calls) > 0 {
			ids, err := w.env.SaveCalls(ctx, tx, c.calls)
			if err != nil {
				return err
			}
			for _, n := range c.spans {
				c.CallIDs = append(c.CallIDs, slices.Concat(ids[:n]...))
				ids = ids[n:]
			}
		}
		return w.st.Put(ctx, tx, &c.AnswerInput)
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered++
	if c.Err != "" {
		w.failed++
	}
	return nil
}

// close frees the statements.
func (w *writer) close() error {
	w.st.Close()
	return nil
}
