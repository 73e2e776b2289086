package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
)

func (a *app) leaderboardCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "leaderboard [RUN]",
		Short:   "Show how the systems of a run compare",
		Long:    "RUN is a number, a label, a name, or a part of a label; default: the newest run.",
		Example: "  ragbench leaderboard\n  ragbench leaderboard demo --format md --db demo.db",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.existing(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer f.Close()
			id, err := findRun(cmd.Context(), f, args)
			if err != nil {
				return err
			}
			return failed(a.leaderboard(cmd.Context(), f, id, format))
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// leaderboard writes the leaderboard of a run: all columns of the analysis for programs, the main ones for people.
func (a *app) leaderboard(ctx context.Context, f *file, runID int64, format string) error {
	t, err := a.rows(ctx, f, "leaderboard", []string{fmt.Sprintf("run=%d", runID)})
	if err != nil {
		return err
	}
	if format != "table" && format != "md" {
		return failed(t.Write(a.Out, format))
	}
	if err := headline(t).Write(a.Out, format); err != nil {
		return failed(err)
	}
	banner, err := a.priceBanner(ctx, f, runID)
	if err == nil && banner != "" {
		_, err = fmt.Fprintf(a.Out, "\n%s\n", banner)
	}
	return failed(err)
}

// headline keeps what a person compares by, with the cut-offs in the headings.
func headline(t report.Table) report.Table {
	if len(t.Rows) == 0 {
		return t
	}
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c] = i
	}
	k, d := t.Rows[0][at["k"]], t.Rows[0][at["d"]]
	columns := []struct{ from, to string }{
		{"system", "system"}, {"n_ok", "answered"}, {"n_error", "failed"}, {"recall_k", fmt.Sprint("recall@", k)},
		{"hit_k", fmt.Sprint("hit@", k)}, {"mrr_d", fmt.Sprint("mrr@", d)}, {"ndcg_d", fmt.Sprint("ndcg@", d)},
		{"llm_tokens", "tokens/q"}, {"cost_usd", "$/q"}, {"p50_ms", "p50 ms"}, {"p95_ms", "p95 ms"},
	}
	out := report.Table{Rows: make([][]any, len(t.Rows))}
	for _, c := range columns {
		out.Columns = append(out.Columns, c.to)
		for r, row := range t.Rows {
			out.Rows[r] = append(out.Rows[r], row[at[c.from]])
		}
	}
	return out
}

// showRun shows a finished run: the leaderboard, or all as JSON.
func (a *app) showRun(ctx context.Context, f *file, runID int64, asJSON bool) error {
	format := "table"
	if asJSON {
		format = "json"
	}
	return a.leaderboard(ctx, f, runID, format)
}

// findRun returns the run that args name, or the newest.
func findRun(ctx context.Context, f *file, args []string) (int64, error) {
	if len(args) == 0 || args[0] == "latest" {
		var id sql.NullInt64
		if err := f.Reader().QueryRowContext(ctx, cliSQL.SQL("newest_run")).Scan(&id); err != nil {
			return 0, fmt.Errorf("find the newest run: %w", err)
		}
		if !id.Valid {
			return 0, errors.New("the file has no run yet: ragbench run -c CONFIG")
		}
		return id.Int64, nil
	}
	t, err := report.Query(ctx, f.Reader(), cliSQL.SQL("find_run"), named("name", args[0]))
	if err != nil {
		return 0, fmt.Errorf("find run %s: %w", args[0], err)
	}
	if len(t.Rows) == 0 {
		return 0, fmt.Errorf("no run is called %s: ragbench runs list", args[0])
	}
	return t.Rows[0][0].(int64), nil
}
