package systems

import (
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/sync/errgroup"

	"ragbench/internal/chunk"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// cutInOrder streams the documents of a dataset through the cutter, IngestWorkers at a time, and hands the chunks of each
// to write in the order of the documents. A few documents are in memory at once, never the corpus.
func (e *Env) cutInOrder(ctx context.Context, datasetID int64, cutter *chunk.Cutter, write func([]rag.Chunk) error) error {
	type job struct {
		doc  rag.Document
		done chan []rag.Chunk
	}
	workers := max(1, e.IngestWorkers)
	todo, order := make(chan *job), make(chan *job, 4*workers)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		return e.DB.Read(ctx, func(tx *sql.Tx) error {
			return store.EachDocument(ctx, tx, datasetID, func(d *rag.Document) error {
				j := &job{doc: *d, done: make(chan []rag.Chunk, 1)}
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
				chunks, err := cutter.Cut(ctx, &j.doc)
				if err != nil {
					return fmt.Errorf("chunk document %s: %w", j.doc.ID, err)
				}
				j.done <- chunks
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			select {
			case chunks := <-j.done:
				if err := write(chunks); err != nil {
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
