package report

import (
	"context"
	"database/sql"
	"fmt"
)

// reader runs the statements of html.sql. args are bound to each that does not bring its own.
type reader struct {
	q    Querier
	args []any
}

// rows calls scan for each row of a statement, with extra arguments beside the run.
func (r reader) rows(ctx context.Context, name string, extra []any, scan func(*sql.Rows) error) error {
	args := append(append([]any{}, r.args...), extra...)
	rows, err := r.q.QueryContext(ctx, htmlSQL.SQL(name), args...)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// one scans the only row of a statement; sql.ErrNoRows when there is none.
func (r reader) one(ctx context.Context, name string, extra []any, to ...any) error {
	found := false
	err := r.rows(ctx, name, extra, func(rows *sql.Rows) error {
		found = true
		return rows.Scan(to...)
	})
	if err == nil && !found {
		return fmt.Errorf("read %s: %w", name, sql.ErrNoRows)
	}
	return err
}
