// Package bench runs a comparison: it ingests each system once, asks it every question, and writes each finished
// question in one transaction. It takes a rag.System and does not know which.
package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// System is one entry of a plan.
type System struct {
	ID       int64 // systems.system_id
	Name     string
	ContextK int // how many hits the generator reads
	rag.System
}

// Plan is everything a run needs. Systems and Questions are in the order of their rows.
type Plan struct {
	Run           store.Run
	Corpus        rag.Corpus
	Systems       []System
	Questions     []rag.Question
	Depth         int // retrieval depth: at least max(k_values)
	MaxWorkers    int // questions at a time of one system
	SystemWorkers int // systems at a time
	// MaxCost is the cap in US dollars: once Env.Spent has reached it, no system is ingested and no question started. What
	// is in flight is finished, so that what was paid for is kept. 0: no cap.
	MaxCost float64
}

// Env is what the runner needs from outside.
type Env struct {
	DB  *store.DB
	Now func() time.Time
	// SaveCalls stores the model calls of a question inside its transaction and returns the ids of each.
	SaveCalls func(ctx context.Context, tx *sql.Tx, calls []rag.Call) ([][]int64, error)
	// Spent is what the run has paid so far, in US dollars, with what it had paid before it was stopped. Only with MaxCost.
	Spent    func() float64
	Progress Progress
	// Stop, when closed, lets questions in flight finish and starts no new ones.
	Stop <-chan struct{}
}

// Progress is told what happens. Its methods are called from several goroutines.
type Progress interface {
	Ingesting(system string)
	Ingested(system string, r rag.IngestReport, wall time.Duration)
	Started(system string, done, total int)
	Asked(system string, failed bool)
}

// Result sums a run up.
type Result struct {
	Answered int // cells written now, good or failed
	Skipped  int // cells that had a good answer already
	Failed   int // cells of the run that hold an error, written now
	Total    int // cells of the run
	Stopped  bool
	Capped   bool         // stopped because the cap was reached
	Systems  []SystemDone // how far each system came, in the order of the plan
}

// SystemDone says how far a system came.
type SystemDone struct {
	ID              int64
	Name            string
	Answered, Total int // questions with a row, a failed one included
}

// Complete tells whether every question was asked.
func (s SystemDone) Complete() bool { return s.Answered == s.Total }

// ErrorRate is the share of failed cells.
func (r Result) ErrorRate() float64 {
	if r.Total == 0 {
		return 0
	}
	return float64(r.Failed) / float64(r.Total)
}

// Run ingests and asks. A question that fails is a row with its error; an error returned here is one of the file or of
// ingestion, or the cancellation of ctx.
func Run(ctx context.Context, env Env, plan Plan) (Result, error) {
	res := Result{Total: len(plan.Systems) * len(plan.Questions)}
	good, err := env.DB.GoodCells(ctx, plan.Run.ID)
	if err != nil {
		return res, err
	}
	res.Skipped = len(good)
	for _, s := range plan.Systems {
		if stop(env, plan) {
			return res.end(env, plan, good, nil), nil
		}
		if err := ingest(ctx, env, plan, s); err != nil {
			return res, err
		}
	}
	w, err := newWriter(ctx, env)
	if err != nil {
		return res, err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, plan.SystemWorkers))
	for i := range plan.Systems {
		g.Go(func() error { return askAll(gctx, env, plan, i, good, w) })
	}
	err = g.Wait()
	w.close()
	res.Answered, res.Failed = w.answered, w.failed
	res = res.end(env, plan, good, w.bySystem)
	res.Stopped = res.Stopped && err == nil
	return res, err
}

// end says how far the run came.
func (r Result) end(env Env, plan Plan, good map[store.Cell]bool, written map[int64]int) Result {
	for _, s := range plan.Systems {
		done := SystemDone{ID: s.ID, Name: s.Name, Answered: written[s.ID], Total: len(plan.Questions)}
		for _, q := range plan.Questions {
			if good[store.Cell{SystemID: s.ID, QuestionID: q.RowID}] {
				done.Answered++
			}
		}
		r.Stopped = r.Stopped || !done.Complete()
		r.Systems = append(r.Systems, done)
	}
	r.Capped = r.Stopped && capped(env, plan)
	return r
}

// ingest makes what a system needs and records what it took.
func ingest(ctx context.Context, env Env, plan Plan, s System) error {
	env.Progress.Ingesting(s.Name)
	start := env.Now()
	rep, err := s.Ingest(ctx, plan.Corpus)
	if err != nil {
		return fmt.Errorf("ingest for %s: %w", s.Name, err)
	}
	wall := env.Now().Sub(start)
	env.Progress.Ingested(s.Name, rep, wall)
	return env.DB.PutIngestion(ctx, s.ID, rep, float64(wall.Microseconds())/1000)
}

// askAll asks one system every question that has no good answer yet.
func askAll(ctx context.Context, env Env, plan Plan, system int, good map[store.Cell]bool, w *writer) error {
	s := plan.Systems[system]
	var todo []int
	for i, q := range plan.Questions {
		if !good[store.Cell{SystemID: s.ID, QuestionID: q.RowID}] {
			todo = append(todo, i)
		}
	}
	if stop(env, plan) {
		return nil
	}
	env.Progress.Started(s.Name, len(plan.Questions)-len(todo), len(plan.Questions))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, plan.MaxWorkers))
	for _, i := range todo {
		if stop(env, plan) || gctx.Err() != nil {
			break
		}
		g.Go(func() error {
			if stop(env, plan) {
				return nil // it was waiting for its turn
			}
			in := ask(gctx, env, plan, system, i)
			if gctx.Err() != nil {
				// Cancelled: the cell is not finished and is asked again next time, without the calls that it has made.
				return errors.Join(gctx.Err(), w.keep(context.WithoutCancel(gctx), in))
			}
			if err := w.put(gctx, in); err != nil {
				return fmt.Errorf("store the answer of %s to %s: %w", s.Name, plan.Questions[i].ID, err)
			}
			env.Progress.Asked(s.Name, in.Err != "")
			return nil
		})
	}
	return g.Wait()
}

// stop tells whether no new work is to be started.
func stop(env Env, plan Plan) bool { return stopped(env.Stop) || capped(env, plan) }

// capped tells whether the cap is reached.
func capped(env Env, plan Plan) bool {
	return plan.MaxCost > 0 && env.Spent != nil && env.Spent() >= plan.MaxCost
}

// stopped tells whether the channel is closed. A nil channel never is.
func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}
