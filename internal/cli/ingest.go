package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// defaultConfig is what ingest builds when no file says otherwise: the indexes of the two searches.
const defaultConfig = `run: {name: ingest, mode: auto}
systems: [bm25, vector]
`

func (a *app) ingestCommand() *cobra.Command {
	var configPath string
	var over config.Overrides
	cmd := &cobra.Command{
		Use:   "ingest DB [DATASET]",
		Short: "Read documents and questions into a file and build every index its systems need",
		Long: "DATASET is a folder with docs/, questions.jsonl and qrels.jsonl, or a BEIR folder. With -c, the configuration names the\n" +
			"dataset and the systems. What the file has already is not done again.",
		Example: `  ragbench ingest demo.db -c configs/demo.yaml
  ragbench ingest scifact.db ../shared/data/scifact`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				over.Dataset = args[1]
			}
			return a.ingest(cmd.Context(), args[0], configPath, over)
		},
	}
	cmd.Flags().StringVarP(&configPath, "config", "c", "", "configuration file")
	overrideFlags(cmd, &over)
	return cmd
}

// overrideFlags adds the flags that stand for entries of a configuration.
func overrideFlags(cmd *cobra.Command, o *config.Overrides) {
	cmd.Flags().StringVar(&o.Docs, "docs", "", "documents, instead of the configuration's")
	cmd.Flags().StringVar(&o.Questions, "questions", "", "questions, instead of the configuration's")
	cmd.Flags().StringVar(&o.Qrels, "qrels", "", "relevance labels, instead of the configuration's")
	cmd.Flags().BoolVar(&o.Mock, "mock", false, "use the mock models: no key, no cost, no evidence about quality")
	cmd.Flags().StringArrayVar(&o.Only, "only", nil, "only these systems; several names parted by commas, a name stands for its sweep")
	cmd.Flags().StringArrayVar(&o.Skip, "skip", nil, "without these systems")
}

// loadConfig reads a configuration and says what it holds without effect.
func (a *app) loadConfig(path string, over config.Overrides) (c *config.Config, err error) {
	if path == "" {
		if over.Dataset == "" && over.Docs == "" {
			return nil, errors.New("nothing to work on: give a DATASET or -c CONFIG")
		}
		c, err = config.Parse("(built-in)", []byte(defaultConfig), known(), over)
	} else {
		c, err = config.Load(path, known(), over)
	}
	if err != nil {
		return nil, err
	}
	for _, i := range c.Ignored {
		a.say("%s:%d: %s is ignored: %s", c.File, i.Line, i.Key, i.Reason)
	}
	return c, nil
}

// ingest stores the dataset and lets every system make its indexes.
func (a *app) ingest(ctx context.Context, path, configPath string, over config.Overrides) error {
	c, err := a.loadConfig(configPath, over)
	if err != nil {
		return err
	}
	f, err := open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	m, _, err := a.modelsOf(f, c)
	if err != nil {
		return err
	}
	start := a.now()
	ds, rep, err := a.storeDataset(ctx, f, c.Dataset)
	if err != nil {
		return failed(err)
	}
	list, err := a.build(f, c, m)
	if err != nil {
		return err
	}
	built, chunks := 0, 0
	for _, s := range list {
		r, err := s.Ingest(ctx, ds.Corpus())
		if err != nil {
			return failed(fmt.Errorf("ingest for %s: %w", s.Name, err))
		}
		if slices.ContainsFunc(r.Built, func(part string) bool { return strings.HasPrefix(part, "chunks ") }) {
			chunks += r.Chunks
		}
		built += len(r.Built)
		a.say("%s", ingested(s.Name, r))
	}
	took := a.now().Sub(start).Seconds()
	if built == 0 {
		a.say("nothing to do: every index the systems need is in %s", path)
		return nil
	}
	a.say("%d chunks in %.2f s: %.0f chunks/s, %.1f MB/s", chunks, took, float64(chunks)/took, float64(rep.Bytes)/1e6/took)
	return nil
}

// ingested says what ingestion made for a system.
func ingested(name string, r rag.IngestReport) string {
	var parts []string
	if r.Chunks > 0 {
		parts = append(parts, fmt.Sprintf("%d chunks", r.Chunks))
	}
	if r.Vectors > 0 {
		parts = append(parts, fmt.Sprintf("%d vectors", r.Vectors))
	}
	switch {
	case len(parts) == 0:
		parts = append(parts, "needs no index")
	case len(r.Built) == 0:
		parts = append(parts, "all there already")
	}
	if n := len(r.Warnings); n > 0 {
		parts = append(parts, fmt.Sprintf("%d warnings, such as: %s", n, r.Warnings[0].Message))
	}
	return "ingested for " + name + ": " + strings.Join(parts, ", ")
}

// say writes a line of progress.
func (a *app) say(format string, args ...any) { fmt.Fprintf(a.Err, format+"\n", args...) }
