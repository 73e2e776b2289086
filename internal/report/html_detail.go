package report

import (
	"context"
	"database/sql"
	"strconv"
)

// readDetail reads what each system made of one question.
func readDetail(ctx context.Context, r reader, run runInfo, q *questionRow, place map[int64]int, depth int, texts *textTable) (questionDetail, error) {
	d := questionDetail{Reference: q.reference, Answers: []answerDetail{}}
	question := sql.Named("question_id", q.rowID)
	// The labels are of the question alone.
	err := reader{q: r.q}.rows(ctx, "labels", []any{question}, func(rows *sql.Rows) error {
		var l labelDetail
		err := rows.Scan(&l.Doc, &l.Grade, &l.Relevant)
		d.Labels = append(d.Labels, l)
		return err
	})
	if err != nil {
		return d, err
	}
	at := map[int64]int{}
	err = r.rows(ctx, "answers", []any{question, sql.Named("ndcg", run.NDCG())}, func(rows *sql.Rows) error {
		var a answerDetail
		var system int64
		var ranked bool
		if err := rows.Scan(&a.id, &system, &a.Repeat, &a.Error, &a.Text, &a.Refuse, &a.Finish, &ranked, &a.MS, &a.NDCG, &a.Ranked, &a.First, &a.Context); err != nil {
			return err
		}
		a.System, a.Text, a.Error = place[system], clip(a.Text, answerChars), clip(a.Error, answerChars)
		a.MS, a.NDCG = shorten(a.MS), shorten(a.NDCG)
		at[a.id] = len(d.Answers)
		d.Answers = append(d.Answers, a)
		return nil
	})
	if err != nil {
		return d, err
	}
	err = r.rows(ctx, "hits", []any{question, sql.Named("depth", depth)}, func(rows *sql.Rows) error {
		var answer, rank int64
		var docRank, grade *int64
		var doc, passage string
		var score float64
		var context bool
		var relevant sql.NullBool
		if err := rows.Scan(&answer, &rank, &docRank, &doc, &score, &context, &grade, &relevant, &passage); err != nil {
			return err
		}
		flags := btoi(context) + 2*btoi(relevant.Bool) + 4*btoi(docRank == nil)
		h := hitDetail{rank, texts.put(doc), significantScore(score), grade, flags, texts.put(clip(passage, previewChars))}
		a := &d.Answers[at[answer]]
		a.Hits = append(a.Hits, h)
		return nil
	})
	if err != nil {
		return d, err
	}
	return d, r.rows(ctx, "steps", []any{question}, func(rows *sql.Rows) error {
		var answer int64
		var s stepDetail
		var input, output string
		if err := rows.Scan(&answer, &s.Step, &s.Start, &s.MS, &s.Tokens, &s.Cost, &input, &output, &s.Error); err != nil {
			return err
		}
		s.Input, s.Output = texts.put(clip(input, previewChars)), texts.put(clip(output, previewChars))
		s.Start, s.MS = *shorten(&s.Start), *shorten(&s.MS)
		s.Error = clip(s.Error, previewChars)
		a := &d.Answers[at[answer]]
		a.Steps = append(a.Steps, s)
		return nil
	})
}

// significantScore keeps six digits of a score: what a person compares.
func significantScore(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(finite(v), 'g', 6, 64), 64)
	if err != nil {
		return finite(v)
	}
	return short
}
