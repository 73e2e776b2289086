package report

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// board is the leaderboard. Columns are those that at least one system has a value for; Notes say why dashes are dashes.
type board struct {
	Groups  []columnGroup
	Columns []column
	Rows    []boardRow
	Notes   []string
}

// columnGroup is a heading over columns next to each other.
type columnGroup struct {
	Title string
	Span  int
}

// column is one measure. Better is high, low or empty where no direction is better.
type column struct {
	Key, Group, Title, Doc, Better string
	Max                            float64 // of the scale, for the bar; 0: no bar
	Format                         func(float64) string
}

// boardRow is one system.
type boardRow struct {
	System systemInfo
	N      boardCell
	Cells  []boardCell
}

// boardCell is a value or the reason for its absence.
type boardCell struct {
	Text, Sort, Why string
	Bar             int // width in percent, -1 where the column has no bar
	Best            bool
}

// measures are the values of one system by column key, and why one is missing.
type measures struct {
	values  map[string]float64
	n       map[string]int64 // answers behind a mean
	why     map[string]string
	ok, bad int64
}

// readBoard fills the leaderboard, and the sentences on top of the page.
func (p *page) readBoard(ctx context.Context, r reader, systems []systemInfo) error {
	all, err := readMeasures(ctx, r, systems)
	if err != nil {
		return err
	}
	p.measures = all
	for _, c := range columns(p.Run) {
		if !slices.ContainsFunc(systems, func(s systemInfo) bool { _, ok := all[s.ID].values[c.Key]; return ok }) {
			continue
		}
		p.Board.Columns = append(p.Board.Columns, c)
		if n := len(p.Board.Groups); n > 0 && p.Board.Groups[n-1].Title == c.Group {
			p.Board.Groups[n-1].Span++
		} else {
			p.Board.Groups = append(p.Board.Groups, columnGroup{c.Group, 1})
		}
	}
	order := slices.Clone(systems)
	slices.SortStableFunc(order, func(a, b systemInfo) int {
		x, okx := all[a.ID].values[p.Run.NDCG()]
		y, oky := all[b.ID].values[p.Run.NDCG()]
		if okx != oky {
			return cmp.Compare(btoi(oky), btoi(okx))
		}
		return cmp.Compare(y, x)
	})
	for _, s := range order {
		p.Board.Rows = append(p.Board.Rows, boardLine(p.Run, s, all[s.ID], p.Board.Columns))
	}
	markBest(p.Board.Rows, p.Board.Columns, all, p.Run.Primary())
	p.Board.Notes = boardNotes(p.Board.Rows)
	p.Glance = glance(p.Run, order, all)
	return nil
}

// boardLine is the row of a system.
func boardLine(run runInfo, s systemInfo, m *measures, columns []column) boardRow {
	scored := m.n[run.Primary()]
	row := boardRow{System: s, N: boardCell{Text: count(scored), Sort: fmt.Sprint(scored), Bar: -1}}
	row.N.Why = fmt.Sprintf("%s of %s have a %s", count(scored), plural(m.ok+m.bad, "answer", "answers"), run.Primary())
	if m.bad > 0 {
		row.N.Text += " + " + plural(m.bad, "error", "errors")
	}
	for _, c := range columns {
		v, ok := m.values[c.Key]
		if !ok {
			row.Cells = append(row.Cells, boardCell{Why: m.reason(s, c.Key), Bar: -1})
			continue
		}
		cell := boardCell{Text: c.Format(v), Sort: fmt.Sprint(v), Bar: -1}
		if c.Max > 0 {
			cell.Bar = int(min(max(100*v/c.Max, 0), 100) + 0.5)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// markBest marks the best text of each column that has a direction, among the systems that retrieve when any does: to
// do nothing is always fastest. Equal texts are marked alike, and a column without differences has no mark.
func markBest(rows []boardRow, columns []column, all map[int64]*measures, primary string) {
	retrieves := func(r boardRow) bool { _, ok := all[r.System.ID].values[primary]; return ok }
	if !slices.ContainsFunc(rows, retrieves) {
		retrieves = func(boardRow) bool { return true }
	}
	for i, c := range columns {
		best, found, differ := "", false, false
		var at float64
		for _, r := range rows {
			v, ok := all[r.System.ID].values[c.Key]
			if !ok || c.Better == "" || !retrieves(r) {
				continue
			}
			differ = differ || found && r.Cells[i].Text != best
			if !found || (c.Better == "high" && v > at) || (c.Better == "low" && v < at) {
				best, at, found = r.Cells[i].Text, v, true
			}
		}
		for j := range rows {
			rows[j].Cells[i].Best = differ && retrieves(rows[j]) && rows[j].Cells[i].Text == best
		}
	}
}

// boardNotes lists the reasons for dashes once each, with the systems they hold for.
func boardNotes(rows []boardRow) []string {
	var order []string
	of := map[string][]string{}
	for _, r := range rows {
		for _, c := range r.Cells {
			if c.Text != "" || slices.Contains(of[c.Why], r.System.Name) {
				continue
			}
			if of[c.Why] == nil {
				order = append(order, c.Why)
			}
			of[c.Why] = append(of[c.Why], r.System.Name)
		}
	}
	notes := make([]string, len(order))
	for i, why := range order {
		notes[i] = strings.Join(of[why], ", ") + ": " + why
	}
	return notes
}

func readMeasures(ctx context.Context, r reader, systems []systemInfo) (map[int64]*measures, error) {
	all := map[int64]*measures{}
	for _, s := range systems {
		all[s.ID] = &measures{values: map[string]float64{}, n: map[string]int64{}, why: map[string]string{}}
	}
	err := r.rows(ctx, "board", nil, func(rows *sql.Rows) error {
		var id, ok, bad int64
		keys := []string{"llm_tokens", "embedding_tokens", "cost", "p50", "p95", "latency"}
		values := make([]sql.NullFloat64, len(keys))
		if err := rows.Scan(&id, &ok, &bad, &values[0], &values[1], &values[2], &values[3], &values[4], &values[5]); err != nil {
			return err
		}
		all[id].ok, all[id].bad = ok, bad
		for i, v := range values {
			if v.Valid {
				all[id].values[keys[i]] = v.Float64
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = r.rows(ctx, "means", nil, func(rows *sql.Rows) error {
		var id, n int64
		var metric string
		var mean sql.NullFloat64
		if err := rows.Scan(&id, &metric, &n, &mean); err != nil {
			return err
		}
		if all[id].n[metric] = n; mean.Valid {
			all[id].values[metric] = mean.Float64
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, r.rows(ctx, "missing_reasons", nil, func(rows *sql.Rows) error {
		var id, n int64
		var metric, reason string
		if err := rows.Scan(&id, &metric, &reason, &n); err != nil {
			return err
		}
		if w := all[id].why[metric]; w != "" {
			reason = w + "; " + reason
		}
		all[id].why[metric] = reason
		return nil
	})
}

// reason says why a system has no value for a column.
func (m *measures) reason(s systemInfo, key string) string {
	if why := m.why[key]; why != "" {
		return why
	}
	switch {
	case s.Imported():
		return "an imported ranking has no answers, times or costs"
	case m.ok+m.bad == 0:
		return "no answers yet"
	case m.ok == 0:
		return "every answer failed"
	case key == "cost":
		return "a price is unknown"
	}
	return "not measured"
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
