package cli

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/judge"
	"ragbench/internal/model"
	"ragbench/internal/report"
	"ragbench/internal/sqlfile"
)

//go:embed judge.sql
var judgeFile embed.FS

var judgeSQL = sqlfile.MustLoad(judgeFile, "judge.sql", "run_config", "judges")

// judgeOptions are the flags of judge.
type judgeOptions struct {
	judge     string
	samples   int
	onFailure string
	missing   bool
	sample    int
	use       bool
	csv       string
	workers   int
	format    string
}

func (a *app) judgeCommand() *cobra.Command {
	var o judgeOptions
	cmd := &cobra.Command{
		Use:   "judge [RUN]",
		Short: "Judge the answers of a finished run, without running a system again",
		Long: "judge adds the judgments of one more judge to a run: heuristic, which needs no model, or a chat model as provider:model, or\n" +
			"people's, from a CSV file. Judges stand side by side; --use makes one the judge whose scores the leaderboard shows. The\n" +
			"columns of the CSV file are system, question_id, any of correctness, faithfulness, completeness, relevance and\n" +
			"citation_quality (0 to 5), and optionally supported, hallucinated, judge and reason.",
		Example: `  ragbench judge --judge openai:gpt-6-luna --sample 50     fifty answers of the newest run
  ragbench judge demo --judge openai:gpt-6-luna --missing  also those whose judgment failed
  ragbench judge demo --judge heuristic --use
  ragbench judge demo --import people.csv
  ragbench sql judge_agreement                             how far the judges agree`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.judge(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.judge, "judge", "", "heuristic, or a model as provider:model")
	f.IntVar(&o.samples, "samples", 0, "judgments an answer, at a temperature above 0; default: the configuration's")
	f.StringVar(&o.onFailure, "on-failure", "", "heuristic or missing: what stands in for a failed judgment; default: the configuration's")
	f.BoolVar(&o.missing, "missing", false, "ask again for judgments that failed")
	f.IntVar(&o.sample, "sample", 0, "judge so many answers, evenly spaced; 0: all")
	f.BoolVar(&o.use, "use", false, "make it the judge whose scores are the run's")
	f.StringVar(&o.csv, "import", "", "CSV file with people's judgments")
	f.IntVar(&o.workers, "max-workers", 4, "answers at a time")
	formatFlag(cmd, &o.format)
	return cmd
}

// judge adds judgments to a run and shows its judges.
func (a *app) judge(ctx context.Context, args []string, o judgeOptions) error {
	if (o.judge == "") == (o.csv == "") {
		return errors.New("say who judges: --judge heuristic, --judge provider:model, or --import FILE")
	}
	if o.samples < 0 || o.samples > 10 || o.sample < 0 {
		return errors.New("--samples: want 1 to 10; --sample: want a number of answers")
	}
	if o.onFailure != "" && o.onFailure != "heuristic" && o.onFailure != "missing" {
		return fmt.Errorf("--on-failure: want heuristic or missing, got %q", o.onFailure)
	}
	f, err := a.existing(ctx, false)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	var names []string
	if o.csv != "" {
		names, err = a.importJudgments(ctx, f, id, o.csv)
	} else {
		names, err = a.judgeWith(ctx, f, id, o)
	}
	if err != nil {
		return failed(err)
	}
	if err := a.adopt(ctx, f, id, names[0], o.use); err != nil {
		return failed(err)
	}
	t, err := report.Query(ctx, f.Reader(), judgeSQL.SQL("judges"), named("run_id", id))
	if err != nil {
		return failed(fmt.Errorf("show the judges: %w", err))
	}
	return failed(t.Write(a.Out, o.format))
}

// judgeWith judges by the heuristic or a model.
func (a *app) judgeWith(ctx context.Context, f *file, runID int64, o judgeOptions) ([]string, error) {
	c := a.configOf(ctx, f, runID)
	if o.samples > 0 {
		c.Judge.Samples = o.samples
	}
	if c.Judge.Samples > 1 && c.Judge.Temperature == 0 {
		c.Judge.Temperature = 0.7
	}
	if o.onFailure != "" {
		c.Judge.OnFailure = o.onFailure
	}
	c.Judge.Kind, c.Judge.Model = "heuristic", ""
	if o.judge != judge.HeuristicName {
		if !strings.Contains(o.judge, ":") {
			return nil, fmt.Errorf("--judge: want heuristic or provider:model, got %q", o.judge)
		}
		c.Judge.Kind, c.Judge.Model = "llm", o.judge
	}
	j, err := a.judgeOf(c, a.newModels(f, c))
	if err != nil {
		return nil, err
	}
	if err := f.Write(ctx, func(tx *sql.Tx) error { return a.warnSelf(ctx, tx, runID, j.Name()) }); err != nil {
		return nil, err
	}
	err = a.runJudge(ctx, f, c, judge.Plan{RunID: runID, Judge: j, Missing: o.missing, Sample: o.sample}, o.workers)
	return []string{j.Name()}, err
}

// configOf reads the configuration of a run back, for its judge and the endpoints of its models. Where it cannot be read
// any more, because it names a folder that has gone, the defaults are as good.
func (a *app) configOf(ctx context.Context, f *file, runID int64) *config.Config {
	var name, mode, text string
	err := f.Reader().QueryRowContext(ctx, judgeSQL.SQL("run_config"), named("run_id", runID)).Scan(&name, &mode, &text)
	if err == nil {
		if c, err := config.Parse(name+".yaml", []byte(text), known(), config.Overrides{}); err == nil {
			return c
		}
	}
	return config.Defaults()
}

// judgeOf opens the judge of a configuration; nil for none.
func (a *app) judgeOf(c *config.Config, m *models) (judge.Judge, error) {
	switch c.Judge.Kind {
	case "none":
		return nil, nil
	case "llm":
		chat, err := m.chat(c.Judge.Model)
		if err != nil {
			return nil, fmt.Errorf("open the judge %s: %w", c.Judge.Model, err)
		}
		return &judge.LLM{
			Chat: chat, NumSamples: c.Judge.Samples, Temperature: c.Judge.Temperature, MaxContextChars: c.Judge.MaxContextChars,
		}, nil
	}
	return judge.Heuristic{}, nil
}

// runJudge judges and says what came of it.
func (a *app) runJudge(ctx context.Context, f *file, c *config.Config, p judge.Plan, workers int) error {
	start := a.now()
	p.Heuristic = c.Judge.OnFailure == "heuristic"
	res, err := judge.Run(ctx, judge.Env{DB: f.DB, SaveCalls: model.SaveCarried, Workers: workers}, p)
	cost := ""
	if p.Judge.Name() != judge.HeuristicName {
		cost = fmt.Sprintf(", $%.4f", res.Cost.USD)
		if res.Cost.Unknown {
			cost = ", at an unknown price"
		}
	}
	if res.Answers > 0 {
		a.say("judged %d answers by %s in %.1f s%s", res.Answers, p.Judge.Name(), a.now().Sub(start).Seconds(), cost)
	}
	if res.Failed > 0 {
		a.say("%d judgments failed, %d of them stand in as the heuristic's: ragbench judge %d --judge %s --missing asks again",
			res.Failed, res.Fallbacks, p.RunID, p.Judge.Name())
	}
	return err
}

// importJudgments stores the judgments of a CSV file.
func (a *app) importJudgments(ctx context.Context, f *file, runID int64, path string) ([]string, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var names []string
	err = f.Write(ctx, func(tx *sql.Tx) error {
		var n int
		if names, n, err = judge.ImportCSV(ctx, tx, runID, in); err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("import judgments: %s has no rows", path)
		}
		a.say("imported %d judgments by %s", n, strings.Join(names, ", "))
		return nil
	})
	return names, err
}

// adopt brings the scores of a run up to date: those of its judge, which becomes the one named when use says so or there
// is none yet.
func (a *app) adopt(ctx context.Context, f *file, runID int64, name string, use bool) error {
	return f.Write(ctx, func(tx *sql.Tx) error {
		current, err := judge.Main(ctx, tx, runID)
		if err != nil {
			return err
		}
		if current != "" && current != name && !use {
			a.say("the scores of the run stay those of %s; --use makes them those of %s", current, name)
			return nil
		}
		return judge.Use(ctx, tx, runID, name)
	})
}

// warnSelf says which systems a judge may favour because it, or a relative, wrote their answers.
func (a *app) warnSelf(ctx context.Context, tx *sql.Tx, runID int64, name string) error {
	list, err := judge.OwnModels(ctx, tx, runID, name)
	if err != nil || len(list) == 0 {
		return err
	}
	var same, related []string
	for _, o := range list {
		if o.Same {
			same = append(same, o.System)
		} else {
			related = append(related, o.System)
		}
	}
	if len(same) > 0 {
		a.say("self-preference risk: the judge %s is also the generator of %s", name, strings.Join(same, ", "))
	}
	if len(related) > 0 {
		a.say("self-preference risk: the judge %s comes from the provider of the generator of %s", name, strings.Join(related, ", "))
	}
	return nil
}
