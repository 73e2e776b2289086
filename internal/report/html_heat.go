package report

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// heat is one metric by system and category.
type heat struct {
	Title   string
	Columns []heatColumn
	Rows    []heatRow
}

// heatColumn is a category, its name written so that it can break over lines, with the largest number of answers that a mean in it stands on.
type heatColumn struct {
	Name, Exact string
	N           int64
}

// heatRow is a system.
type heatRow struct {
	Name  string
	Cells []heatCell
}

// heatCell is a mean, or the reason for its absence. Level is 0 to 100 for the shade.
type heatCell struct {
	Text, Why string
	N         int64
	Level     int
	Best      bool
}

// readHeats fills the tables of the primary recall and of nDCG by category. A dataset without categories has none.
func (p *page) readHeats(ctx context.Context, r reader, systems []systemInfo) error {
	type key struct {
		category string
		system   int64
		metric   string
	}
	type mean struct {
		n     int64
		value sql.NullFloat64
	}
	means := map[key]mean{}
	var categories []string
	extra := []any{sql.Named("first", p.Run.Primary()), sql.Named("second", p.Run.NDCG())}
	err := r.rows(ctx, "categories", extra, func(rows *sql.Rows) error {
		var k key
		var m mean
		if err := rows.Scan(&k.category, &k.system, &k.metric, &m.n, &m.value); err != nil {
			return err
		}
		if n := len(categories); n == 0 || categories[n-1] != k.category {
			categories = append(categories, k.category)
		}
		means[k] = m
		return nil
	})
	if err != nil {
		return err
	}
	if len(categories) == 0 || len(categories) == 1 && categories[0] == "" {
		return nil
	}
	for _, metric := range []string{p.Run.Primary(), p.Run.NDCG()} {
		h := heat{Title: title(metric)}
		for _, c := range categories {
			col := heatColumn{Name: strings.ReplaceAll(shown(c), "_", " "), Exact: shown(c)}
			if c == "" {
				col.Name = "(none)"
			}
			for _, s := range systems {
				col.N = max(col.N, means[key{c, s.ID, metric}].n)
			}
			h.Columns = append(h.Columns, col)
		}
		for _, s := range systems {
			row := heatRow{Name: s.Name}
			scored := false
			for _, c := range categories {
				m := means[key{c, s.ID, metric}]
				if !m.value.Valid {
					row.Cells = append(row.Cells, heatCell{Why: p.measures[s.ID].reason(s, metric)})
					continue
				}
				scored = true
				row.Cells = append(row.Cells, heatCell{Text: fmt.Sprintf("%.2f", m.value.Float64), N: m.n, Level: int(100*m.value.Float64 + 0.5)})
			}
			if scored {
				h.Rows = append(h.Rows, row)
			}
		}
		h.markBest()
		if len(h.Rows) > 0 {
			p.Heats = append(p.Heats, h)
		}
	}
	return nil
}

// markBest marks the highest text of each column, unless all are equal.
func (h *heat) markBest() {
	for i := range h.Columns {
		best, differ := "", false
		for _, r := range h.Rows {
			if c := r.Cells[i]; c.Text != "" {
				differ = differ || best != "" && c.Text != best
				best = max(best, c.Text)
			}
		}
		for j := range h.Rows {
			h.Rows[j].Cells[i].Best = differ && h.Rows[j].Cells[i].Text == best
		}
	}
}
