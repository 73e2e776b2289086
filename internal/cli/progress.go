package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"ragbench/internal/rag"
)

// progress shows a run on stderr: a table that is drawn again in place on a terminal, a line now and then elsewhere.
type progress struct {
	w    io.Writer
	now  func() time.Time
	live bool

	mu     sync.Mutex
	rows   []*progressRow
	byName map[string]*progressRow
	drawn  int
	last   time.Time
}

// progressRow is one system.
type progressRow struct {
	name          string
	done, total   int
	failed        int
	start, finish time.Time
}

// newProgress draws in place only on a terminal that can, and not in CI.
func newProgress(w io.Writer, getenv func(string) string, now func() time.Time) *progress {
	file, ok := w.(*os.File)
	live := ok && term.IsTerminal(int(file.Fd())) && getenv("TERM") != "dumb" && getenv("CI") == ""
	return &progress{w: w, now: now, live: live, byName: map[string]*progressRow{}}
}

func (p *progress) Ingesting(string) {}

func (p *progress) Ingested(system string, r rag.IngestReport, wall time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "%s in %.2f s\n", ingested(system, r), wall.Seconds())
}

func (p *progress) Started(system string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := &progressRow{name: system, done: done, total: total, start: p.now()}
	p.rows = append(p.rows, row)
	p.byName[system] = row
	p.draw(true)
}

func (p *progress) Asked(system string, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := p.byName[system]
	row.done++
	if failed {
		row.failed++
	}
	if row.done == row.total {
		row.finish = p.now()
	}
	p.draw(row.done == row.total)
}

// draw shows the state: at most ten times a second on a terminal, every ten seconds and at the end of a system elsewhere.
func (p *progress) draw(important bool) {
	pause := 10 * time.Second
	if p.live {
		pause = 100 * time.Millisecond
	}
	now := p.now()
	if now.Sub(p.last) < pause && (p.live || !important) {
		return
	}
	p.last = now
	if p.live {
		p.redraw(now)
		return
	}
	for _, r := range p.rows {
		if !r.finish.IsZero() && r.total >= 0 {
			fmt.Fprintln(p.w, r.line(now))
			r.total = -r.total // shown once
		} else if r.total > 0 && !important {
			fmt.Fprintln(p.w, r.line(now))
		}
	}
}

// redraw writes the table over the one before.
func (p *progress) redraw(now time.Time) {
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", p.drawn)
	}
	for _, r := range p.rows {
		b.WriteString("\x1b[2K" + r.line(now) + "\n")
	}
	p.drawn = len(p.rows)
	io.WriteString(p.w, b.String())
}

// line is one system's state.
func (r *progressRow) line(now time.Time) string {
	end := now
	if !r.finish.IsZero() {
		end = r.finish
	}
	total := max(r.total, -r.total)
	took := end.Sub(r.start).Seconds()
	text := fmt.Sprintf("%-28s %6d/%d", r.name, r.done, total)
	if took > 0 && r.done > 0 {
		text += fmt.Sprintf("  %7.1f questions/s", float64(r.done)/took)
	}
	if r.failed > 0 {
		text += fmt.Sprintf("  %d failed", r.failed)
	}
	return text
}

// note writes a line of its own above the table.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintln(p.w, text)
	p.drawn = 0 // the table goes on below
}

// close shows the last state.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live && len(p.rows) > 0 {
		p.redraw(p.now())
	}
}
