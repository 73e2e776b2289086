package cli

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
	"ragbench/internal/score"
	"ragbench/internal/spec"
	"ragbench/internal/sqlfile"
)

//go:embed whatif.sql
var whatIfFiles embed.FS

var whatIfSQL = sqlfile.MustLoad(whatIfFiles, "whatif.sql", "shadow", "find_system", "fuse", "merge", "roll_up", "question_texts", "put_hit", "compare",
	"contexts", "unshadow")

// whatIfFlags are the flags of whatif.
type whatIfFlags struct {
	system    string
	set       []string
	questions bool
	format    string
}

func (a *app) whatIfCommand() *cobra.Command {
	var o whatIfFlags
	cmd := &cobra.Command{
		Use:   "whatif [RUN] --system NAME --set KEY=VALUE",
		Short: "What a system of a run would have retrieved with other settings, without a call",
		Long: "whatif computes the rankings of one system anew from the lists that the run kept, and its retrieval metrics by the statements that\n" +
			"scored the run, and says how many answers would have read something else. Nothing is searched, no model is called, and the file\n" +
			"is not changed. Setting mmr_lambda or mmr_candidates turns diversity: mmr on. What can be set, by the type of the system:\n\n" + whatIfHelp(),
		Example: `  ragbench whatif --system hybrid --set rrf_k=10 --set bm25_weight=2
  ragbench whatif demo --system hybrid --set mmr_lambda=.7 --questions
  ragbench whatif --system hybrid_rerank --set reranker=simple_keyword_overlap --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.whatIf(cmd.Context(), args, o) },
	}
	cmd.Flags().StringVar(&o.system, "system", "", "the system, by its name in the run")
	cmd.Flags().StringArrayVar(&o.set, "set", nil, "a setting, such as rrf_k=10; may be given several times; none: the stored settings")
	cmd.Flags().BoolVar(&o.questions, "questions", false, "list the questions whose answers would have read something else")
	formatFlag(cmd, &o.format)
	return cmd
}

// whatIfResult is what whatif prints as JSON.
type whatIfResult struct {
	Run       int64            `json:"run_id"`
	System    string           `json:"system"`
	Set       []string         `json:"set"`
	Answers   int              `json:"answers"`
	Contexts  int              `json:"other_contexts"`      // answers that would have read other chunks, or the same in another order
	Reordered int              `json:"other_order_only"`    // those of them with the same chunks
	Metrics   []whatIfMetric   `json:"metrics"`             // in the order of the table of metrics
	Questions []whatIfQuestion `json:"questions,omitempty"` // those of other contexts, in the order of the dataset
}

type whatIfMetric struct {
	Metric     string  `json:"metric"`
	N          int     `json:"n"`
	Stored     float64 `json:"stored"`
	WhatIf     float64 `json:"what_if"`
	Difference float64 `json:"difference"`
	Wins       int     `json:"wins"`
	Losses     int     `json:"losses"`
}

type whatIfQuestion struct {
	ID        string   `json:"qid"`
	Question  string   `json:"question"`
	Read      []string `json:"read"` // documents of the chunks, in order
	WouldRead []string `json:"would_read"`
}

func (a *app) whatIf(ctx context.Context, args []string, o whatIfFlags) error {
	f, err := a.existing(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	w, err := findWhatIf(ctx, f, id, o.system, o.set)
	if err != nil {
		return err
	}
	res := whatIfResult{Run: id, System: w.name, Set: append([]string{}, o.set...)}
	if err := w.run(ctx, func(tx *sql.Tx, _ []ranked) error { return res.read(ctx, tx) }); err != nil {
		return failed(fmt.Errorf("what if of system %s: %w", w.name, err))
	}
	return failed(a.showWhatIf(res, o))
}

// unknownSystem is the error of a name that the run does not have.
func unknownSystem(runID int64, system string, names []string) error {
	if system == "" {
		return fmt.Errorf("whatif needs --system, one of run %d: %s", runID, strings.Join(names, ", "))
	}
	return fmt.Errorf("run %d: %w", runID, spec.Unknown("system", system, names))
}

// read takes the result out of the temporary tables.
func (r *whatIfResult) read(ctx context.Context, tx *sql.Tx) error {
	if err := r.readMetrics(ctx, tx); err != nil {
		return fmt.Errorf("compare the metrics: %w", err)
	}
	rows, err := tx.QueryContext(ctx, whatIfSQL.SQL("contexts"))
	if err != nil {
		return fmt.Errorf("compare the contexts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var q whatIfQuestion
		var order, chunks bool
		var read, would string
		if err := rows.Scan(&q.ID, &q.Question, &order, &chunks, &read, &would); err != nil {
			return fmt.Errorf("compare the contexts: %w", err)
		}
		r.Answers++
		if !order {
			continue
		}
		r.Contexts++
		if !chunks {
			r.Reordered++
		}
		if err := errors.Join(json.Unmarshal([]byte(read), &q.Read), json.Unmarshal([]byte(would), &q.WouldRead)); err != nil {
			return fmt.Errorf("compare the contexts: %w", err)
		}
		r.Questions = append(r.Questions, q)
	}
	return rows.Err()
}

func (r *whatIfResult) readMetrics(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, whatIfSQL.SQL("compare"))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var m whatIfMetric
		if err := rows.Scan(&m.Metric, &m.N, &m.Stored, &m.WhatIf, &m.Difference, &m.Wins, &m.Losses); err != nil {
			return err
		}
		r.Metrics = append(r.Metrics, m)
	}
	order := score.Metrics.Names()
	slices.SortStableFunc(r.Metrics, func(x, y whatIfMetric) int {
		xName, xk := cutOff(x.Metric)
		yName, yk := cutOff(y.Metric)
		return cmp.Or(slices.Index(order, xName)-slices.Index(order, yName), xk-yk)
	})
	return rows.Err()
}

// cutOff splits recall@5; a metric over the whole ranking is behind all its cut-offs.
func cutOff(metric string) (name string, k int) {
	name, text, ok := strings.Cut(metric, "@")
	if k, err := strconv.Atoi(text); ok && err == nil {
		return name, k
	}
	return name, 1 << 30
}

// showWhatIf prints the result.
func (a *app) showWhatIf(r whatIfResult, o whatIfFlags) error {
	if !o.questions {
		r.Questions = nil
	}
	if o.format == "json" {
		enc := json.NewEncoder(a.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	t := report.Table{Columns: []string{"metric", "n", "stored", "what if", "difference", "wins", "losses"}}
	for _, m := range r.Metrics {
		t.Rows = append(t.Rows, []any{m.Metric, int64(m.N), m.Stored, m.WhatIf, m.Difference, int64(m.Wins), int64(m.Losses)})
	}
	if err := t.Write(a.Out, o.format); err != nil {
		return err
	}
	set := "with its own settings"
	if len(r.Set) > 0 {
		set = "with " + strings.Join(r.Set, " ")
	}
	a.say("%d of %d answers of %s %s would have read something else, %d of them the same chunks in another order", r.Contexts, r.Answers, r.System, set, r.Reordered)
	if !o.questions {
		return nil
	}
	t = report.Table{Columns: []string{"qid", "question", "read", "would read"}}
	for _, q := range r.Questions {
		t.Rows = append(t.Rows, []any{q.ID, q.Question, strings.Join(q.Read, " "), strings.Join(q.WouldRead, " ")})
	}
	fmt.Fprintln(a.Out)
	return t.Write(a.Out, o.format)
}
