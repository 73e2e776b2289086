package cli

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"ragbench/internal/config"
	"ragbench/internal/judge"
	"ragbench/internal/score"
)

// endJudge opens the judge of a run's end, before the run begins, so that a missing key is no late surprise. In a mock
// run the heuristic stands in for a model that is no mock; nil is no judge.
func (a *app) endJudge(c *config.Config, m *models, mode string) (judge.Judge, error) {
	if mode == "mock" && c.Judge.Kind == "llm" && !strings.HasPrefix(c.Judge.Model, "mock:") {
		a.say("mock run: answers are judged by their words instead of by %s", c.Judge.Model)
		c.Judge.Kind = "heuristic"
	}
	return a.judgeOf(c, m)
}

// judgeAtEnd judges the answers of a run that has come to its end, and stops when stop is closed. What is missing then
// is left to ragbench judge.
func (a *app) judgeAtEnd(ctx context.Context, f *file, c *config.Config, j judge.Judge, runID int64, stop <-chan struct{}) {
	if j == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := f.Write(ctx, func(tx *sql.Tx) error { return a.warnSelf(ctx, tx, runID, j.Name()) })
	if err == nil {
		err = a.runJudge(ctx, f, c, judge.Plan{RunID: runID, Judge: j}, c.Run.MaxWorkers)
	}
	if err != nil {
		a.say("%v; ragbench judge %d --judge %s goes on from there", err, runID, j.Name())
	}
}

// measure turns the answers and judgments of a run into numbers.
func (a *app) measure(ctx context.Context, f *file, c *config.Config, runID int64) error {
	return f.Write(ctx, func(tx *sql.Tx) error {
		if _, err := score.Run(ctx, tx, runID); err != nil {
			return err
		}
		if _, err := score.Answers(ctx, tx, runID); err != nil {
			return err
		}
		if _, err := score.Spans(ctx, tx, runID); err != nil {
			return err
		}
		name := judge.HeuristicName
		switch c.Judge.Kind {
		case "none":
			return nil
		case "llm":
			name = c.Judge.Model
		}
		if err := judge.Use(ctx, tx, runID, name); err != nil {
			return fmt.Errorf("take over the judgments: %w", err)
		}
		return nil
	})
}
