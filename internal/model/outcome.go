package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ragbench/internal/rag"
)

// outcome is a reply without the request: what two identical requests share.
type outcome struct {
	id        int64 // of the stored call; 0 when the file does not hold it
	foreign   bool  // from the shared store
	status    string
	response  string
	chat      chatResponse
	usage     TokenUsage
	latencyMS float64
	attempts  int
	created   time.Time
	vectors   [][]float32
	tokens    []int
	truncated []bool // nil for a stored call
}

// restore reads a stored reply. Only a chat reply has fields of chatResponse; for other kinds they stay empty.
func restore(st *Stored, foreign bool) (outcome, error) {
	out := outcome{
		id: st.ID, foreign: foreign, status: st.Status, response: st.Response, usage: st.Usage, latencyMS: st.LatencyMS,
		attempts: st.Attempts, vectors: st.Vectors, tokens: st.Tokens,
	}
	if foreign {
		out.id = 0
	}
	if err := json.Unmarshal([]byte(st.Response), &out.chat); err != nil {
		return outcome{}, fmt.Errorf("read stored call %d: %w", st.ID, err)
	}
	return out, nil
}

// replay answers from the store alone. A call that failed fails again with the same words.
func (l *Log) replay(ctx context.Context, r *Record) (outcome, error) {
	st, err := l.store.Lookup(ctx, r.Key)
	if err != nil {
		return outcome{}, fmt.Errorf("look up call: %w", err)
	}
	if st != nil {
		return restore(st, false)
	}
	if st, err = l.store.Failure(ctx, r.Key); err != nil {
		return outcome{}, fmt.Errorf("look up call: %w", err)
	}
	if st != nil {
		e := &CallError{Message: st.Error}
		if st.Status == "context_length" {
			e.cause = rag.ErrContextLength
		}
		return outcome{id: st.ID, status: st.Status, latencyMS: st.LatencyMS, attempts: st.Attempts, usage: st.Usage}, e
	}
	return outcome{}, fmt.Errorf("%w: %s, purpose %s, key %x, %q", rag.ErrNotStored, r.Kind, r.Purpose, r.Key[:6], r.last())
}

// last is the beginning of the last text that was sent, to tell the call by.
func (r *Record) last() string {
	if len(r.Parts) == 0 {
		return ""
	}
	text := strings.Join(strings.Fields(r.Parts[len(r.Parts)-1].Text), " ")
	for i := range text {
		if i >= 80 {
			return text[:i] + "..."
		}
	}
	return text
}

// pending holds the replies that were made in this process and are perhaps not in the store yet. A reply is dropped some
// time after its record was written, so that the map does not grow with the run.
type pending struct {
	replies map[Key]outcome
	written []*Record // records whose replies may be dropped once they are saved
}

// sweepAt is the number of watched records at which those that were saved are dropped.
const sweepAt = 4096

func newPending() pending { return pending{replies: map[Key]outcome{}} }

func (p *pending) find(key Key) (outcome, bool) {
	out, ok := p.replies[key]
	return out, ok
}

func (p *pending) add(key Key, out outcome) { p.replies[key] = out }

// drop forgets a reply that is in the store.
func (p *pending) drop(key Key) { delete(p.replies, key) }

// watch remembers a record whose reply is pending. The older half of the records is looked at: their transactions have
// long been committed.
func (p *pending) watch(r *Record) {
	if _, ok := p.replies[r.Key]; !ok {
		return
	}
	p.written = append(p.written, r)
	if len(p.written) < sweepAt {
		return
	}
	left := p.written[:0]
	for i, r := range p.written {
		if i < sweepAt/2 && r.saved.Load() {
			delete(p.replies, r.Key)
		} else {
			left = append(left, r)
		}
	}
	clear(p.written[len(left):])
	p.written = left
}

// copy returns a record for a second store, as one that is in no store yet.
func (r *Record) copy() *Record {
	return &Record{
		Key: r.Key, Kind: r.Kind, Purpose: r.Purpose, Requested: r.Requested, Used: r.Used, BaseURL: r.BaseURL, Request: r.Request,
		Response: r.Response, Status: r.Status, Error: r.Error, Attempts: r.Attempts, Usage: r.Usage, LatencyMS: r.LatencyMS,
		Price: r.Price, Cost: r.Cost, CreatedAt: r.CreatedAt, Parts: r.Parts, Vectors: r.Vectors, Tokens: r.Tokens, Learned: r.Learned,
	}
}
