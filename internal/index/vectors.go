package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/vec"
)

// blockBytes is about how much one row of vector_blocks holds. SQL reads a whole block to slice one vector out of it, so the
// view embeddings wants blocks small; a load reads them all in order, and gains little beyond this size.
const blockBytes = 64 << 10

// vectorsPerBlock is how many vectors of dims dimensions one row of vector_blocks holds.
func vectorsPerBlock(dims int) int {
	return min(max(blockBytes/(4*dims), 1), 256)
}

// Vector is the embedding of one text.
type Vector struct {
	Key       string            // of a chunk with that text, for messages
	SHA256    [sha256.Size]byte // of the text, as chunks.text_sha256
	Values    []float32
	Tokens    int  // input tokens, as charged
	Truncated bool // the model did not see all of the text
}

// Stored says what StoreVectors did.
type Stored struct {
	Added    int
	Known    int      // texts that had a vector: it stays as it was
	Warnings []string // one a vector that was left out, with its chunk and the reason
}

// EnsureEmbedder returns the id of a vector space and makes its row when there is none. Dims must be known.
func EnsureEmbedder(ctx context.Context, tx *sql.Tx, e rag.EmbedderInfo) (embedderID int64, err error) {
	if e.Dims <= 0 || e.Dims > vec.MaxDims {
		return 0, fmt.Errorf("store embedder %s:%s: %d dimensions, want 1 to %d", e.Provider, e.Model, e.Dims, vec.MaxDims)
	}
	args := []any{sql.Named("provider", e.Provider), sql.Named("model", e.Model), sql.Named("revision", e.Revision), sql.Named("dims", e.Dims),
		sql.Named("normalised", e.Normalised), sql.Named("prefix", e.Prefix), sql.Named("query_prefix", e.QueryPref)}
	if _, err := tx.ExecContext(ctx, vectorSQL.SQL("put_embedder"), args...); err != nil {
		return 0, fmt.Errorf("store embedder %s:%s: %w", e.Provider, e.Model, err)
	}
	if err := tx.QueryRowContext(ctx, vectorSQL.SQL("find_embedder"), args...).Scan(&embedderID); err != nil {
		return 0, fmt.Errorf("store embedder %s:%s: %w", e.Provider, e.Model, err)
	}
	return embedderID, nil
}

// StoreVectors keeps vectors of an embedder, one a text; a text that has one keeps it. A vector of the wrong length, with a NaN or
// an infinity, or with a length that float32 cannot square, is an error that names the chunk, and the caller is to roll back.
// A zero vector, as a hashing embedder gives for a text without words, has no direction: it is left out with a warning, and
// its chunk is never ranked. The embedder is rag.ErrNotFound when unknown.
func StoreVectors(ctx context.Context, tx *sql.Tx, embedderID int64, vectors []Vector) (Stored, error) {
	w, err := newVectorWriter(ctx, tx, embedderID)
	if err != nil {
		return Stored{}, fmt.Errorf("store vectors: %w", err)
	}
	defer w.close()
	for _, v := range vectors {
		if err := w.add(v); err != nil {
			return Stored{}, fmt.Errorf("store vector of chunk %s: %w", v.Key, err)
		}
	}
	return w.stored, w.flush()
}

// MissingText is a text of an index that has no vector.
type MissingText struct {
	Key    string // of the first chunk that has it
	SHA256 [sha256.Size]byte
	Text   string
}

// MissingTexts calls f with each distinct text of an index that lacks a vector of the embedder, in the order of the chunks,
// and stops at its first error. The texts are read as they are needed. Use a read transaction: what f stores meanwhile, in the
// write transaction, does not disturb it.
func MissingTexts(ctx context.Context, tx *sql.Tx, indexID, embedderID int64, f func(MissingText) error) error {
	rows, err := tx.QueryContext(context.WithoutCancel(ctx), vectorSQL.SQL("missing_texts"), sql.Named("index_id", indexID), sql.Named("embedder_id", embedderID))
	if err != nil {
		return fmt.Errorf("list texts without vectors: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var m MissingText
		var sum sql.RawBytes
		if err := rows.Scan(&sum, &m.Text, &m.Key); err != nil {
			return fmt.Errorf("list texts without vectors: %w", err)
		}
		copy(m.SHA256[:], sum)
		if err := f(m); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list texts without vectors: %w", err)
	}
	return nil
}

// BuildVector returns the id under which vector_search searches the chunks of an index in the space of an embedder, and how
// many chunks have no vector there; these are never found. It makes the row when there is none and brings its count up to
// date.
func BuildVector(ctx context.Context, tx *sql.Tx, indexID, embedderID int64) (vectorID int64, missing int, err error) {
	begin := time.Now()
	if _, _, err := chunkSpan(ctx, tx, indexID); err != nil {
		return 0, 0, fmt.Errorf("build vector index: %w", err)
	}
	ids := []any{sql.Named("index_id", indexID), sql.Named("embedder_id", embedderID)}
	var have int
	if err := tx.QueryRowContext(ctx, vectorSQL.SQL("count_vectors"), ids...).Scan(&have, &missing); err != nil {
		return 0, 0, fmt.Errorf("build vector index of index %d: %w", indexID, err)
	}
	args := append(ids, sql.Named("num_vectors", have), sql.Named("build_ms", float64(time.Since(begin).Microseconds())/1000))
	if _, err := tx.ExecContext(ctx, vectorSQL.SQL("put_vector_index"), args...); err != nil {
		return 0, 0, fmt.Errorf("build vector index of index %d: %w", indexID, err)
	}
	if err := tx.QueryRowContext(ctx, vectorSQL.SQL("find_vector_index"), ids...).Scan(&vectorID); err != nil {
		return 0, 0, fmt.Errorf("build vector index of index %d: %w", indexID, err)
	}
	return vectorID, missing, nil
}

// checkVector refuses what must neither be kept nor searched for. A zero vector is vec.ErrZero.
func checkVector(v []float32, dims int) error {
	if err := vec.Check(v, dims); err != nil {
		return err
	}
	if n := vec.Norm(v); n < 0x1p-40 || n > 0x1p60 {
		return fmt.Errorf("its length is %g, which float32 cannot square", n)
	}
	return nil
}

func isZero(err error) bool { return errors.Is(err, vec.ErrZero) }
