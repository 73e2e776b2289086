package report

import (
	"context"
	"database/sql"
)

// overlap says which system finds relevant documents that others miss. Rows[i].Cells[j] is how many documents row i
// finds and column j does not.
type overlap struct {
	Labels, Found int64
	Names         []string
	Rows          []overlapRow
}

// overlapRow is a system with all it found and what it alone found.
type overlapRow struct {
	Name         string
	Found, Alone int64
	Share        string // of the labels, in percent
	Cells        []overlapCell
}

// overlapCell is a count; Self marks the diagonal.
type overlapCell struct {
	N     int64
	Level int
	Self  bool
	Text  string
}

// readOverlap fills the matrix for the systems that retrieve. It is empty without labels or with a single such system.
func (p *page) readOverlap(ctx context.Context, r reader, systems []systemInfo) error {
	if err := r.one(ctx, "relevant", nil, &p.Overlap.Labels, &p.Overlap.Found); err != nil {
		return err
	}
	type pair struct{ a, b int64 }
	both := map[pair]int64{}
	alone := map[int64]int64{}
	err := r.rows(ctx, "overlap", nil, func(rows *sql.Rows) error {
		var k pair
		var n, only int64
		if err := rows.Scan(&k.a, &k.b, &n, &only); err != nil {
			return err
		}
		if both[k] = n; k.a == k.b {
			alone[k.a] = only
		}
		return nil
	})
	if err != nil {
		return err
	}
	list := searching(systems, p.measures, p.Run.Primary())
	if len(list) < 2 || p.Overlap.Labels == 0 {
		return nil
	}
	most := int64(1)
	for _, a := range list {
		for _, b := range list {
			most = max(most, both[pair{a.ID, a.ID}]-both[pair{a.ID, b.ID}])
		}
	}
	for _, a := range list {
		p.Overlap.Names = append(p.Overlap.Names, a.Name)
		found := both[pair{a.ID, a.ID}]
		row := overlapRow{Name: a.Name, Found: found, Alone: alone[a.ID], Share: percent(found, p.Overlap.Labels)}
		for _, b := range list {
			n := found - both[pair{a.ID, b.ID}]
			row.Cells = append(row.Cells, overlapCell{N: n, Level: int(100 * n / most), Self: a.ID == b.ID, Text: count(n)})
		}
		p.Overlap.Rows = append(p.Overlap.Rows, row)
	}
	return nil
}

// percent is a share in whole percent, "under 1 %" where it is not nothing.
func percent(part, whole int64) string {
	if whole == 0 {
		return "–"
	}
	n := (200*part + whole) / (2 * whole)
	if n == 0 && part > 0 {
		return "under 1 %"
	}
	return count(n) + " %"
}
