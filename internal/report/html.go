package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/sqlfile"
)

//go:embed html.sql html.css html.js html*.tmpl
var htmlFiles embed.FS

var htmlSQL = sqlfile.MustLoad(htmlFiles, "html.sql", "newest_run", "run", "trust", "warnings", "systems", "board", "means",
	"missing_reasons", "categories", "stages", "overlap", "relevant", "failure_counts", "failures", "questions",
	"question_cells", "labels", "answers", "hits", "steps", "example_board", "example_lists", "example_schema")

var htmlPage = template.Must(template.New("html.tmpl").Funcs(htmlFuncs).ParseFS(htmlFiles, "html*.tmpl"))

// htmlFuncs are what the templates compute themselves.
var htmlFuncs = template.FuncMap{
	"count": func(n any) string {
		if i, ok := n.(int); ok {
			return count(int64(i))
		}
		return count(n.(int64))
	},
	"sub": func(a, b int64) int64 { return a - b },
}

// Querier is what the page is read through: a transaction, so that all of it is of one moment, or a pool.
type Querier interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

// Options says which run becomes a page and how large that may be.
type Options struct {
	RunID        int64  // 0: the newest
	Title        string // heading and title of the page; default: the name of the run
	File         string // the file as the commands of the page name it; default: NAME.db, as a run makes it
	MaxQuestions int    // questions in the explorer; 0: as many as MaxBytes holds
	MaxBytes     int    // size of the data of the explorer; 0: 4 MB
}

// WriteHTML writes a run as one HTML page that needs nothing else: style, script, charts and data are inside, and the page
// forbids itself every connection. All text is inserted as text. The same rows give the same bytes. The error of an
// unknown run, and that of a file without one, wraps rag.ErrNotFound; nothing is written before all has been read.
func WriteHTML(ctx context.Context, q Querier, w io.Writer, o Options) error {
	p, err := buildPage(ctx, reader{q: q}, o)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var b bytes.Buffer
	if err := htmlPage.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// page is what the templates show.
type page struct {
	Title     string
	Run       runInfo
	Trust     []notice
	Warnings  []warning
	Board     board
	Glance    []fact
	Tradeoffs []scatter
	Curve     curve
	Heats     []heat
	Stages    []stageChart
	StageRows []stageRow
	Ingested  []ingested
	Overlap   overlap
	Failures  failureTable
	Questions explorer
	Repro     repro
	CSS       template.CSS
	JS        template.JS
	Policy    string

	measures map[int64]*measures // by system, for the charts
}

// HasCosts tells whether any stage has a cost above 0.
func (p page) HasCosts() bool { return len(p.Stages) > 1 }

// Unpriced tells whether a stage has an unknown cost.
func (p page) Unpriced() bool {
	return slices.ContainsFunc(p.StageRows, func(r stageRow) bool { return !r.cost.Valid })
}

// buildPage reads everything the page shows.
func buildPage(ctx context.Context, r reader, o Options) (page, error) {
	var p page
	if o.RunID == 0 {
		newest := sql.NullInt64{}
		if err := r.one(ctx, "newest_run", nil, &newest); err != nil {
			return p, err
		}
		if !newest.Valid {
			return p, fmt.Errorf("the file holds no run: %w", rag.ErrNotFound)
		}
		o.RunID = newest.Int64
	}
	r.args = []any{sql.Named("run_id", o.RunID)}
	run, err := readRun(ctx, r)
	if errors.Is(err, sql.ErrNoRows) {
		return p, fmt.Errorf("run %d: %w", o.RunID, rag.ErrNotFound)
	}
	if err != nil {
		return p, err
	}
	p.Run = run
	if p.Title = shown(o.Title); p.Title == "" {
		p.Title = run.Name
	}
	if o.File == "" {
		o.File = run.Name + ".db"
	}
	systems, err := readSystems(ctx, r)
	if err != nil {
		return p, err
	}
	for _, part := range []func() error{
		func() error { return p.readTrust(ctx, r) },
		func() error { return p.readBoard(ctx, r, systems) },
		func() error { return p.readHeats(ctx, r, systems) },
		func() error { return p.readStages(ctx, r, systems) },
		func() error { return p.readOverlap(ctx, r, systems) },
		func() error { return p.readFailures(ctx, r, systems) },
		func() (err error) { p.Questions, err = readExplorer(ctx, r, run, systems, o); return err },
	} {
		if err := part(); err != nil {
			return p, err
		}
	}
	p.chart(systems)
	p.Repro = newRepro(run, systems, o.File)
	return p, p.embed()
}

// embed puts style and script in. The policy lets this one script run, and nothing load.
func (p *page) embed() error {
	css, err := htmlFiles.ReadFile("html.css")
	if err != nil {
		return err
	}
	js, err := htmlFiles.ReadFile("html.js")
	if err != nil {
		return err
	}
	script := "\n" + strings.TrimSpace(string(js)) + "\n"
	sum := sha256.Sum256([]byte(script))
	p.CSS, p.JS = template.CSS(css), template.JS(script)
	p.Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	return nil
}
