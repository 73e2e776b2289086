package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/vec"
)

// vectorWriter appends vectors to the blocks of an embedder. Slots refer to blocks, so a block is written before its slots.
type vectorWriter struct {
	ctx      context.Context
	tx       *sql.Tx
	embedder int64
	dims     int
	known    *sql.Stmt
	slots    *bulk

	block   int64 // the block being filled
	filled  int   // vectors in it, pending ones excluded; 0 means that its row is yet to be made
	pending []Vector
	sums    map[[32]byte]bool // of the pending
	stored  Stored
}

func newVectorWriter(ctx context.Context, tx *sql.Tx, embedderID int64) (w *vectorWriter, err error) {
	w = &vectorWriter{ctx: ctx, tx: tx, embedder: embedderID, sums: map[[32]byte]bool{}}
	err = tx.QueryRowContext(ctx, vectorSQL.SQL("embedder"), sql.Named("embedder_id", embedderID)).Scan(&w.dims)
	if errors.Is(err, sql.ErrNoRows) {
		err = rag.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("embedder %d: %w", embedderID, err)
	}
	err = tx.QueryRowContext(ctx, vectorSQL.SQL("last_block"), sql.Named("embedder_id", embedderID)).Scan(&w.block, &w.filled)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	w.skipFull()
	if w.known, err = tx.PrepareContext(ctx, vectorSQL.SQL("has_vector")); err != nil {
		return nil, err
	}
	if w.slots, err = newBulk(ctx, tx, "vector slot", vectorSQL.SQL("put_slot")); err != nil {
		w.known.Close()
		return nil, err
	}
	return w, nil
}

func (w *vectorWriter) close() {
	w.known.Close()
	w.slots.close()
}

// skipFull goes on to the next block when this one has no room.
func (w *vectorWriter) skipFull() {
	if w.filled >= vectorsPerBlock(w.dims) {
		w.block, w.filled = w.block+1, 0
	}
}

func (w *vectorWriter) add(v Vector) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	err := checkVector(v.Values, w.dims)
	if isZero(err) {
		w.stored.Warnings = append(w.stored.Warnings, fmt.Sprintf("chunk %s has no vector: %v", v.Key, err))
		return nil
	}
	if err != nil {
		return err
	}
	known := w.sums[v.SHA256]
	if !known {
		if err := w.known.QueryRowContext(context.WithoutCancel(w.ctx), w.embedder, v.SHA256[:]).Scan(&known); err != nil {
			return err
		}
	}
	if known {
		w.stored.Known++
		return nil
	}
	w.stored.Added++
	w.sums[v.SHA256] = true
	w.pending = append(w.pending, v)
	if w.filled+len(w.pending) < vectorsPerBlock(w.dims) {
		return nil
	}
	return w.flush()
}

// flush writes the pending vectors into the block and their slots.
func (w *vectorWriter) flush() error {
	if len(w.pending) == 0 {
		return nil
	}
	data := make([]byte, 0, 4*w.dims*len(w.pending))
	for _, v := range w.pending {
		data = append(data, vec.Encode(v.Values)...)
	}
	args := []any{sql.Named("embedder_id", w.embedder), sql.Named("block", w.block), sql.Named("num_vectors", len(w.pending)), sql.Named("data", data)}
	name := "extend_block"
	if w.filled == 0 {
		name, args = "put_block", append(args, sql.Named("dims", w.dims))
	}
	if _, err := w.tx.ExecContext(w.ctx, vectorSQL.SQL(name), args...); err != nil {
		return fmt.Errorf("store block %d: %w", w.block, err)
	}
	for i, v := range w.pending {
		if err := w.slots.put(w.embedder, v.SHA256[:], w.block, w.filled+i, v.Tokens, v.Truncated); err != nil {
			return err
		}
	}
	w.filled += len(w.pending)
	w.pending = w.pending[:0]
	clear(w.sums)
	w.skipFull()
	return nil
}
