package model

import (
	"context"
	"database/sql"

	"ragbench/internal/rag"
)

// The models themselves carry the record of each call in rag.Call.Record: whoever writes the answer stores it in the
// same transaction, through SaveCarried. Nothing is written before.
var (
	_ rag.Chat     = (*ChatLog)(nil)
	_ rag.Embedder = (*EmbedLog)(nil)
	_ rag.Decider  = (*DecideLog)(nil)
)

// Chat implements rag.Chat; see recordedChat.Chat. A failed call carries its record too.
func (c *ChatLog) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	rec := &Recorder{}
	reply, err := c.With(rec).Chat(ctx, req)
	reply.Call.Record = rec
	return reply, err
}

// Embed implements rag.Embedder; see recordedEmbedder.Embed. A failed call carries its record too.
func (e *EmbedLog) Embed(ctx context.Context, req rag.EmbedRequest) (rag.EmbedReply, error) {
	rec := &Recorder{}
	reply, err := e.With(rec).Embed(ctx, req)
	reply.Call.Record = rec
	return reply, err
}

// Decide implements rag.Decider. A failed call carries its record too.
func (d *DecideLog) Decide(ctx context.Context, input string, ps []rag.Predicate) ([]rag.Decision, rag.Call, error) {
	rec := &Recorder{}
	decisions, call, err := d.With(rec).Decide(ctx, input, ps)
	call.Record = rec
	return decisions, call, err
}

// SaveCarried stores the records that calls carry and returns the ids of each call's rows: several when a request went
// out in parts. See SaveCalls.
func SaveCarried(ctx context.Context, tx *sql.Tx, calls []rag.Call) ([][]int64, error) {
	var all []*Record
	each := make([][]*Record, len(calls))
	for i, c := range calls {
		if rec, ok := c.Record.(*Recorder); ok {
			each[i] = rec.Records()
			all = append(all, each[i]...)
		}
	}
	if err := SaveCalls(ctx, tx, all); err != nil {
		return nil, err
	}
	ids := make([][]int64, len(calls))
	for i, records := range each {
		for _, r := range records {
			ids[i] = append(ids[i], r.ID)
		}
	}
	return ids, nil
}
