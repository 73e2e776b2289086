// Package report turns rows into what people read: aligned tables, Markdown, CSV and JSON.
package report

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Table is a query's result. A cell is nil, int64, float64, string or []byte.
type Table struct {
	Columns []string
	Rows    [][]any
}

// Query runs one statement and reads all its rows.
func Query(ctx context.Context, q interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}, text string, args ...any) (Table, error) {
	var t Table
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return t, err
	}
	defer rows.Close()
	if t.Columns, err = rows.Columns(); err != nil {
		return t, err
	}
	for rows.Next() {
		cells := make([]any, len(t.Columns))
		to := make([]any, len(cells))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, cells)
	}
	return t, rows.Err()
}

// Cell is the text of a value: a dash for NULL, four significant decimals for a fraction, BLOBs by their size. Control
// characters, which a document may hold to trick a terminal, are written as escapes.
func Cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case float64:
		return number(v)
	case []byte:
		return fmt.Sprintf("<%d bytes>", len(v))
	case string:
		return visible(v)
	default:
		return fmt.Sprint(v)
	}
}

// number writes a score with four decimals, a large value with fewer.
func number(v float64) string {
	switch a := math.Abs(v); {
	case v == math.Trunc(v) && a < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.001:
		return strconv.FormatFloat(v, 'f', 4, 64)
	default:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
}

// visible escapes what a terminal would act on.
func visible(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case unsafeRune(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unsafeRune holds for control characters and those that change the direction of text.
func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// isNumber tells whether every cell of a column that is not NULL is a number.
func (t Table) isNumber(column int) bool {
	found := false
	for _, row := range t.Rows {
		switch row[column].(type) {
		case nil:
		case int64, float64:
			found = true
		default:
			return false
		}
	}
	return found
}

// Upright turns columns into rows, for a table of one wide row.
func (t Table) Upright() Table {
	up := Table{Columns: []string{"", "value"}}
	for _, row := range t.Rows {
		for i, c := range t.Columns {
			up.Rows = append(up.Rows, []any{c, Cell(row[i])})
		}
	}
	return up
}
