package systems

import (
	"context"
	"database/sql"

	"golang.org/x/sync/errgroup"

	"ragbench/internal/chunk"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// cutDocuments streams the documents of a dataset through the cutter, IngestWorkers at a time, and hands each to write in
// the order of the documents. A few documents are in memory at once, never the corpus.
func (e *Env) cutDocuments(ctx context.Context, datasetID int64, cutter *chunk.Cutter, write func(cut) error) error {
	type job struct {
		doc  rag.Document
		done chan cut
	}
	workers := max(1, e.IngestWorkers)
	todo, order := make(chan *job), make(chan *job, 4*workers)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		return e.DB.Read(ctx, func(tx *sql.Tx) error {
			return store.EachDocument(ctx, tx, datasetID, func(d *rag.Document) error {
				j := &job{doc: *d, done: make(chan cut, 1)}
				for _, queue := range []chan *job{order, todo} {
					select {
					case queue <- j:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				return nil
			})
		})
	})
	for range workers {
		g.Go(func() error {
			for j := range todo {
				done, err := e.cutOne(ctx, cutter, &j.doc)
				if err != nil {
					return err
				}
				j.done <- done
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			select {
			case done := <-j.done:
				if err := write(done); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}
