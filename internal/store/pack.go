package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// CopyTo writes a copy of the file as it is now, whole and without gaps, to a path where nothing is yet.
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if db.writer == nil {
		return errors.New("copy: the file is open read-only")
	}
	if _, err := db.writer.ExecContext(ctx, packSQL.SQL("vacuum_into"), sql.Named("path", path)); err != nil {
		return fmt.Errorf("copy the file: %w", err)
	}
	return nil
}

// Vacuum gives the space of deleted rows back.
func (db *DB) Vacuum(ctx context.Context) error {
	if db.writer == nil {
		return errors.New("vacuum: the file is open read-only")
	}
	if _, err := db.writer.ExecContext(ctx, packSQL.SQL("vacuum")); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	return nil
}

// Check runs SQLite's own checks of the pages, the constraints and the foreign keys.
func (db *DB) Check(ctx context.Context) error {
	var faults []string
	err := each(ctx, db.reader, packSQL.SQL("integrity"), func(rows *sql.Rows) error {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		if line != "ok" {
			faults = append(faults, line)
		}
		return nil
	})
	if err == nil {
		err = each(ctx, db.reader, packSQL.SQL("broken_keys"), func(rows *sql.Rows) error {
			var table, parent string
			var row sql.NullInt64
			var key int
			if err := rows.Scan(&table, &row, &parent, &key); err != nil {
				return err
			}
			faults = append(faults, fmt.Sprintf("row %d of %s refers to no row of %s", row.Int64, table, parent))
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("check the file: %w", err)
	}
	if len(faults) > 0 {
		return fmt.Errorf("check the file: %s", strings.Join(faults[:min(len(faults), 10)], "; "))
	}
	return nil
}

// EachText calls f with every text of at least 8 bytes in the file, and with its place: row counts the texts of a column
// from 1. An error of f ends it.
func (db *DB) EachText(ctx context.Context, f func(table, column string, row int64, text string) error) error {
	var columns [][2]string
	err := each(ctx, db.reader, packSQL.SQL("text_columns"), func(rows *sql.Rows) error {
		var c [2]string
		columns = append(columns, c)
		return rows.Scan(&columns[len(columns)-1][0], &columns[len(columns)-1][1])
	})
	if err != nil {
		return fmt.Errorf("list columns: %w", err)
	}
	for _, c := range columns {
		quote := strings.NewReplacer("file_info.value", quoted(c[1]), "file_info", quoted(c[0]))
		var n int64
		err := each(ctx, db.reader, quote.Replace(packSQL.SQL("texts")), func(rows *sql.Rows) error {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			n++
			return f(c[0], c[1], n, text)
		})
		if err != nil {
			return fmt.Errorf("%s.%s: %w", c[0], c[1], err)
		}
	}
	return nil
}

// quoted is a name as SQL has it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// each runs a query and calls f on every row.
func each(ctx context.Context, db *sql.DB, query string, f func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
