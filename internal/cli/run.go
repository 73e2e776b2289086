package cli

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ragbench/internal/bench"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/store"
)

// runOptions are the flags of run.
type runOptions struct {
	config string
	preset string
	over   config.Overrides
	json   bool
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run -c CONFIG | --preset NAME",
		Short: "Run every system on every question and score the rankings",
		Long: "run ingests what the file lacks, asks every system every question, writes each finished question in one transaction, scores\n" +
			"the rankings and prints the leaderboard. Interrupted, by Ctrl-C or by force, it goes on where it stopped when typed again.",
		Example: `  ragbench run -c configs/demo.yaml --mock
  ragbench run -c configs/all.yaml --only bm25,hybrid --max-workers 8
  ragbench run -c my.yaml --dataset ./my-documents --db my.db
  ragbench run --preset standard --dataset ./my-documents`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), o) },
	}
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file")
	cmd.Flags().StringVar(&o.preset, "preset", "", "a ready list of systems instead of a configuration: "+strings.Join(config.Presets(), ", "))
	cmd.Flags().StringVar(&o.over.Dataset, "dataset", "", "dataset folder, instead of the configuration's; of a preset: demo")
	overrideFlags(cmd, &o.over)
	cmd.Flags().IntVar(&o.over.MaxWorkers, "max-workers", 0, "questions at a time within a system")
	cmd.Flags().IntVar(&o.over.SystemWorkers, "system-workers", 0, "systems at a time")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

// run is the whole of a comparison.
func (a *app) run(ctx context.Context, o runOptions) error {
	c, err := a.runConfig(o)
	if err != nil {
		return err
	}
	path := a.dbPath
	if path == "" {
		path = c.Run.Name + ".db"
	}
	f, err := open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	m := a.newModels(f, c)
	mode, err := a.modeOf(c, m)
	if err != nil {
		return err
	}
	if mode == "mock" {
		mockModels(c)
		a.say("mock run: models are simulated, answers are no evidence about quality")
	}
	list, err := a.build(f, c, m)
	if err != nil {
		return err
	}
	ds, _, err := a.storeDataset(ctx, f, c.Dataset)
	if err != nil {
		return failed(err)
	}
	return a.execute(ctx, f, c, m, ds, list, mode, path, o.json)
}

// runConfig reads the configuration of a run, from its file or from a preset.
func (a *app) runConfig(o runOptions) (*config.Config, error) {
	switch {
	case o.config != "" && o.preset != "":
		return nil, errors.New("-c and --preset are both given, give one of them")
	case o.config == "" && o.preset == "":
		return nil, errors.New("run needs a configuration: -c CONFIG (configs/demo.yaml is a first one), or --preset quick --dataset FOLDER")
	case o.config != "":
		return a.loadConfig(o.config, o.over)
	}
	text, missing, err := config.Preset(o.preset, known())
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		a.say("preset %s without %s: this version does not have them", o.preset, strings.Join(missing, ", "))
	}
	return config.Parse("(preset "+o.preset+")", text, known(), o.over)
}

// execute starts or resumes the run and brings it to its end.
func (a *app) execute(ctx context.Context, f *file, c *config.Config, m *models, ds store.Dataset, list []bench.System, mode, path string, asJSON bool) error {
	questions, err := f.Questions(ctx, ds.ID)
	if err != nil {
		return failed(err)
	}
	if n := c.Evaluation.MaxQuestions; n > 0 && n < len(questions) {
		questions = questions[:n]
	}
	if len(questions) == 0 {
		return fmt.Errorf("dataset %s has no questions to ask", ds.Name)
	}
	in, err := a.runInput(c, ds, mode, len(questions))
	if err != nil {
		return err
	}
	if err := f.Write(ctx, func(tx *sql.Tx) error { return model.SavePrices(ctx, tx, m.log.Prices().PriceRows()) }); err != nil {
		return failed(err)
	}
	run, err := f.StartRun(ctx, in)
	if err != nil {
		return failed(err)
	}
	if run.Resumed {
		a.say("going on with run %d, which had not come to its end", run.ID)
	}
	depth := 0
	for i := range list {
		list[i].ID = run.SystemIDs[i]
		depth = max(depth, c.Systems[i].Depth)
	}
	stop := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	progress := newProgress(a.Err, a.getenv, a.now)
	done := a.watchInterrupts(progress, stop, cancel)
	defer close(done)
	res, err := bench.Run(ctx, bench.Env{DB: f.DB, Now: a.now, SaveCalls: model.SaveCarried, Progress: progress, Stop: stop}, bench.Plan{
		Run: run, Corpus: ds.Corpus(), Systems: list, Questions: questions, Depth: depth,
		MaxWorkers: c.Run.MaxWorkers, SystemWorkers: c.Run.SystemWorkers,
	})
	progress.close()
	return a.finish(context.WithoutCancel(ctx), f, c, run, res, err, path, asJSON)
}

// watchInterrupts drains on the first interrupt and cancels on the second, until the channel it returns is closed.
func (a *app) watchInterrupts(p *progress, stop chan<- struct{}, cancel func()) chan<- struct{} {
	done := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-a.interrupt:
				if n > 0 {
					cancel()
					return
				}
				p.note("\nstopping: questions in flight are finished; interrupt again to end at once")
				close(stop)
			}
		}
	}()
	return done
}

// finish scores what is there, records how the run ended and shows the leaderboard.
func (a *app) finish(ctx context.Context, f *file, c *config.Config, run store.Run, res bench.Result, runErr error, path string, asJSON bool) error {
	if err := a.measure(ctx, f, c, run.ID); err != nil {
		return failed(errors.Join(runErr, err))
	}
	status := "done"
	switch {
	case runErr != nil && !errors.Is(runErr, context.Canceled):
		status = "failed"
	case runErr != nil || res.Stopped:
		status = "stopped"
	}
	if err := f.SetRunStatus(ctx, run.ID, status, a.now().UTC().Format(time.RFC3339)); err != nil {
		return failed(errors.Join(runErr, err))
	}
	if status == "failed" {
		return failed(runErr)
	}
	if err := a.showRun(ctx, f, run.ID, asJSON); err != nil {
		return failed(err)
	}
	if status == "stopped" {
		return failed(fmt.Errorf("stopped after %d of %d questions; the same command goes on from there", res.Answered+res.Skipped, res.Total))
	}
	if res.Failed > 0 {
		a.say("%d of %d questions failed: ragbench sql failures --db %s", res.Failed, res.Total, path)
	}
	if rate := res.ErrorRate(); rate > c.Run.MaxErrorRate {
		return failed(fmt.Errorf("%.0f %% of the questions failed, more than max_error_rate allows (%.0f %%)", 100*rate, 100*c.Run.MaxErrorRate))
	}
	return failed(a.expect(ctx, f, run.ID, c))
}

// runInput describes the run for its row. The digest covers what decides its results, so that an unfinished run is gone
// on with only when it would do the same.
func (a *app) runInput(c *config.Config, ds store.Dataset, mode string, questions int) (store.RunInput, error) {
	list, err := inputs(c)
	if err != nil {
		return store.RunInput{}, err
	}
	digest, err := json.Marshal(struct {
		Name       string
		Mode       string
		Seed       int
		Questions  int
		Evaluation config.Evaluation
		Systems    []store.SystemInput
	}{c.Run.Name, mode, c.Run.Seed, questions, c.Evaluation, list})
	if err != nil {
		return store.RunInput{}, err
	}
	sum := sha256.Sum256(digest)
	now := a.now().UTC()
	return store.RunInput{
		Name: c.Run.Name, Label: c.Run.Name + "_" + now.Format("20060102_150405"), DatasetID: ds.ID, Mode: mode,
		Config: c.Text, ConfigSHA256: hex.EncodeToString(sum[:]), Seed: int64(c.Run.Seed), KValues: c.Evaluation.KValues,
		PrimaryK: c.Evaluation.PrimaryK, RetrievalDepth: c.Evaluation.RetrievalDepth, ContextK: c.Evaluation.ContextK,
		NDCGGain: c.Evaluation.NDCGGain, CodeVersion: Version, Now: now.Format(time.RFC3339), Systems: list, Questions: questions,
	}, nil
}
