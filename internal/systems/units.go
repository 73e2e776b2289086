package systems

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/text/tokens"
)

// unitIndex is an index of what a system retrieves in place of the chunks of a chunker: parents, children, sentences.
type unitIndex struct {
	name   string // in the plural, for messages and reports
	recipe string // JSON: all that decides the units, beside the corpus
	fill   func(ctx context.Context, w *store.ChunkWriter) error
}

// build returns the index, making it in one transaction when the file lacks it, and adds its rows to the report.
func (u unitIndex) build(ctx context.Context, e *Env, c rag.Corpus, rep *rag.IngestReport) (id int64, err error) {
	key := store.IndexKey(c.SHA256, u.recipe)
	var n int
	err = e.DB.Read(ctx, func(tx *sql.Tx) error {
		id, n, err = store.FindIndex(ctx, tx, key)
		return err
	})
	switch {
	case err == nil:
		rep.Reused = append(rep.Reused, u.name+" "+key)
	case errors.Is(err, rag.ErrNotFound):
		start := e.Now()
		err = e.DB.Write(ctx, func(tx *sql.Tx) error {
			w, err := store.NewIndex(ctx, tx, key, c.SHA256, u.recipe, tokens.Default, start.UTC().Format(time.RFC3339))
			if err != nil {
				return err
			}
			if err := u.fill(ctx, w); err != nil {
				return err
			}
			id, n = w.IndexID, w.Count
			return w.Finish(ms(e.Now().Sub(start)))
		})
		if err != nil {
			return 0, fmt.Errorf("build the %s: %w", u.name, err)
		}
		rep.Built = append(rep.Built, u.name+" "+key)
	default:
		return 0, fmt.Errorf("find the %s: %w", u.name, err)
	}
	rep.Chunks += n
	return id, nil
}

// cutUnits cuts the documents of a dataset, several at a time, and writes what cut makes of each in the order of the
// documents.
func (e *Env) cutUnits(ctx context.Context, datasetID int64, w *store.ChunkWriter, cut func(context.Context, rag.Document) ([]rag.Chunk, error)) error {
	return inOrder(ctx, e.IngestWorkers, func(ctx context.Context, yield func(rag.Document) error) error {
		return e.DB.Read(ctx, func(tx *sql.Tx) error {
			return store.EachDocument(ctx, tx, datasetID, func(d *rag.Document) error { return yield(*d) })
		})
	}, cut, func(_ rag.Document, chunks []rag.Chunk) error {
		for i := range chunks {
			if _, err := w.Add(&chunks[i], 0); err != nil {
				return err
			}
		}
		return nil
	})
}
