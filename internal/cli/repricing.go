package cli

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"ragbench/internal/model"
	"ragbench/internal/rag"
)

// repricing computes the costs of a run from its calls.
type repricing struct {
	table   *model.PriceTable
	prices  map[string]*model.Price
	answers map[int64]*costs
}

// costs is an answer on its way: by purpose, and by step.
type costs struct {
	by    map[string]rag.Cost
	steps map[int]rag.Cost
}

// purposes are the costs of an answer, in the order of the statement put_costs.
var purposes = []string{"embedding", "llm", "rerank", "query_rewrite", "tool", "decision"}

// cost prices tokens of a model. No tokens cost nothing, whatever the model.
func (r *repricing) cost(ref string, u model.TokenUsage) rag.Cost {
	if u == (model.TokenUsage{}) {
		return rag.Cost{}
	}
	p, ok := r.prices[ref]
	if !ok {
		p = r.table.FindRef(ref)
		r.prices[ref] = p
	}
	return p.Cost(u)
}

// calls adds up the steps of every answer: vectors by the tokens of their texts, as they are charged whether or not they
// were there; every other call by its tokens; a step that cost something without a call keeps its cost.
func (r *repricing) calls(ctx context.Context, tx *sql.Tx, run int64) error {
	rows, err := tx.QueryContext(ctx, moneySQL.SQL("priced_steps"), named("run_id", run))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var answer int64
		var position, calls int
		var name, embedder string
		var tokens int
		var old sql.NullFloat64
		if err := rows.Scan(&answer, &position, &name, &tokens, &old, &calls, &embedder); err != nil {
			return err
		}
		r.add(answer, position, "embedding", r.cost(embedder, model.TokenUsage{Prompt: tokens}))
		if calls == 0 && tokens == 0 && name != "untracked" && old.Valid {
			r.add(answer, position, "tool", rag.Cost{USD: old.Float64})
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return r.chats(ctx, tx, run)
}

func (r *repricing) chats(ctx context.Context, tx *sql.Tx, run int64) error {
	rows, err := tx.QueryContext(ctx, moneySQL.SQL("priced_calls"), named("run_id", run))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var answer int64
		var position int
		var booked, ref string
		var u model.TokenUsage
		if err := rows.Scan(&answer, &position, &booked, &ref, &u.Prompt, &u.Completion, &u.Cached, &u.Reasoning); err != nil {
			return err
		}
		r.add(answer, position, booked, r.cost(ref, u))
	}
	return rows.Err()
}

func (r *repricing) add(answer int64, position int, purpose string, c rag.Cost) {
	a := r.answers[answer]
	if a == nil {
		a = &costs{by: map[string]rag.Cost{}, steps: map[int]rag.Cost{}}
		r.answers[answer] = a
	}
	a.by[purpose] = a.by[purpose].Plus(c)
	a.steps[position] = a.steps[position].Plus(c)
}

// write stores the costs of steps and answers.
func (r *repricing) write(ctx context.Context, tx *sql.Tx, run int64) error {
	for _, id := range slices.Sorted(maps.Keys(r.answers)) {
		a := r.answers[id]
		for position, c := range a.steps {
			if _, err := tx.ExecContext(ctx, moneySQL.SQL("put_step_cost"), usd(c), id, position); err != nil {
				return fmt.Errorf("step %d of answer %d: %w", position, id, err)
			}
		}
		var total rag.Cost
		args := []any{}
		for _, p := range purposes {
			total = total.Plus(a.by[p])
			args = append(args, usd(a.by[p]))
		}
		if _, err := tx.ExecContext(ctx, moneySQL.SQL("put_costs"), append(args, usd(total), id)...); err != nil {
			return fmt.Errorf("answer %d: %w", id, err)
		}
	}
	return nil
}

// ingestions prices what the systems took in.
func (r *repricing) ingestions(ctx context.Context, tx *sql.Tx, run int64) error {
	type row struct {
		system                   int64
		embedding, input, output int
		embedder, generator      string
	}
	var list []row
	rows, err := tx.QueryContext(ctx, moneySQL.SQL("priced_ingestions"), named("run_id", run))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var i row
		if err := rows.Scan(&i.system, &i.embedding, &i.input, &i.output, &i.embedder, &i.generator); err != nil {
			return err
		}
		list = append(list, i)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, i := range list {
		c := r.cost(i.embedder, model.TokenUsage{Prompt: i.embedding}).Plus(r.cost(i.generator, model.TokenUsage{Prompt: i.input, Completion: i.output}))
		if _, err := tx.ExecContext(ctx, moneySQL.SQL("put_ingestion_cost"), usd(c), i.system); err != nil {
			return err
		}
	}
	return nil
}

func usd(c rag.Cost) any {
	if c.Unknown {
		return nil
	}
	return c.USD
}
