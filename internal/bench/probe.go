package bench

import (
	"context"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// Probe asks n questions of each system again, evenly spaced among those with a good answer, one at a time and one system
// after the other, so that no request waits for another. The caller sees to it that no stored reply is used. A question
// that fails is left out; a system that is not finished has no probe. It returns how many were asked.
func Probe(ctx context.Context, env Env, plan Plan, n int, done []SystemDone) (asked int, err error) {
	good, err := env.DB.GoodCells(ctx, plan.Run.ID)
	if err != nil {
		return 0, err
	}
	for i, s := range plan.Systems {
		if i >= len(done) || !done[i].Complete() {
			continue
		}
		var ok []int
		for q := range plan.Questions {
			if good[store.Cell{SystemID: s.ID, QuestionID: plan.Questions[q].RowID}] {
				ok = append(ok, q)
			}
		}
		for _, q := range spaced(ok, n) {
			if stop(env, plan) {
				return asked, nil
			}
			c := ask(ctx, env, plan, i, q)
			if err := ctx.Err(); err != nil {
				return asked, err
			}
			if c.Err != "" {
				continue
			}
			p := store.Probe{Cell: c.Cell, Latency: c.Latency, Calls: len(c.calls), Cost: paid(c.calls)}
			if err := env.DB.PutProbe(ctx, p); err != nil {
				return asked, fmt.Errorf("probe %s: %w", s.Name, err)
			}
			asked++
		}
	}
	return asked, nil
}

// spaced picks n of list, evenly, the first among them.
func spaced(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	out := make([]int, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// paid is what calls cost.
func paid(calls []rag.Call) (sum rag.Cost) {
	for _, c := range calls {
		if !c.Cached {
			sum = sum.Plus(c.Cost)
		}
	}
	return sum
}
