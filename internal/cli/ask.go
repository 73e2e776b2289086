package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/report"
	"ragbench/internal/store"
	"ragbench/internal/trace"
)

// askOptions are the flags of ask.
type askOptions struct {
	system, config string
	json           bool
	over           config.Overrides
}

func (a *app) askCommand() *cobra.Command {
	var o askOptions
	cmd := &cobra.Command{
		Use:   "ask DB QUESTION --system NAME",
		Short: "Ask one system one question and show its answer, citations and passages",
		Long: "NAME is a system of -c CONFIG, else of the newest run in the file that has one of that name, else a type with its defaults. The\n" +
			"question goes to the newest dataset of the file, or to that of the run. Indexes that are missing are built, and named. The answer\n" +
			"is printed as it comes where the model streams. The calls are kept in the file.",
		Example: `  ragbench ask demo.db "when does the ferry leave?" --system hybrid
  ragbench ask demo.db "who is the master?" --system raglite -c configs/raglite.yaml --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.ask(cmd.Context(), args[0], args[1], o) },
	}
	cmd.Flags().StringVar(&o.system, "system", "hybrid", "the system to ask")
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file")
	cmd.Flags().BoolVar(&o.over.Mock, "mock", false, "use the mock models")
	cmd.Flags().BoolVar(&o.json, "json", false, "print answer, citations, passages and steps as JSON")
	return cmd
}

// ask builds one system, asks it and shows what it says.
func (a *app) ask(ctx context.Context, path, question string, o askOptions) error {
	f, err := open(ctx, path, store.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer f.Close()
	c, ds, err := a.askConfig(ctx, f, path, o)
	if err != nil {
		return err
	}
	m, mode, err := a.modelsOf(f, c)
	if err != nil {
		return err
	}
	if mode == "mock" {
		a.say("mock models: the answer is no evidence about quality")
	}
	s := &c.Systems[0]
	out := &answerStream{w: a.Out}
	if !o.json {
		if err := m.stream(s.Models.Generator, out.show); err != nil {
			return err
		}
	}
	sys, err := a.buildOne(f, c, m, s)
	if err != nil {
		return err
	}
	rep, err := sys.Ingest(ctx, ds.Corpus())
	if err != nil {
		return failed(fmt.Errorf("ingest for %s: %w", s.Name, err))
	}
	if len(rep.Built) > 0 {
		a.say("%s", ingested(s.Name, rep))
	}
	asked, err := a.askOne(ctx, f, sys, s, question)
	if err != nil {
		return failed(err)
	}
	if o.json {
		enc := json.NewEncoder(a.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return failed(enc.Encode(asked.asJSON(s.Name)))
	}
	out.show(asked.answer.Text)
	return failed(asked.print(a.Out))
}

// asked is one question answered.
type asked struct {
	question string
	ranking  rag.Ranking
	answer   rag.Answer
	read     []rag.Hit // what the generator read
	steps    []rag.Step
}

// askOne retrieves and answers, and keeps the calls.
func (a *app) askOne(ctx context.Context, f *file, sys rag.System, s *config.System, question string) (out asked, err error) {
	q := rag.Question{ID: "asked", Text: question, Answerable: true}
	tr := trace.New(a.now)
	if out.ranking, err = sys.Retrieve(ctx, q, s.Depth, tr); err == nil {
		out.answer, err = sys.Answer(ctx, q, out.ranking, tr)
	}
	out.question, out.steps = question, tr.Steps()
	var calls []rag.Call
	for _, step := range out.steps {
		calls = append(calls, step.Calls...)
	}
	kept := f.Write(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		_, err := model.SaveCarried(ctx, tx, calls)
		return err
	})
	if out.read = out.ranking.Context; out.read == nil {
		out.read = out.ranking.Hits[:min(s.ContextK, len(out.ranking.Hits))]
	}
	return out, errors.Join(err, kept)
}

// askConfig finds the system that is asked, alone in a configuration, and the dataset it is asked about.
func (a *app) askConfig(ctx context.Context, f *file, path string, o askOptions) (c *config.Config, ds store.Dataset, err error) {
	over := o.over
	over.Only = []string{o.system}
	if o.config != "" {
		if c, err = a.loadConfig(o.config, over); err != nil {
			return nil, ds, err
		}
		ds, err = f.NewestDataset(ctx, c.Dataset.Name)
		if errors.Is(err, rag.ErrNotFound) {
			err = fmt.Errorf("%s does not hold the dataset %s: ragbench ingest %s -c %s", path, c.Dataset.Name, path, o.config)
		}
		return c, ds, err
	}
	over.Dataset = os.TempDir() // a folder that exists; the dataset is the file's
	var text, mode string
	var dataset int64
	err = f.Reader().QueryRowContext(ctx, searchSQL.SQL("system_config"), named("name", o.system)).Scan(&text, &mode, &dataset)
	switch {
	case err == nil:
		over.Mock = over.Mock || mode == "mock"
		if c, err = config.Parse("(the run's configuration)", []byte(text), known(), over); err != nil {
			return nil, ds, err
		}
		ds, err = f.Dataset(ctx, dataset)
	case errors.Is(err, sql.ErrNoRows):
		if c, err = config.Parse("(built-in)", fmt.Appendf(nil, "systems: [%q]\n", o.system), known(), over); err != nil {
			return nil, ds, fmt.Errorf("no run of %s has a system %s, and as a type: %w", path, o.system, err)
		}
		ds, err = f.NewestDataset(ctx, "")
		if errors.Is(err, rag.ErrNotFound) {
			err = fmt.Errorf("%s holds no dataset: ragbench ingest %s DATASET", path, path)
		}
	}
	return c, ds, err
}

// print writes what goes with the answer.
func (x asked) print(w io.Writer) error {
	cited := "none"
	if len(x.answer.Citations) > 0 {
		cited = report.Cell(strings.Join(x.answer.Citations, ", "))
	}
	if _, err := fmt.Fprintf(w, "\n\nCited: %s\n\n", cited); err != nil {
		return err
	}
	read := x.read
	for i := range read {
		read[i].Rank = i + 1
	}
	return passages(read, "table").Write(w, "table")
}
