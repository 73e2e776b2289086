package judge

import (
	"context"
	"database/sql"
)

// writer stores verdicts inside one transaction.
type writer struct {
	ctx   context.Context
	tx    *sql.Tx
	judge Judge
	ids   [][]int64 // rows of the calls, in the order of the verdicts; taken from the front
}

// answer stores the verdicts of one answer, and the heuristic's where all of them failed and the plan says so.
func (w *writer) answer(p Plan, c *Case, vs []Verdict, res *Result) error {
	good := false
	for _, v := range vs {
		if err := w.put(c.AnswerID, w.judge.Name(), w.judge.Version(), &v); err != nil {
			return err
		}
		good = good || v.Status == OK
		if v.Repair != "" {
			res.Repaired++
		}
	}
	res.Answers++
	if good {
		_, err := w.tx.ExecContext(w.ctx, statements.SQL("drop_fallback"), c.AnswerID, w.judge.Name())
		return err
	}
	if c.judged {
		return nil // another sample was good before
	}
	res.Failed++
	if !p.Heuristic {
		return nil
	}
	res.Fallbacks++
	v := judgeByWords(c)
	v.Fallback, v.Reason = true, "in place of a failed judgment"
	return w.put(c.AnswerID, w.judge.Name(), heuristicVersion, &v)
}

// put stores one verdict.
func (w *writer) put(answer int64, judge, version string, v *Verdict) error {
	var last, before any
	for range v.Calls {
		before = last
		if ids := w.ids[0]; len(ids) > 0 {
			last = ids[len(ids)-1]
		}
		w.ids = w.ids[1:]
	}
	axes := make([]any, 5)
	if a := v.Axes; a != nil {
		axes = []any{a.Correctness, a.Faithfulness, a.Completeness, a.Relevance, a.CitationQuality}
	}
	return w.row(answer, judge, version, v, axes, []any{flag(v.Supported), flag(v.Hallucinated)}, last, before)
}

// row stores one judgment: axes in the order of Axes, then supported and hallucinated, each NULL where it is missing.
func (w *writer) row(answer int64, judge, version string, v *Verdict, axes, flags []any, call, before any) error {
	_, err := w.tx.ExecContext(w.ctx, statements.SQL("put"), sql.Named("answer_id", answer), sql.Named("judge", judge), sql.Named("version", version),
		sql.Named("sample", v.Sample), sql.Named("status", v.Status), sql.Named("fallback", v.Fallback), sql.Named("correctness", axes[0]),
		sql.Named("faithfulness", axes[1]), sql.Named("completeness", axes[2]), sql.Named("relevance", axes[3]),
		sql.Named("citation_quality", axes[4]), sql.Named("supported", flags[0]), sql.Named("hallucinated", flags[1]),
		sql.Named("reason", v.Reason), sql.Named("repair", v.Repair), sql.Named("round", v.Round), sql.Named("call_id", call), sql.Named("retry_of", before))
	return err
}

// flag is a boolean as stored: NULL when it was not said.
func flag(b *bool) any {
	if b == nil {
		return nil
	}
	return *b
}
