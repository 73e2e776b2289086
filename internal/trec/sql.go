package trec

import (
	"context"
	"database/sql"
	"fmt"
)

// Querier is the reading half of *sql.DB, *sql.Tx and *sql.Conn.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// one scans the single value of a named statement.
func one(ctx context.Context, q Querier, name string, dest any, args ...any) error {
	if err := q.QueryRowContext(ctx, statements.SQL(name), args...).Scan(dest); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// column returns the set of values of a one-column statement.
func column(ctx context.Context, q Querier, name string, args ...any) (map[string]bool, error) {
	set := map[string]bool{}
	err := each(ctx, q, name, func(rows *sql.Rows) error {
		var v string
		if err := rows.Scan(&v); err != nil {
			return err
		}
		set[v] = true
		return nil
	}, args...)
	return set, err
}

// answerIDs returns the answers of a system by question id.
func answerIDs(ctx context.Context, q Querier, systemID int64) (map[string]int64, error) {
	ids := map[string]int64{}
	err := each(ctx, q, "answers", func(rows *sql.Rows) error {
		var qid string
		var id int64
		if err := rows.Scan(&qid, &id); err != nil {
			return err
		}
		ids[qid] = id
		return nil
	}, sql.Named("system_id", systemID))
	return ids, err
}

// each runs a named statement and calls fn for every row of it.
func each(ctx context.Context, q Querier, name string, fn func(*sql.Rows) error, args ...any) error {
	rows, err := q.QueryContext(ctx, statements.SQL(name), args...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
