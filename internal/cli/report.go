package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
)

func (a *app) reportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "report [RUN]",
		Short:   "Write a run as one HTML file",
		Example: "  ragbench report --output report.html\n  ragbench report demo --db demo.db",
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
			return failed(a.writeReport(cmd.Context(), f, id, output))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "report.html", "file to write")
	return cmd
}

// writeReport writes the report of a run to a file.
func (a *app) writeReport(ctx context.Context, f *file, runID int64, output string) error {
	w, err := os.Create(output)
	if err != nil {
		return err
	}
	err = f.Read(ctx, func(tx *sql.Tx) error { // one state, even while a run goes on
		return report.WriteHTML(ctx, tx, w, report.Options{RunID: runID, File: filepath.Base(f.Path())})
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("write %s: %w", output, err)
	}
	a.say("wrote %s", output)
	return nil
}
