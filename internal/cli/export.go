package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
	"ragbench/internal/trec"
)

func (a *app) exportCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "export", Short: "Write a run in the formats of other tools", Example: "  ragbench export trec --output trec/", Args: cobra.NoArgs, RunE: showHelp}
	var system, output string
	sub := &cobra.Command{
		Use:   "trec [RUN]",
		Short: "Write a TREC run file a system and the qrels, for trec_eval",
		Long: "Ties are written with the smallest steps that keep our order, so that trec_eval gives the same numbers. Files are\n" +
			"OUTPUT/SYSTEM.run and OUTPUT/qrels.txt.",
		Example: "  ragbench export trec latest --output trec/\n  trec_eval -c -m ndcg_cut.10 trec/qrels.txt trec/bm25.run",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.exportTREC(cmd.Context(), args, system, output)
		},
	}
	sub.Flags().StringVar(&system, "system", "", "only this system")
	sub.Flags().StringVarP(&output, "output", "o", "trec", "folder to write")
	cmd.AddCommand(sub)
	return cmd
}

// exportTREC writes the rankings and the labels of a run.
func (a *app) exportTREC(ctx context.Context, args []string, system, output string) error {
	f, err := a.existing(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	t, err := report.Query(ctx, f.Reader(), cliSQL.SQL("run_systems"), named("run_id", id), named("system", system))
	if err != nil {
		return failed(err)
	}
	if len(t.Rows) == 0 {
		return fmt.Errorf("run %d has no system called %s", id, system)
	}
	if err := os.MkdirAll(output, 0o755); err != nil {
		return failed(err)
	}
	for _, row := range t.Rows {
		name := row[0].(string)
		path := filepath.Join(output, fileName(name)+".run")
		err := writeFile(path, func(w *os.File) error { return trec.Export(ctx, f.Reader(), w, id, name) })
		if err != nil {
			return failed(err)
		}
		a.say("wrote %s", path)
	}
	path := filepath.Join(output, "qrels.txt")
	if err := writeFile(path, func(w *os.File) error { return trec.ExportQrels(ctx, f.Reader(), w, t.Rows[0][1].(int64)) }); err != nil {
		return failed(err)
	}
	a.say("wrote %s", path)
	return nil
}

// writeFile writes a file and says which when it fails.
func writeFile(path string, write func(*os.File) error) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(write(w), w.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// fileName turns a system's name into one that every file system takes.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, name)
}
