package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/store"
	"ragbench/internal/systems"
)

// adaptOptions are the flags of adapt.
type adaptOptions struct {
	config, system string
	all, json      bool
	over           config.Overrides
	train          systems.AdapterOptions
}

func (a *app) adaptCommand() *cobra.Command {
	var o adaptOptions
	cmd := &cobra.Command{
		Use:   "adapt DB -c CONFIG --system NAME",
		Short: "Train the query adapter of a raglite system from the labels of its dataset",
		Long: "adapt learns an orthogonal matrix that turns the vectors of questions towards the chunks that are relevant to them (Procrustes, in\n" +
			"closed form), keeps it beside the vectors, and measures it: it trains on every second labelled question and reports the recall of\n" +
			"vector search on the others, with and without. A system uses it with retrieval: {query_adapter: true}.",
		Example: `  ragbench adapt scifact.db -c configs/raglite.yaml --system raglite
  ragbench adapt scifact.db -c configs/raglite.yaml --system raglite --all     train on every question, measure on none`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.adapt(cmd.Context(), args[0], o) },
	}
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file")
	cmd.Flags().StringVar(&o.system, "system", "raglite", "the system whose vectors are adapted")
	cmd.Flags().StringVar(&o.over.Dataset, "dataset", "", "dataset folder, instead of the configuration's")
	cmd.Flags().BoolVar(&o.over.Mock, "mock", false, "use the mock models")
	cmd.Flags().BoolVar(&o.all, "all", false, "train on all labelled questions and measure on none")
	cmd.Flags().IntVar(&o.train.TopK, "top", 40, "chunks searched for each question")
	cmd.Flags().Float64Var(&o.train.Gap, "gap", 0.05, "by how much a relevant chunk is to be nearer than another")
	cmd.Flags().IntVar(&o.train.Max, "max-questions", 4096, "questions to train on at most")
	cmd.Flags().IntVarP(&o.train.K, "k", "k", 10, "cut-off of the recall that is reported")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

// adapt ingests what the system needs, trains and reports.
func (a *app) adapt(ctx context.Context, path string, o adaptOptions) error {
	if o.train.TopK < 2 || o.train.Gap < 0 || o.train.Max < 1 || o.train.K < 1 {
		return fmt.Errorf("want --top of at least 2, --gap of at least 0, --max-questions and -k of at least 1")
	}
	o.over.Only = []string{o.system}
	c, err := a.loadConfig(o.config, o.over)
	if err != nil {
		return err
	}
	s := &c.Systems[0]
	if s.Type != "raglite" {
		return fmt.Errorf("system %s is of type %s: only raglite takes a query adapter", s.Name, s.Type)
	}
	s.Options["retrieval.query_adapter"] = false // it is what is trained here
	f, err := open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	m, _, err := a.modelsOf(f, c)
	if err != nil {
		return err
	}
	sys, err := a.buildOne(f, c, m, s)
	if err != nil {
		return err
	}
	ds, _, err := a.storeDataset(ctx, f, c.Dataset)
	if err != nil {
		return failed(err)
	}
	in, err := sys.Ingest(ctx, ds.Corpus())
	if err != nil {
		return failed(fmt.Errorf("ingest for %s: %w", s.Name, err))
	}
	a.say("%s", ingested(s.Name, in))
	o.train.HoldOut = !o.all
	rep, err := systems.TrainAdapter(ctx, sys, ds.Corpus(), o.train)
	if err != nil {
		return failed(err)
	}
	return failed(a.showAdapter(rep, o))
}

// showAdapter says what training did.
func (a *app) showAdapter(rep systems.AdapterReport, o adaptOptions) error {
	if o.json {
		out := map[string]any{"trained_on": rep.Adapter.Trained, "skipped": rep.Adapter.Skipped, "dims": rep.Adapter.Dims, "held_out": rep.HeldOut}
		if rep.HeldOut > 0 {
			out["k"], out["recall_before"], out["recall_after"], out["better"], out["worse"] = o.train.K, rep.Before, rep.After, rep.Better, rep.Worse
		}
		return json.NewEncoder(a.Out).Encode(out)
	}
	fmt.Fprintf(a.Out, "trained on %d questions; %d skipped, whose search found no relevant chunk or nothing else\n", rep.Adapter.Trained, rep.Adapter.Skipped)
	if rep.HeldOut == 0 {
		return nil
	}
	fmt.Fprintf(a.Out, "recall@%d of vector search on %d other questions: %.4f without, %.4f with the adapter (%d better, %d worse)\n",
		o.train.K, rep.HeldOut, rep.Before, rep.After, rep.Better, rep.Worse)
	if rep.After <= rep.Before {
		fmt.Fprintln(a.Out, "it does not help here: leave query_adapter off")
	}
	return nil
}
