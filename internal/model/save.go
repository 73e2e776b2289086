package model

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const timeFormat = "2006-01-02T15:04:05.000Z"

// SaveCalls stores the records that did not come out of the store and gives each its ID. A record whose reply is stored
// already, because another question made the same request, gets the ID of that row; when the stored reply is another
// one (a sampled request made twice), it is stored under the key of the next occurrence. The IDs hold once tx commits;
// after a rollback the same records can be stored again.
func SaveCalls(ctx context.Context, tx *sql.Tx, records []*Record) error {
	s := newSaver(ctx, tx)
	defer s.close()
	for _, r := range records {
		if r.stored {
			continue
		}
		if err := s.save(r); err != nil {
			return fmt.Errorf("store %s call to %s: %w", r.Kind, r.Requested, err)
		}
		r.saved.Store(true)
	}
	return nil
}

// SavePrices stores prices. A different price under the same model, date and source is an error, so that a stored cost
// can always be traced to what it was computed with.
func SavePrices(ctx context.Context, tx *sql.Tx, prices []Price) error {
	s := newSaver(ctx, tx)
	defer s.close()
	for i := range prices {
		if _, err := s.price(&prices[i]); err != nil {
			return err
		}
	}
	return nil
}

// saver holds the statements of one transaction, prepared when first needed.
type saver struct {
	ctx    context.Context
	tx     *sql.Tx
	stmts  map[string]*sql.Stmt
	prices map[*Price]int64
}

func newSaver(ctx context.Context, tx *sql.Tx) *saver {
	return &saver{ctx, tx, map[string]*sql.Stmt{}, map[*Price]int64{}}
}

func (s *saver) close() {
	for _, st := range s.stmts {
		st.Close()
	}
}

func (s *saver) stmt(name string) (*sql.Stmt, error) {
	if st := s.stmts[name]; st != nil {
		return st, nil
	}
	st, err := s.tx.PrepareContext(s.ctx, calls.SQL(name))
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", name, err)
	}
	s.stmts[name] = st
	return st, nil
}

// exec runs a statement and returns how many rows it changed and the id of the last inserted.
func (s *saver) exec(name string, args ...any) (rows, id int64, err error) {
	st, err := s.stmt(name)
	if err != nil {
		return 0, 0, err
	}
	res, err := st.ExecContext(s.ctx, args...)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	if rows, err = res.RowsAffected(); err != nil {
		return 0, 0, err
	}
	id, err = res.LastInsertId()
	return rows, id, err
}

func (s *saver) save(r *Record) error {
	key := r.Key
	for n := 1; ; n++ {
		id, err := s.insert(r, key)
		if err != nil {
			return err
		}
		if id != 0 {
			r.ID = id
			return s.beside(r)
		}
		st, err := s.stmt("lookup_call")
		if err != nil {
			return err
		}
		old, err := scanStored(st.QueryRowContext(s.ctx, key[:]))
		if err != nil {
			return fmt.Errorf("lookup_call: %w", err)
		}
		if old == nil {
			return fmt.Errorf("key %x is taken by no call", key[:4]) // unreachable: the conflict names a row
		}
		if old.Status == r.Status && old.Response == r.Response {
			r.ID = old.ID
			return nil
		}
		key = r.Key.occurrence(n)
	}
}

// beside writes what belongs to a new call: its messages, the vectors that are kept with it, what it taught.
func (s *saver) beside(r *Record) error {
	if err := s.parts(r.ID, r.Parts); err != nil {
		return err
	}
	if len(r.Vectors) > 0 {
		data := make([]byte, 0, 4*len(r.Vectors)*len(r.Vectors[0]))
		for _, v := range r.Vectors {
			data = appendVector(data, v)
		}
		if _, _, err := s.exec("insert_vectors", r.ID, len(r.Vectors[0]), intsJSON(r.Tokens), data); err != nil {
			return err
		}
	}
	for _, f := range r.Learned {
		_, _, err := s.exec("insert_learned", f.Model, f.BaseURL, f.Parameter, f.Instead, f.Message, r.CreatedAt.UTC().Format(timeFormat))
		if err != nil {
			return err
		}
	}
	return nil
}

// insert returns 0 when the key is taken.
func (s *saver) insert(r *Record, key Key) (int64, error) {
	price, err := s.price(r.Price)
	if err != nil {
		return 0, err
	}
	cost := sql.NullFloat64{Float64: r.Cost.USD, Valid: !r.Cost.Unknown}
	fault := sql.NullString{String: r.Error, Valid: r.failed()}
	run := sql.NullInt64{Int64: r.RunID, Valid: r.RunID != 0}
	rows, id, err := s.exec("insert_call",
		key[:], r.Kind, r.Purpose, r.Requested, r.Used, r.BaseURL, r.Request, r.Response, r.Status, fault, r.Attempts,
		r.Usage.Prompt, r.Usage.Completion, r.Usage.Cached, r.Usage.Reasoning, r.LatencyMS, price, cost, run,
		r.CreatedAt.UTC().Format(timeFormat))
	if err != nil || rows == 0 {
		return 0, err
	}
	return id, nil
}

// parts tries the link first: most texts are stored already, as the same passages come again and again.
func (s *saver) parts(id int64, parts []Part) error {
	for i := range parts {
		p := &parts[i]
		n, _, err := s.exec("insert_part", id, i, p.Message, p.Role, p.SHA256[:])
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if _, _, err := s.exec("insert_prompt", p.SHA256[:], p.Text); err != nil {
			return err
		}
		if n, _, err = s.exec("insert_part", id, i, p.Message, p.Role, p.SHA256[:]); err != nil {
			return err
		}
		if n != 1 {
			return fmt.Errorf("part %d was not stored", i) // unreachable: its text has just been stored
		}
	}
	return nil
}

// price returns the row of a price, NULL for none.
func (s *saver) price(p *Price) (id sql.NullInt64, err error) {
	if p == nil {
		return id, nil
	}
	if known, ok := s.prices[p]; ok {
		return sql.NullInt64{Int64: known, Valid: true}, nil
	}
	args := []any{p.Model, p.AsOf, p.Source, p.Input, p.Output, p.Cached, p.Reasoning}
	if _, _, err := s.exec("insert_price", args...); err != nil {
		return id, err
	}
	st, err := s.stmt("find_price")
	if err != nil {
		return id, err
	}
	err = st.QueryRowContext(s.ctx, args...).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return id, fmt.Errorf("the file holds another price of %s as of %s from %q", p.Model, p.AsOf, p.Source)
	}
	if err != nil {
		return id, fmt.Errorf("find_price: %w", err)
	}
	s.prices[p] = id.Int64
	return id, nil
}
