package model

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"ragbench/internal/rag"
)

// DecideLog is a decision model behind the log.
type DecideLog struct {
	log *Log
	p   DecideProvider
	id  Identity
}

// Decider puts a decision model behind the log.
func (l *Log) Decider(p DecideProvider) *DecideLog {
	l.admit(p.Identity(), p)
	return &DecideLog{l, p, p.Identity()}
}

// Ref returns the full model reference.
func (d *DecideLog) Ref() string { return d.id.Ref }

// With returns the model with its calls recorded in rec; see ChatLog.With.
func (d *DecideLog) With(rec *Recorder) rag.Decider { return recordedDecider{d, rec} }

type recordedDecider struct {
	*DecideLog
	rec *Recorder
}

var _ rag.Decider = recordedDecider{}

type decideResponse struct {
	Answers []decideAnswer `json:"answers"`
	Served  string         `json:"served,omitempty"`
}

type decideAnswer struct {
	Name        string   `json:"name"`
	Probability *float64 `json:"probability"`
	Reason      string   `json:"reason,omitempty"`
}

// Decide implements rag.Decider: one decision a predicate, in the order of ps. A probability that is no number from 0
// to 1 is unknown, with a reason.
func (d recordedDecider) Decide(ctx context.Context, input string, ps []rag.Predicate) ([]rag.Decision, rag.Call, error) {
	r := &Record{Kind: "decision", Purpose: "decision", Key: decideKey(d.id, input, ps)}
	r.Request = requestJSON([]Param{{"model", quoteJSON(d.id.Ref)}, intParam("predicates", len(ps))})
	parts := []string{input}
	for _, p := range ps {
		parts = append(parts, p.Instructions)
	}
	r.Parts = messageParts([]rag.Message{{Role: "user", Parts: parts[:1]}, {Role: "user", Parts: parts[1:]}})
	out, cached, err := d.log.answer(ctx, r, d.id, true, func() (outcome, error) { return d.call(ctx, input, ps) })
	call, err := d.log.finish(ctx, d.rec, r, d.id, out, cached, err)
	if err != nil {
		return nil, call, fmt.Errorf("decide with %s: %w", d.id.Ref, err)
	}
	var body decideResponse
	if err := json.Unmarshal([]byte(out.response), &body); err != nil {
		return nil, call, fmt.Errorf("read the decisions of %s: %w", d.id.Ref, err)
	}
	list := make([]rag.Decision, len(body.Answers))
	for i, a := range body.Answers {
		list[i] = rag.Decision(a)
	}
	return list, call, nil
}

// call puts the predicates to the model.
func (d recordedDecider) call(ctx context.Context, input string, ps []rag.Predicate) (outcome, error) {
	var res DecideResult
	est := len(input) / 4
	for _, p := range ps {
		est += len(p.Instructions) / 4
	}
	out, err := d.log.send(ctx, d.id, est, func(ctx context.Context) (err error) {
		res, err = d.p.SendDecide(ctx, input, ps)
		if err == nil && len(res.Decisions) != len(ps) {
			err = &CallError{Message: fmt.Sprintf("the reply has %d decisions for %d predicates", len(res.Decisions), len(ps))}
		}
		return err
	})
	if err != nil {
		return out, err
	}
	out.status, out.usage = "ok", res.Usage
	out.response, err = d.response(&res)
	return out, err
}

func (d recordedDecider) response(res *DecideResult) (string, error) {
	body := decideResponse{Answers: make([]decideAnswer, len(res.Decisions)), Served: d.log.servedName(&d.id, res.Served)}
	for i := range res.Decisions {
		dec := &res.Decisions[i]
		if p := dec.Probability; p != nil && (math.IsNaN(*p) || *p < 0 || *p > 1) {
			dec.Probability, dec.Reason = nil, fmt.Sprintf("probability %v is out of range", *p)
		}
		dec.Reason = d.log.redact(dec.Reason)
		body.Answers[i] = decideAnswer{dec.Name, dec.Probability, dec.Reason}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("encode reply: %w", err) // unreachable: probabilities are numbers from 0 to 1
	}
	return string(b), nil
}
