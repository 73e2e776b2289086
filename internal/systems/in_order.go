package systems

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// inOrder works on what source yields, several at a time, and hands each result to write in the order of the source, so
// that nothing written depends on the number of workers. A few items are in memory at once. The first error ends it.
func inOrder[T, R any](ctx context.Context, workers int, source func(ctx context.Context, yield func(T) error) error,
	work func(ctx context.Context, item T) (R, error), write func(item T, result R) error) error {
	type job struct {
		item T
		done chan R
	}
	workers = max(1, workers)
	todo, order := make(chan *job), make(chan *job, 4*workers)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		return source(ctx, func(item T) error {
			j := &job{item, make(chan R, 1)}
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
	for range workers {
		g.Go(func() error {
			for j := range todo {
				result, err := work(ctx, j.item)
				if err != nil {
					return err
				}
				j.done <- result
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			select {
			case result := <-j.done:
				if err := write(j.item, result); err != nil {
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
