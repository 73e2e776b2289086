package cli

import (
	"context"
	"database/sql"

	"github.com/spf13/cobra"

	"ragbench/internal/score"
	"ragbench/internal/trec"
)

// importRunOptions are the flags of import-run.
type importRunOptions struct {
	run, system, dataset string
	ks                   []int
}

func (a *app) importRunCommand() *cobra.Command {
	var o importRunOptions
	cmd := &cobra.Command{
		Use:   "import-run FILE",
		Short: "Score a TREC run file as a system of a run",
		Long: "The ranking of any other engine is scored, compared and shown like ours. Without --run it becomes a run of its own over the\n" +
			"newest dataset. Order is trec_eval's: score descending, then document id descending.",
		Example: `  ragbench import-run peer.run.gz --db scifact.db
  ragbench import-run peer.run --run latest --system elasticsearch`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.importRun(cmd.Context(), args[0], o) },
	}
	cmd.Flags().StringVar(&o.run, "run", "", "run to add the system to")
	cmd.Flags().StringVar(&o.system, "system", "", "name of the system; default: the file's run tag")
	cmd.Flags().StringVar(&o.dataset, "dataset", "", "dataset of a new run; default: the newest")
	cmd.Flags().IntSliceVar(&o.ks, "k", nil, "cut-offs of a new run; default: 1,3,5,10")
	return cmd
}

// importRun stores the ranking and scores it.
func (a *app) importRun(ctx context.Context, path string, o importRunOptions) error {
	ranking, err := trec.ReadRun(path)
	if err != nil {
		return err
	}
	f, err := a.existing(ctx, false)
	if err != nil {
		return err
	}
	defer f.Close()
	to := trec.Target{System: o.system, KValues: o.ks, CodeVersion: Version, Now: a.now()}
	if o.run != "" {
		if to.RunID, err = findRun(ctx, f, []string{o.run}); err != nil {
			return err
		}
	}
	ds, err := f.NewestDataset(ctx, o.dataset)
	if err != nil {
		return err
	}
	to.DatasetID = ds.ID
	var rep trec.Report
	err = f.Write(ctx, func(tx *sql.Tx) error {
		if rep, err = trec.Import(ctx, tx, ranking, to); err != nil {
			return err
		}
		_, err = score.Run(ctx, tx, rep.RunID)
		return err
	})
	if err != nil {
		return failed(err)
	}
	for _, w := range rep.Warnings {
		a.say("warning: %s", w.Message)
	}
	a.say("imported %d rankings with %d documents into run %d", rep.Queries, rep.Hits, rep.RunID)
	return failed(a.leaderboard(ctx, f, rep.RunID, "table"))
}
