package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ragbench/internal/config"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// replayStored repeats a run of a file from what the file holds: configuration, dataset and calls.
func (a *app) replayStored(ctx context.Context, o runOptions, args []string) error {
	path, err := a.existingPath()
	if err != nil {
		return err
	}
	f, err := open(ctx, path, store.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := originalRun(ctx, f, args)
	if err != nil {
		return err
	}
	stored, err := f.RunConfig(ctx, id)
	if err != nil {
		return err
	}
	over, err := repeated(stored, o.over)
	if err != nil {
		return err
	}
	c, err := config.Parse(fmt.Sprintf("(run %d)", id), []byte(stored.Config), known(), over)
	if err != nil {
		return err
	}
	c.Run.Name = stored.Name // a file without a name is called after itself
	m := a.newModels(f, c)
	if m.err != nil {
		return m.err
	}
	ds, err := f.Dataset(ctx, stored.DatasetID)
	if err != nil {
		return err
	}
	a.say("replaying run %d of %s from its stored calls", id, path)
	j := &job{f: f, c: c, m: m, ds: ds, mode: "replay", path: path, over: over, json: o.json, original: id}
	return a.execute(ctx, j, stored.Mode == "mock")
}

// originalRun finds the run to repeat: the one that is named, or the newest that made its own calls.
func originalRun(ctx context.Context, f *file, args []string) (int64, error) {
	if len(args) > 0 && args[0] != "latest" {
		return findRun(ctx, f, args)
	}
	var id sql.NullInt64
	if err := f.Reader().QueryRowContext(ctx, moneySQL.SQL("newest_original")).Scan(&id); err != nil {
		return 0, fmt.Errorf("find the run to replay: %w", err)
	}
	if !id.Valid {
		return 0, errors.New("the file has no run to replay")
	}
	return id.Int64, nil
}

// repeated is what the command line of a stored run said, with what it says now about workers and systems.
func repeated(stored store.StoredRun, now config.Overrides) (config.Overrides, error) {
	var over config.Overrides
	if raw, ok := stored.Metadata["overrides"]; ok {
		if err := json.Unmarshal(raw, &over); err != nil {
			return over, fmt.Errorf("read the options of run %d: %w", stored.ID, err)
		}
	}
	if stored.Mode == "import" {
		return over, fmt.Errorf("run %d was imported: it made no calls", stored.ID)
	}
	over.Replay, over.Stored, over.NoCache = true, true, false
	if now.MaxWorkers > 0 {
		over.MaxWorkers = now.MaxWorkers
	}
	if now.SystemWorkers > 0 {
		over.SystemWorkers = now.SystemWorkers
	}
	if len(now.Only) > 0 {
		over.Only = now.Only
	}
	if len(now.Skip) > 0 {
		over.Skip = now.Skip
	}
	return over, nil
}

// findOriginal looks for the finished run that a replay by configuration repeats, live or mock, and returns the mode of
// its models. Without one the stored calls are replayed all the same, and times are the replay's own.
func (a *app) findOriginal(ctx context.Context, j *job, o runOptions) (string, error) {
	questions, err := questionsOf(ctx, j)
	if err != nil {
		return "", err
	}
	for _, mode := range []string{"live", "mock"} {
		c, err := a.runConfig(o)
		if err != nil {
			return "", err
		}
		if mode == "mock" {
			mockModels(c)
		}
		in, err := a.runInput(c, j.ds, mode, len(questions))
		if err != nil {
			return "", err
		}
		var id sql.NullInt64
		if err := j.f.Reader().QueryRowContext(ctx, moneySQL.SQL("run_of_config"), named("digest", in.ConfigSHA256)).Scan(&id); err != nil {
			return "", fmt.Errorf("find the run to replay: %w", err)
		}
		if id.Valid {
			j.original = id.Int64
			return mode, nil
		}
	}
	if o.over.Mock {
		return "mock", nil
	}
	return "live", nil
}

// repeatTimes gives a replay the times of the run it repeats, so that all its rows are those of that run.
func (a *app) repeatTimes(ctx context.Context, j *job, runID int64) error {
	if j.original == 0 {
		return nil
	}
	err := j.f.Write(ctx, func(tx *sql.Tx) error {
		for _, name := range []string{"recorded_answers", "recorded_steps", "recorded_calls", "recorded_ingestions", "recorded_probes"} {
			if _, err := tx.ExecContext(ctx, moneySQL.SQL(name), named("original", j.original), named("run_id", runID)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("take over the times of run %d: %w", j.original, err)
	}
	return nil
}

// checkReplay says how the replay compares with the run it repeats, and fails when a call was missing.
func (a *app) checkReplay(ctx context.Context, j *job, runID int64) error {
	if j.mode != "replay" {
		return nil
	}
	var missing int
	var first sql.NullString
	err := j.f.Reader().QueryRowContext(ctx, moneySQL.SQL("missing_calls"), named("run_id", runID), named("words", rag.ErrNotStored.Error())).Scan(&missing, &first)
	if err != nil {
		return fmt.Errorf("count missing calls: %w", err)
	}
	if missing > 0 {
		return fmt.Errorf("%d questions need a call that the file does not hold, such as: %s", missing, first.String)
	}
	if j.original == 0 {
		return nil
	}
	var differing int
	if err := j.f.Reader().QueryRowContext(ctx, moneySQL.SQL("differing_answers"), named("original", j.original), named("run_id", runID)).Scan(&differing); err != nil {
		return fmt.Errorf("compare with run %d: %w", j.original, err)
	}
	if differing > 0 {
		a.say("%d answers differ from those of run %d: the program, or its options, have changed since", differing, j.original)
	} else {
		a.say("every answer is that of run %d", j.original)
	}
	return nil
}
