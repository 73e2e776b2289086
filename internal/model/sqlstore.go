package model

import (
	"context"
	"database/sql"
	"embed"
	"errors"

	"ragbench/internal/sqlfile"
)

//go:embed calls.sql
var sqlFiles embed.FS

var calls = sqlfile.MustLoad(sqlFiles, "calls.sql",
	"lookup_call", "insert_price", "find_price", "insert_call", "insert_part", "insert_prompt")

// DB is what SQLStore needs of the store: a function run in a read, and in a write transaction.
type DB interface {
	Read(ctx context.Context, f func(*sql.Tx) error) error
	Write(ctx context.Context, f func(*sql.Tx) error) error
}

// SQLStore is the call log in the tables model_calls, call_parts, prompts and prices.
type SQLStore struct{ db DB }

var _ CallStore = (*SQLStore)(nil)

// NewSQLStore returns the call log of an open file.
func NewSQLStore(db DB) *SQLStore { return &SQLStore{db} }

// Lookup implements CallStore.
func (s *SQLStore) Lookup(ctx context.Context, key Key) (*Stored, error) {
	var st *Stored
	err := s.db.Read(ctx, func(tx *sql.Tx) (err error) {
		st, err = scanStored(tx.QueryRowContext(ctx, calls.SQL("lookup_call"), key[:]))
		return err
	})
	return st, err
}

// Save implements CallStore.
func (s *SQLStore) Save(ctx context.Context, r *Record) (int64, error) {
	err := s.db.Write(ctx, func(tx *sql.Tx) error { return SaveCalls(ctx, tx, []*Record{r}) })
	return r.ID, err
}

// scanStored returns nil for no row.
func scanStored(row *sql.Row) (*Stored, error) {
	var st Stored
	err := row.Scan(&st.ID, &st.Status, &st.Response,
		&st.Usage.Prompt, &st.Usage.Completion, &st.Usage.Cached, &st.Usage.Reasoning, &st.LatencyMS)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &st, nil
}
