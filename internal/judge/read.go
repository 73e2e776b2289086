package judge

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// readCase reads what a judge is shown of an answer, and which samples are due.
func readCase(ctx context.Context, db *store.DB, p Plan, answer int64) (*Case, []int, error) {
	c := &Case{AnswerID: answer, Rounds: map[int]int{}}
	var question int64
	var keywords string
	st, err := db.Prepare(ctx, statements.SQL("case"))
	if err != nil {
		return nil, nil, err
	}
	err = st.QueryRowContext(ctx, answer).Scan(&question, &c.Question, &c.Answerable, &c.Reference, &c.Answer, &c.Refused, &keywords, &c.Category, &c.AnswerType)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal([]byte(keywords), &c.Keywords); err != nil {
		return nil, nil, fmt.Errorf("read the keywords: %w", err)
	}
	if c.Relevant, err = readList(ctx, db, "relevant", func(rows *sql.Rows) (id string, err error) { return id, rows.Scan(&id) }, question); err != nil {
		return nil, nil, err
	}
	c.Context, err = readList(ctx, db, "context", func(rows *sql.Rows) (prompt.Block, error) {
		var k rag.Chunk
		err := rows.Scan(&k.DocID, &k.Key, &k.Text)
		return prompt.BlockOf(&k), err
	}, answer)
	if err != nil {
		return nil, nil, err
	}
	due, err := c.samples(ctx, db, p)
	return c, due, err
}

// samples lists the samples that are due and notes how often each has failed.
func (c *Case) samples(ctx context.Context, db *store.DB, p Plan) ([]int, error) {
	type earlier struct {
		sample, round int
		status        string
	}
	list, err := readList(ctx, db, "rounds", func(rows *sql.Rows) (e earlier, err error) {
		return e, rows.Scan(&e.sample, &e.status, &e.round)
	}, c.AnswerID, p.Judge.Name(), p.Judge.Version())
	if err != nil {
		return nil, err
	}
	there := map[int]bool{}
	for _, e := range list {
		c.judged = c.judged || e.status == OK
		there[e.sample] = e.status == OK || !p.Missing
		c.Rounds[e.sample] = e.round + 1
	}
	var due []int
	for s := range p.Judge.Samples() {
		if !there[s] {
			due = append(due, s)
		}
	}
	return due, nil
}

// readList reads the rows of a statement of the read pool.
func readList[T any](ctx context.Context, db *store.DB, name string, scan func(*sql.Rows) (T, error), args ...any) ([]T, error) {
	st, err := db.Prepare(ctx, statements.SQL(name))
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", name, err)
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
