package model

import (
	"context"
	"database/sql"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"ragbench/internal/sqlfile"
)

//go:embed calls.sql
var sqlFiles embed.FS

var calls = sqlfile.MustLoad(sqlFiles, "calls.sql",
	"lookup_call", "lookup_failure", "learned", "insert_learned", "insert_vectors",
	"insert_price", "find_price", "insert_call", "insert_part", "insert_prompt")

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
	return s.find(ctx, "lookup_call", key)
}

// Failure implements CallStore.
func (s *SQLStore) Failure(ctx context.Context, key Key) (*Stored, error) {
	return s.find(ctx, "lookup_failure", key)
}

func (s *SQLStore) find(ctx context.Context, statement string, key Key) (*Stored, error) {
	var st *Stored
	err := s.db.Read(ctx, func(tx *sql.Tx) (err error) {
		st, err = scanStored(tx.QueryRowContext(ctx, calls.SQL(statement), key[:]))
		return err
	})
	return st, err
}

// Learned implements CallStore.
func (s *SQLStore) Learned(ctx context.Context) (list []Learned, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, calls.SQL("learned"))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var f Learned
			if err := rows.Scan(&f.Model, &f.BaseURL, &f.Parameter, &f.Instead, &f.Message); err != nil {
				return err
			}
			list = append(list, f)
		}
		return rows.Err()
	})
	return list, err
}

// Save implements CallStore.
func (s *SQLStore) Save(ctx context.Context, r *Record) (int64, error) {
	err := s.db.Write(ctx, func(tx *sql.Tx) error { return SaveCalls(ctx, tx, []*Record{r}) })
	return r.ID, err
}

// scanStored returns nil for no row.
func scanStored(row *sql.Row) (*Stored, error) {
	var st Stored
	var fault, tokens sql.NullString
	var dims sql.NullInt64
	var data []byte
	err := row.Scan(&st.ID, &st.Status, &st.Response, &fault, &st.Attempts,
		&st.Usage.Prompt, &st.Usage.Completion, &st.Usage.Cached, &st.Usage.Reasoning, &st.LatencyMS, &dims, &tokens, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	st.Error = fault.String
	if dims.Valid {
		st.Vectors = splitVectors(data, int(dims.Int64))
		if err := json.Unmarshal([]byte(tokens.String), &st.Tokens); err != nil {
			return nil, fmt.Errorf("tokens of call %d: %w", st.ID, err)
		}
	}
	return &st, nil
}

// appendVector writes a vector as float32, little-endian.
func appendVector(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// splitVectors reads vectors of dims numbers each.
func splitVectors(b []byte, dims int) [][]float32 {
	list := make([][]float32, len(b)/(4*dims))
	for i := range list {
		v := make([]float32, dims)
		for j := range v {
			v[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*dims+j):]))
		}
		list[i] = v
	}
	return list
}

// intsJSON writes numbers as a JSON list.
func intsJSON(list []int) string {
	b := []byte{'['}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}
