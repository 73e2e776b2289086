package judge

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"sync"

	"ragbench/internal/rag"
	"ragbench/internal/sqlfile"
	"ragbench/internal/store"
)

//go:embed judge.sql
var files embed.FS

var statements = sqlfile.MustLoad(files, "judge.sql", "pending", "case", "relevant", "context", "rounds", "put", "drop_fallback",
	"main_judge", "set_main_judge", "clear_scores", "fill_scores", "systems", "own_models")

// Env is what judging works with.
type Env struct {
	DB *store.DB
	// SaveCalls stores the model calls of judgments in the transaction that writes these.
	SaveCalls func(ctx context.Context, tx *sql.Tx, calls []rag.Call) ([][]int64, error)
	Workers   int                   // answers at a time; 0 means 1
	Progress  func(done, total int) // may be nil
}

// Plan says what is judged.
type Plan struct {
	RunID     int64
	Judge     Judge
	Missing   bool // ask again for judgments that failed
	Sample    int  // judge so many answers, evenly spaced over those that are due; 0 means all
	Heuristic bool // let the heuristic stand in for a failed judgment, marked as a fallback
}

// Result counts what was judged.
type Result struct {
	Answers   int // judged
	Failed    int // of them those without a judgment of this judge
	Fallbacks int // of these those with the heuristic's
	Repaired  int // judgments whose reply had to be repaired or asked for again
	Cost      rag.Cost
}

// batch is how many answers are written in a transaction.
const batch = 64

// Run judges the answers of a run that lack a judgment and writes each batch in one transaction, in the order of the
// answers. It stops when ctx ends; what is written stays, and running again goes on from there.
func Run(ctx context.Context, env Env, p Plan) (Result, error) {
	var res Result
	ids, err := pending(ctx, env.DB, p)
	if err != nil {
		return res, fmt.Errorf("judge run %d: %w", p.RunID, err)
	}
	for start := 0; start < len(ids); start += batch {
		part := ids[start:min(start+batch, len(ids))]
		cases, verdicts, err := judgeAll(ctx, env, p, part)
		// What was judged before a failure was paid for, and is kept.
		if werr := write(context.WithoutCancel(ctx), env, p, cases, verdicts, &res); werr != nil {
			return res, fmt.Errorf("store judgments of run %d: %w", p.RunID, errors.Join(err, werr))
		}
		if err != nil {
			return res, fmt.Errorf("judge run %d: %w", p.RunID, err)
		}
		if env.Progress != nil {
			env.Progress(start+len(part), len(ids))
		}
	}
	return res, nil
}

// pending lists the answers to judge.
func pending(ctx context.Context, db *store.DB, p Plan) ([]int64, error) {
	rows, err := db.Reader().QueryContext(ctx, statements.SQL("pending"), sql.Named("run_id", p.RunID), sql.Named("judge", p.Judge.Name()),
		sql.Named("version", p.Judge.Version()), sql.Named("failed", p.Missing), sql.Named("samples", p.Judge.Samples()))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	if err := rows.Err(); err != nil || p.Sample <= 0 || p.Sample >= len(all) {
		return all, err
	}
	some := make([]int64, p.Sample)
	for i := range some {
		some[i] = all[i*len(all)/p.Sample]
	}
	return some, nil
}

// judgeAll judges answers, several at a time, and returns them with their verdicts in the order of ids. With an error, it
// returns those that were finished.
func judgeAll(ctx context.Context, env Env, p Plan, ids []int64) ([]*Case, [][]Verdict, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cases, verdicts := make([]*Case, len(ids)), make([][]Verdict, len(ids))
	work := make(chan int)
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	fail := func(err error) { once.Do(func() { first = err; cancel() }) }
	for range max(1, min(env.Workers, len(ids))) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				c, samples, err := readCase(ctx, env.DB, p, ids[i])
				var vs []Verdict
				if err == nil {
					vs, err = p.Judge.Judge(ctx, c, samples)
				}
				if err != nil {
					fail(fmt.Errorf("answer %d: %w", ids[i], err))
					continue
				}
				cases[i], verdicts[i] = c, vs
			}
		}()
	}
	for i := range ids {
		select {
		case work <- i:
		case <-ctx.Done():
			fail(ctx.Err())
		}
	}
	close(work)
	wg.Wait()
	done := 0
	for i := range cases {
		if cases[i] != nil {
			cases[done], verdicts[done] = cases[i], verdicts[i]
			done++
		}
	}
	return cases[:done], verdicts[:done], first
}

// write stores the verdicts of a batch with their calls.
func write(ctx context.Context, env Env, p Plan, cases []*Case, verdicts [][]Verdict, res *Result) error {
	var calls []rag.Call
	for _, vs := range verdicts {
		for _, v := range vs {
			calls = append(calls, v.Calls...)
		}
	}
	add := Result{}
	err := env.DB.Write(ctx, func(tx *sql.Tx) error {
		add = Result{}
		ids := make([][]int64, len(calls))
		if len(calls) > 0 {
			var err error
			if ids, err = env.SaveCalls(ctx, tx, calls); err != nil {
				return err
			}
		}
		w := writer{ctx: ctx, tx: tx, judge: p.Judge, ids: ids}
		for i, c := range cases {
			if err := w.answer(p, c, verdicts[i], &add); err != nil {
				return fmt.Errorf("answer %d: %w", c.AnswerID, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range calls {
		add.Cost = add.Cost.Plus(c.Cost)
	}
	res.Answers, res.Failed, res.Fallbacks = res.Answers+add.Answers, res.Failed+add.Failed, res.Fallbacks+add.Fallbacks
	res.Repaired, res.Cost = res.Repaired+add.Repaired, res.Cost.Plus(add.Cost)
	return nil
}
