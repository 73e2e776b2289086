package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ragbench/internal/rag"
)

// FindIndex returns the index of a key and its number of chunks; rag.ErrNotFound when there is none.
func FindIndex(ctx context.Context, tx *sql.Tx, key string) (id int64, chunks int, err error) {
	err = tx.QueryRowContext(ctx, indexSQL.SQL("find_index"), sql.Named("key", key)).Scan(&id, &chunks)
	if errors.Is(err, sql.ErrNoRows) {
		err = rag.ErrNotFound
	}
	return id, chunks, err
}

// IndexKey is the SHA-256 of everything that decides the chunks of an index: the documents, the recipe and whatever
// else went in, such as the prompt of a model that wrote part of them.
func IndexKey(corpusSHA256, recipe string, more ...string) string {
	return digestOf(append([]string{corpusSHA256, recipe}, more...)...)
}

// ChunkWriter adds the chunks of one new index inside the transaction that makes it.
type ChunkWriter struct {
	IndexID int64
	Count   int
	ctx     context.Context
	tx      *sql.Tx
	put     *sql.Stmt
}

// NewIndex starts an index. Finish ends it; the caller's transaction makes it visible as a whole or not at all.
func NewIndex(ctx context.Context, tx *sql.Tx, key, corpusSHA256, recipe, tokenizer, now string) (*ChunkWriter, error) {
	w := &ChunkWriter{ctx: ctx, tx: tx}
	err := tx.QueryRowContext(ctx, indexSQL.SQL("put_index"), sql.Named("key", key), sql.Named("corpus_sha256", corpusSHA256),
		sql.Named("recipe", recipe), sql.Named("tokenizer", tokenizer), sql.Named("created_at", now)).Scan(&w.IndexID)
	if err != nil {
		return nil, fmt.Errorf("start index: %w", err)
	}
	if w.put, err = tx.PrepareContext(ctx, indexSQL.SQL("put_chunk")); err != nil {
		return nil, fmt.Errorf("start index: %w", err)
	}
	return w, nil
}

// Add writes a chunk and returns its id. parent is 0 for none.
func (w *ChunkWriter) Add(c *rag.Chunk, parent int64) (int64, error) {
	meta, err := metadataJSON(c.Metadata)
	if err != nil {
		return 0, fmt.Errorf("chunk %s: %w", c.Key, err)
	}
	sum := sha256.Sum256([]byte(c.Indexed()))
	var search, parentID any
	if c.SearchText != "" && c.SearchText != c.Text {
		search = c.SearchText
	}
	if parent != 0 {
		parentID = parent
	}
	res, err := w.put.ExecContext(w.ctx, w.IndexID, c.DocRowID, c.Key, string(c.Kind), c.Index, parentID, c.Start, c.End, c.Prefix,
		c.Text, search, sum[:], c.Tokens, meta)
	if err != nil {
		return 0, fmt.Errorf("store chunk %s: %w", c.Key, err)
	}
	w.Count++
	return res.LastInsertId()
}

// Finish records the number of chunks and the time it took.
func (w *ChunkWriter) Finish(buildMS float64) error {
	defer w.put.Close()
	_, err := w.tx.ExecContext(w.ctx, indexSQL.SQL("finish_index"), sql.Named("index_id", w.IndexID), sql.Named("num_chunks", w.Count), sql.Named("build_ms", buildMS))
	if err != nil {
		return fmt.Errorf("finish index: %w", err)
	}
	return nil
}

// Chunks returns the chunks of ids, in that order, in one query.
func (db *DB) Chunks(ctx context.Context, ids []int64) ([]rag.Chunk, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	arg, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	st, err := db.Prepare(ctx, indexSQL.SQL("get_chunks"))
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	rows, err := st.QueryContext(ctx, sql.Named("ids", string(arg)))
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	defer rows.Close()
	list := make([]rag.Chunk, 0, len(ids))
	for rows.Next() {
		var c rag.Chunk
		if err := rows.Scan(&c.RowID, &c.Key, &c.DocID, &c.DocRowID, &c.Kind, &c.Index, &c.Start, &c.End, &c.Prefix, &c.Text, &c.SearchText, &c.Tokens); err != nil {
			return nil, fmt.Errorf("read chunks: %w", err)
		}
		list = append(list, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	if len(list) != len(ids) {
		return nil, fmt.Errorf("read chunks: %d of %d are missing: %w", len(ids)-len(list), len(ids), rag.ErrNotFound)
	}
	return list, nil
}

// VectorUsage tells how many chunks of an index have a vector of an embedder, and the input tokens of all their texts,
// whichever system had them embedded.
func VectorUsage(ctx context.Context, tx *sql.Tx, indexID, embedderID int64) (vectors, tokens int, err error) {
	err = tx.QueryRowContext(ctx, indexSQL.SQL("vector_usage"), sql.Named("index_id", indexID), sql.Named("embedder_id", embedderID)).Scan(&vectors, &tokens)
	if err != nil {
		return 0, 0, fmt.Errorf("sum up vectors: %w", err)
	}
	return vectors, tokens, nil
}

// Built tells how many lexical analyses an index has, and whether its vectors in the space of an embedder are indexed.
func Built(ctx context.Context, tx *sql.Tx, indexID, embedderID int64) (analyses int, vectors bool, err error) {
	err = tx.QueryRowContext(ctx, indexSQL.SQL("count_built"), sql.Named("index_id", indexID), sql.Named("embedder_id", embedderID)).Scan(&analyses, &vectors)
	if err != nil {
		return 0, false, fmt.Errorf("look at index %d: %w", indexID, err)
	}
	return analyses, vectors, nil
}
