package cli

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
	"ragbench/internal/store"
)

func (a *app) cacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or clear the stored model calls of a file",
		Long: "Every call of a model is stored in the database file, and in the shared file that cache: {path} names. A stored call is not made\n" +
			"again: it is charged at its price, replays its latency and costs nothing.",
		Example: "  ragbench cache stats demo.db\n  ragbench cache clear demo.db",
		Args:    cobra.NoArgs,
		RunE:    showHelp,
	}
	var format string
	stats := &cobra.Command{
		Use:     "stats [FILE]",
		Short:   "Count the stored calls, by model",
		Example: "  ragbench cache stats demo.db\n  ragbench cache stats shared-cache.db --format json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.cacheStats(cmd.Context(), args, format)
		},
	}
	formatFlag(stats, &format)
	var age string
	clear := &cobra.Command{
		Use:   "clear [FILE]",
		Short: "Remove the stored calls that no answer refers to",
		Long: "Calls that a run refers to stay, since the run would lose its trace: ragbench runs rm removes runs first. In a shared cache no call\n" +
			"is referred to.",
		Example: "  ragbench cache clear shared-cache.db\n  ragbench cache clear shared-cache.db --older-than 30d",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.cacheClear(cmd.Context(), args, age) },
	}
	clear.Flags().StringVar(&age, "older-than", "", "only calls made longer ago: 30d, 12h")
	cmd.AddCommand(stats, clear)
	return cmd
}

// cacheFile opens the file that args or the usual ways name.
func (a *app) cacheFile(ctx context.Context, args []string, readOnly bool) (*file, error) {
	if len(args) > 0 {
		return open(ctx, args[0], store.Options{ReadOnly: readOnly, MustExist: true})
	}
	return a.existing(ctx, readOnly)
}

func (a *app) cacheStats(ctx context.Context, args []string, format string) error {
	f, err := a.cacheFile(ctx, args, true)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := report.Query(ctx, f.Reader(), moneySQL.SQL("cache_stats"))
	if err != nil {
		return failed(fmt.Errorf("count stored calls: %w", err))
	}
	if err := t.Write(a.Out, format); err != nil {
		return failed(err)
	}
	if info, err := os.Stat(f.Path()); err == nil {
		a.say("%s: %.1f MB", f.Path(), float64(info.Size())/1e6)
	}
	return nil
}

func (a *app) cacheClear(ctx context.Context, args []string, age string) error {
	before := "9999"
	if age != "" {
		d, err := parseAge(age)
		if err != nil {
			return err
		}
		before = a.now().Add(-d).UTC().Format(time.RFC3339)
	}
	f, err := a.cacheFile(ctx, args, false)
	if err != nil {
		return err
	}
	defer f.Close()
	var calls int64
	err = f.Write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, moneySQL.SQL("clear_calls"), named("before", before))
		if err != nil {
			return err
		}
		if calls, err = res.RowsAffected(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, moneySQL.SQL("clear_prompts"))
		return err
	})
	if err != nil {
		return failed(fmt.Errorf("clear stored calls: %w", err))
	}
	a.say("%d calls removed", calls)
	return nil
}

// parseAge reads a duration, with d for days as well.
func parseAge(s string) (time.Duration, error) {
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if days, err := strconv.ParseFloat(n, 64); err == nil && days >= 0 {
			return time.Duration(days * 24 * float64(time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("--older-than: want a duration such as 30d or 12h, got %q", s)
}
