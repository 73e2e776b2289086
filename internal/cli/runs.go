package cli

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
	"ragbench/queries"
)

func (a *app) runsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "runs",
		Short:   "List, show or remove the runs of a file",
		Example: "  ragbench runs list\n  ragbench runs show latest\n  ragbench runs rm 3",
		Args:    cobra.NoArgs,
		RunE:    showHelp,
	}
	var listFormat, showFormat string
	list := &cobra.Command{
		Use: "list", Short: "One line a run, newest first", Example: "  ragbench runs list --json", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.listRuns(cmd.Context(), listFormat)
		},
	}
	formatFlag(list, &listFormat)
	show := &cobra.Command{
		Use: "show [RUN]", Short: "What a run was made of, and what to trust", Example: "  ragbench runs show demo", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.showTrust(cmd.Context(), args, showFormat) },
	}
	formatFlag(show, &showFormat)
	rm := &cobra.Command{
		Use: "rm RUN", Short: "Remove a run with its answers, rankings and scores; documents and indexes stay", Example: "  ragbench runs rm 3", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.removeRun(cmd.Context(), args) },
	}
	cmd.AddCommand(list, show, rm)
	return cmd
}

// listRuns shows every run of the file.
func (a *app) listRuns(ctx context.Context, format string) error {
	f, err := a.existing(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := report.Query(ctx, f.Reader(), cliSQL.SQL("runs"))
	if err != nil {
		return failed(fmt.Errorf("list runs: %w", err))
	}
	return failed(t.Write(a.Out, format))
}

// rows runs a stored analysis on an open file.
func (a *app) rows(ctx context.Context, f *file, name string, params []string) (report.Table, error) {
	q, err := queries.Find(name)
	if err != nil {
		return report.Table{}, err
	}
	args, err := bind(q, params)
	if err != nil {
		return report.Table{}, err
	}
	t, err := report.Query(ctx, f.Reader(), q.SQL, args...)
	if err != nil {
		return t, failed(fmt.Errorf("run %s: %w", name, err))
	}
	return t, nil
}

// showTrust shows the leaderboard of a run and what speaks against its numbers.
func (a *app) showTrust(ctx context.Context, args []string, format string) error {
	f, err := a.existing(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	t, err := report.Query(ctx, f.Reader(), cliSQL.SQL("trust"), named("run_id", id))
	if err != nil {
		return failed(fmt.Errorf("show run %d: %w", id, err))
	}
	if format == "table" {
		t = t.Upright()
	}
	if err := t.Write(a.Out, format); err != nil || format != "table" {
		return failed(err)
	}
	fmt.Fprintln(a.Out)
	return a.leaderboard(ctx, f, id, format)
}

// removeRun deletes a run.
func (a *app) removeRun(ctx context.Context, args []string) error {
	f, err := a.existing(ctx, false)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	err = f.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, cliSQL.SQL("drop_run"), named("run_id", id))
		return err
	})
	if err != nil {
		return failed(fmt.Errorf("remove run %d: %w", id, err))
	}
	a.say("removed run %d", id)
	return nil
}
