package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ragbench/internal/rag"
)

// AnswerInput is everything a finished question leaves behind. It is written in one transaction, so that a question is
// there whole or not at all.
type AnswerInput struct {
	ID        int64
	Cell      Cell
	Err       string // not empty: the cell failed, and only the trace up to there is kept
	Answer    rag.Answer
	Ranking   rag.Ranking
	ContextK  int
	Steps     []rag.Step
	Calls     [][]StepCall // for each step, its model calls
	Usage     rag.Usage
	Latency   time.Duration
	Retrieval time.Duration
}

// StepCall is a model call of a step.
type StepCall struct {
	ID     int64  // model_calls.call_id
	Cached bool   // answered from the log
	Booked string // the cost of the answer it counts towards, as step_calls.booked lists them
}

// AnswerWriter writes answers inside one transaction after another, with statements prepared once.
type AnswerWriter struct {
	drop, answer, hit, step, call *sql.Stmt
}

// NewAnswerWriter prepares the statements on the writer connection.
func (db *DB) NewAnswerWriter(ctx context.Context) (*AnswerWriter, error) {
	w := &AnswerWriter{}
	for _, p := range []struct {
		name string
		st   **sql.Stmt
	}{{"drop_answer", &w.drop}, {"put_answer", &w.answer}, {"put_hit", &w.hit}, {"put_step", &w.step}, {"put_step_call", &w.call}} {
		st, err := db.writer.PrepareContext(ctx, runSQL.SQL(p.name))
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", p.name, err)
		}
		*p.st = st
	}
	return w, nil
}

// Close frees the statements.
func (w *AnswerWriter) Close() {
	for _, st := range []*sql.Stmt{w.drop, w.answer, w.hit, w.step, w.call} {
		st.Close()
	}
}

// Put writes one answer with its hits and steps, in place of an earlier failed one.
func (w *AnswerWriter) Put(ctx context.Context, tx *sql.Tx, in *AnswerInput) error {
	if _, err := tx.StmtContext(ctx, w.drop).ExecContext(ctx, sql.Named("answer_id", in.ID)); err != nil {
		return err
	}
	if err := w.putAnswer(ctx, tx, in); err != nil {
		return err
	}
	if err := w.putHits(ctx, tx, in); err != nil {
		return err
	}
	return w.putSteps(ctx, tx, in)
}

func (w *AnswerWriter) putAnswer(ctx context.Context, tx *sql.Tx, in *AnswerInput) error {
	status, errText := "ok", any(nil)
	text, refused, finish := any(in.Answer.Text), any(in.Answer.Refused), nullable(in.Answer.Finish)
	if in.Err != "" {
		status, errText, text, refused, finish = "error", in.Err, nil, nil, nil
	}
	meta := map[string]any{}
	for k, v := range in.Ranking.Metadata {
		meta[k] = v
	}
	for k, v := range in.Answer.Metadata {
		meta[k] = v
	}
	metaText, err := jsonText(meta)
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	u := in.Usage
	_, err = tx.StmtContext(ctx, w.answer).ExecContext(ctx, sql.Named("answer_id", in.ID), sql.Named("system_id", in.Cell.SystemID), sql.Named("question_id", in.Cell.QuestionID),
		sql.Named("status", status), sql.Named("error", errText), sql.Named("text", text), sql.Named("refused", refused), sql.Named("finish", finish),
		sql.Named("citations", listJSON(in.Answer.Citations)), sql.Named("ranked", !in.Ranking.Unscored), sql.Named("latency_ms", millis(in.Latency)),
		sql.Named("retrieval_ms", millis(in.Retrieval)), sql.Named("embedding_tokens", u.EmbeddingTokens), sql.Named("prompt_tokens", u.PromptTokens),
		sql.Named("completion_tokens", u.CompletionTokens), sql.Named("embedding_cost", dollars(u.Embedding)), sql.Named("llm_cost", dollars(u.LLM)),
		sql.Named("rerank_cost", dollars(u.Rerank)), sql.Named("query_rewrite_cost", dollars(u.QueryRewrite)), sql.Named("tool_cost", dollars(u.Tool)),
		sql.Named("decision_cost", dollars(u.Decision)), sql.Named("total_cost", dollars(u.Total())), sql.Named("metadata", metaText))
	return err
}

// putHits writes the final ranking and its legs. A document gets its rank among distinct documents at its first place.
func (w *AnswerWriter) putHits(ctx context.Context, tx *sql.Tx, in *AnswerInput) error {
	st := tx.StmtContext(ctx, w.hit)
	read := in.Ranking.Context
	if read == nil {
		read = in.Ranking.Hits[:min(in.ContextK, len(in.Ranking.Hits))]
	}
	inContext := make(map[int64]bool, len(read))
	for _, h := range read {
		inContext[h.Chunk.RowID] = true
	}
	for _, leg := range append([]rag.Leg{{Name: rag.LegFinal, Hits: in.Ranking.Hits}}, in.Ranking.Legs...) {
		docRank := make(map[string]int, len(leg.Hits))
		for i, h := range leg.Hits {
			var rank, meta any
			if _, seen := docRank[h.Chunk.DocID]; !seen {
				docRank[h.Chunk.DocID] = len(docRank) + 1
				rank = len(docRank)
			}
			if len(h.Metadata) > 0 {
				text, err := metadataJSON(h.Metadata)
				if err != nil {
					return err
				}
				meta = text
			}
			seen := leg.Name == rag.LegFinal && inContext[h.Chunk.RowID]
			if _, err := st.ExecContext(ctx, in.ID, leg.Name, i+1, h.Chunk.RowID, h.Chunk.DocID, rank, h.Score, seen, meta); err != nil {
				return fmt.Errorf("hit %d of %s: %w", i+1, leg.Name, err)
			}
		}
	}
	return nil
}

// putSteps writes the trace and which calls each step made.
func (w *AnswerWriter) putSteps(ctx context.Context, tx *sql.Tx, in *AnswerInput) error {
	st, call := tx.StmtContext(ctx, w.step), tx.StmtContext(ctx, w.call)
	for i, s := range in.Steps {
		meta, err := jsonText(s.Metadata)
		if err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		if len(s.Metadata) == 0 {
			meta = "{}"
		}
		_, err = st.ExecContext(ctx, in.ID, i, string(s.Kind), s.Name, millis(s.Start), millis(s.Latency), s.Input, s.Output,
			s.Usage.EmbeddingTokens, s.Usage.PromptTokens, s.Usage.CompletionTokens, dollars(s.Usage.Total()), nullable(s.Error), meta)
		if err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		if i >= len(in.Calls) {
			continue
		}
		for _, c := range in.Calls[i] {
			if _, err := call.ExecContext(ctx, in.ID, i, c.ID, c.Cached, c.Booked); err != nil {
				return fmt.Errorf("call of step %s: %w", s.Name, err)
			}
		}
	}
	return nil
}

// millis is a duration in milliseconds, to the microsecond.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
