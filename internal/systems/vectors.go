package systems

import (
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/sync/errgroup"

	"ragbench/internal/index"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// embedBatch is how many texts go into one embedding call.
const embedBatch = 96

// buildVectors embeds the chunks of an index that have no vector yet and returns the vector index. Every vector is
// charged, stored before or not: each system costs what it would have cost alone.
func (e *Env) buildVectors(ctx context.Context, indexID int64, rep *rag.IngestReport) (id int64, err error) {
	info, calls, err := e.vectorSpace(ctx)
	if err != nil {
		return 0, err
	}
	err = e.DB.Write(ctx, func(tx *sql.Tx) error {
		embedder, err := index.EnsureEmbedder(ctx, tx, info)
		if err != nil {
			return err
		}
		if _, err := e.SaveCalls(ctx, tx, calls); err != nil {
			return err
		}
		_, exists, err := store.Built(ctx, tx, indexID, embedder)
		if err != nil {
			return err
		}
		if !exists {
			if err := e.embedMissing(ctx, tx, indexID, embedder, rep); err != nil {
				return err
			}
		}
		if id, _, err = index.BuildVector(ctx, tx, indexID, embedder); err != nil {
			return err
		}
		record(rep, !exists, fmt.Sprintf("vectors %d", id))
		vectors, tokens, err := store.VectorUsage(ctx, tx, indexID, embedder)
		rep.Vectors = vectors
		rep.Usage.EmbeddingTokens += tokens
		rep.Usage.Embedding = rep.Usage.Embedding.Plus(e.EmbeddingCost(tokens))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("build the vector index: %w", err)
	}
	return id, nil
}

// vectorSpace returns the embedder's identity with its dimensions, which a model that is not known beforehand shows with
// its first vector.
func (e *Env) vectorSpace(ctx context.Context) (rag.EmbedderInfo, []rag.Call, error) {
	info := e.Embedder.Info()
	if info.Dims > 0 {
		return info, nil, nil
	}
	reply, err := e.Embedder.Embed(ctx, rag.EmbedRequest{Texts: []string{"How many dimensions?"}})
	if err != nil {
		return info, nil, fmt.Errorf("ask %s for its dimensions: %w", e.Embedder.Ref(), err)
	}
	info.Dims = len(reply.Vectors[0])
	return info, []rag.Call{reply.Call}, nil
}

// batch is one embedding call of ingestion.
type batch struct {
	texts []index.MissingText
	reply rag.EmbedReply
	done  chan error
}

// embedMissing embeds in batches, IngestWorkers calls at a time, and stores vectors and calls in the order of the texts.
func (e *Env) embedMissing(ctx context.Context, tx *sql.Tx, indexID, embedder int64, rep *rag.IngestReport) error {
	g, gctx := errgroup.WithContext(ctx)
	todo := make(chan *batch)
	order := make(chan *batch, max(1, e.IngestWorkers))
	g.Go(func() error {
		defer close(order)
		defer close(todo)
		return e.batches(gctx, indexID, embedder, order, todo)
	})
	for range max(1, e.IngestWorkers) {
		g.Go(func() error {
			for b := range todo {
				texts := make([]string, len(b.texts))
				for i, t := range b.texts {
					texts[i] = t.Text
				}
				var err error
				b.reply, err = e.Embedder.Embed(gctx, rag.EmbedRequest{Texts: texts})
				b.done <- err
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		for b := range order {
			select {
			case err := <-b.done:
				if err != nil {
					return err
				}
			case <-gctx.Done():
				return gctx.Err()
			}
			if err := e.storeBatch(gctx, tx, embedder, b, rep); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// batches reads the texts that lack a vector and hands them out, a batch at a time.
func (e *Env) batches(ctx context.Context, indexID, embedder int64, queues ...chan<- *batch) error {
	var texts []index.MissingText
	send := func() error {
		if len(texts) == 0 {
			return nil
		}
		b := &batch{texts: texts, done: make(chan error, 1)}
		texts = nil
		for _, queue := range queues {
			select {
			case queue <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}
	err := e.DB.Read(ctx, func(tx *sql.Tx) error {
		return index.MissingTexts(ctx, tx, indexID, embedder, func(t index.MissingText) error {
			if texts = append(texts, t); len(texts) < embedBatch {
				return nil
			}
			return send()
		})
	})
	if err != nil {
		return err
	}
	return send()
}

// storeBatch writes the vectors and the call of one batch.
func (e *Env) storeBatch(ctx context.Context, tx *sql.Tx, embedder int64, b *batch, rep *rag.IngestReport) error {
	vectors := make([]index.Vector, len(b.texts))
	for i, t := range b.texts {
		vectors[i] = index.Vector{Key: t.Key, SHA256: t.SHA256, Values: b.reply.Vectors[i], Tokens: b.reply.Tokens[i],
			Truncated: b.reply.Truncated != nil && b.reply.Truncated[i]}
	}
	stored, err := index.StoreVectors(ctx, tx, embedder, vectors)
	if err != nil {
		return err
	}
	for _, w := range stored.Warnings {
		rep.Warnings = append(rep.Warnings, rag.Warning{Code: "no_vector", Message: w})
	}
	_, err = e.SaveCalls(ctx, tx, []rag.Call{b.reply.Call})
	return err
}
