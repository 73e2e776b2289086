package cli

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ragbench/internal/bench"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// runOptions are the flags of run.
type runOptions struct {
	config string
	preset string
	over   config.Overrides
	json   bool
	yes    bool
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run -c CONFIG | --preset NAME | --replay [RUN]",
		Short: "Run every system on every question and score the rankings",
		Long: "run ingests what the file lacks, asks every system every question, writes each finished question in one transaction, scores\n" +
			"the rankings and prints the leaderboard. Interrupted, by Ctrl-C or by force, it goes on where it stopped when typed again.\n" +
			"A live run is estimated first and asks when it costs more than cost_confirm_threshold_usd. With --replay every model answers from\n" +
			"the calls in the file: no key, no network; without a configuration, RUN (or the newest) is repeated.",
		Example: `  ragbench run -c configs/demo.yaml --mock
  ragbench run -c configs/all.yaml --only bm25,hybrid --max-workers 8
  ragbench run -c my.yaml --dataset ./my-documents --db my.db
  ragbench run --preset standard --dataset ./my-documents
  ragbench run --replay --db demo.db            the newest run of a file again, from its stored calls`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.over.Replay && o.config == "" && o.preset == "" {
				return a.replayStored(cmd.Context(), o, args)
			}
			if len(args) > 0 {
				return fmt.Errorf("run takes no argument %q; a RUN is named with --replay alone", args[0])
			}
			return a.run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file")
	cmd.Flags().StringVar(&o.preset, "preset", "", "a ready list of systems instead of a configuration: "+strings.Join(config.Presets(), ", "))
	cmd.Flags().StringVar(&o.over.Dataset, "dataset", "", "dataset folder, instead of the configuration's; of a preset: demo")
	overrideFlags(cmd, &o.over)
	cmd.Flags().IntVar(&o.over.MaxWorkers, "max-workers", 0, "questions at a time within a system")
	cmd.Flags().IntVar(&o.over.SystemWorkers, "system-workers", 0, "systems at a time")
	cmd.Flags().BoolVar(&o.over.Replay, "replay", false, "answer from the calls in the file alone: no key, no network, no cost")
	cmd.Flags().BoolVar(&o.over.NoCache, "no-cache", false, "ask every model again, stored reply or not")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask before a run that costs money")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

// job is a run that is ready to start.
type job struct {
	f         *file
	c         *config.Config
	m         *models
	ds        store.Dataset
	list      []bench.System
	questions []rag.Question
	mode      string
	path      string
	over      config.Overrides
	json, yes bool
	original  int64 // in a replay, the run that is repeated; 0: not known
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
	ds, _, err := a.storeDataset(ctx, f, c.Dataset)
	if err != nil {
		return failed(err)
	}
	j := &job{f: f, c: c, m: m, ds: ds, mode: mode, path: path, over: o.over, json: o.json, yes: o.yes}
	if mode == "replay" {
		if mode, err = a.findOriginal(ctx, j, o); err != nil {
			return err
		}
	}
	return a.execute(ctx, j, mode == "mock")
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
func (a *app) execute(ctx context.Context, j *job, mock bool) (err error) {
	if j.questions, err = questionsOf(ctx, j); err != nil {
		return err
	}
	warnings := priceWarnings(j, a.now())
	if mock {
		mockModels(j.c)
		a.say("mock run: models are simulated, answers are no evidence about quality")
	} else if j.mode == "live" {
		if err := a.confirm(ctx, j, warnings); err != nil {
			return err
		}
	}
	if j.list, err = a.build(j.f, j.c, j.m); err != nil {
		return err
	}
	kind := j.mode
	if mock {
		kind = "mock"
	}
	referee, err := a.endJudge(j.c, j.m, kind)
	if err != nil {
		return err
	}
	run, err := a.start(ctx, j, warnings)
	if err != nil {
		return err
	}
	plan := bench.Plan{
		Run: run, Corpus: j.ds.Corpus(), Systems: j.list, Questions: j.questions,
		MaxWorkers: j.c.Run.MaxWorkers, SystemWorkers: j.c.Run.SystemWorkers, MaxCost: j.c.Run.MaxCostUSD,
	}
	for i := range j.list {
		plan.Depth = max(plan.Depth, j.c.Systems[i].Depth)
	}
	stop := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	progress := newProgress(a.Err, a.getenv, a.now)
	done := a.watchInterrupts(progress, stop, cancel)
	defer close(done)
	env := bench.Env{DB: j.f.DB, Now: a.now, SaveCalls: model.SaveCarried, Progress: progress, Stop: stop}
	if env.Spent, err = a.spending(ctx, j, run.ID); err != nil {
		return failed(err)
	}
	res, runErr := bench.Run(ctx, env, plan)
	progress.close()
	if runErr == nil && !res.Capped {
		a.judgeAtEnd(ctx, j.f, j.c, referee, run.ID, stop)
	}
	if runErr == nil && j.mode == "live" {
		runErr = a.probe(ctx, j, env, plan, res)
	}
	return a.finish(context.WithoutCancel(ctx), j, run, res, runErr)
}

// questionsOf lists the questions of a job.
func questionsOf(ctx context.Context, j *job) ([]rag.Question, error) {
	questions, err := j.f.Questions(ctx, j.ds.ID)
	if err != nil {
		return nil, failed(err)
	}
	if n := j.c.Evaluation.MaxQuestions; n > 0 && n < len(questions) {
		questions = questions[:n]
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("dataset %s has no questions to ask", j.ds.Name)
	}
	return questions, nil
}

// start makes the rows of the run, or finds those of one that had not come to its end.
func (a *app) start(ctx context.Context, j *job, warnings []string) (store.Run, error) {
	in, err := a.runInput(j.c, j.ds, j.mode, len(j.questions))
	if err != nil {
		return store.Run{}, err
	}
	prices := j.m.log.Prices().PriceRows()
	if err := j.f.Write(ctx, func(tx *sql.Tx) error { return model.SavePrices(ctx, tx, prices) }); err != nil {
		return store.Run{}, failed(err)
	}
	run, err := j.f.StartRun(ctx, in)
	if err != nil {
		return run, failed(err)
	}
	if run.Resumed {
		a.say("going on with run %d, which had not come to its end", run.ID)
	}
	for i := range j.list {
		j.list[i].ID = run.SystemIDs[i]
	}
	j.m.log.SetRun(run.ID)
	over := j.over
	over.MaxWorkers, over.SystemWorkers = 0, 0 // they decide no row
	notes := map[string]any{"overrides": over, "warnings": warnings}
	if j.original != 0 {
		notes["replay_of"] = j.original
	}
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		if err := j.f.Note(ctx, run.ID, key, notes[key]); err != nil {
			return run, failed(err)
		}
	}
	return run, nil
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
func (a *app) finish(ctx context.Context, j *job, run store.Run, res bench.Result, runErr error) error {
	if err := a.repeatTimes(ctx, j, run.ID); err != nil {
		return failed(errors.Join(runErr, err))
	}
	if err := a.measure(ctx, j.f, j.c, run.ID); err != nil {
		return failed(errors.Join(runErr, err))
	}
	status := "done"
	switch {
	case runErr != nil && !errors.Is(runErr, context.Canceled):
		status = "failed"
	case runErr != nil || res.Stopped:
		status = "stopped"
	}
	if err := j.f.SetRunStatus(ctx, run.ID, status, a.now().UTC().Format(time.RFC3339)); err != nil {
		return failed(errors.Join(runErr, err))
	}
	if status == "failed" {
		return failed(runErr)
	}
	if err := a.showRun(ctx, j.f, run.ID, j.json); err != nil {
		return failed(err)
	}
	if err := a.reportSpend(ctx, j, run.ID, res); err != nil {
		return failed(err)
	}
	if status == "stopped" {
		return failed(fmt.Errorf("stopped after %d of %d questions; the same command goes on from there", res.Answered+res.Skipped, res.Total))
	}
	if res.Failed > 0 {
		a.say("%d of %d questions failed: ragbench sql unanswered --db %s", res.Failed, res.Total, j.path)
	}
	if err := a.checkReplay(ctx, j, run.ID); err != nil {
		return failed(err)
	}
	if rate := res.ErrorRate(); rate > j.c.Run.MaxErrorRate {
		return failed(fmt.Errorf("%.0f %% of the questions failed, more than max_error_rate allows (%.0f %%)", 100*rate, 100*j.c.Run.MaxErrorRate))
	}
	return failed(a.expect(ctx, j.f, run.ID, j.c))
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
