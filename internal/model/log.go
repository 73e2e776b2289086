package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ragbench/internal/rag"
)

// CallStore keeps model calls. Implementations are safe for use by several goroutines.
type CallStore interface {
	// Lookup returns the stored call of a key, or nil. Failed calls are never returned.
	Lookup(ctx context.Context, key Key) (*Stored, error)
	// Save stores one call that belongs to no question, in a transaction of its own, and returns its id.
	Save(ctx context.Context, r *Record) (int64, error)
}

// Stored is what the log knows of an earlier call.
type Stored struct {
	ID        int64
	Status    string
	Response  string // JSON
	Usage     TokenUsage
	LatencyMS float64
}

// Guard runs one request to a provider: it waits until the request may start, calls send, and calls it again when the
// failure may pass. est is the estimated number of tokens. It returns how often send ran.
type Guard func(ctx context.Context, id Identity, est int, send func(context.Context) error) (attempts int, err error)

// LogOptions are the options of a Log.
type LogOptions struct {
	Now     func() time.Time // required
	Prices  *PriceTable      // nil: the built-in table
	Guard   Guard            // nil: one attempt, no limit
	NoReuse bool             // call the model even when the reply is stored
}

// Log is the one way to a model: every request passes it, whatever the provider.
//
// A chat request at temperature 0 that is stored with status ok is answered from the store, with its original latency
// and its full standalone price; identical requests in flight share one call. Mock models are always asked, as that is
// cheaper and makes rows independent of timing. Failed calls are recorded and never reused.
type Log struct {
	store CallStore
	opts  LogOptions

	mu      sync.Mutex
	flights map[Key]*flight
	pending map[Key]outcome // made in this process and perhaps not yet stored
}

// outcome is a reply without the request: what two identical requests share.
type outcome struct {
	id        int64 // of the stored call; 0 when it is not stored
	status    string
	response  string
	chat      chatResponse
	usage     TokenUsage
	latencyMS float64
	attempts  int
	created   time.Time
}

type flight struct {
	done    chan struct{}
	out     outcome
	err     error
	givenUp bool // the request that made the call was cancelled
}

// NewLog returns a log over store. It panics without a clock, a programming error.
func NewLog(store CallStore, opts LogOptions) *Log {
	if opts.Now == nil {
		panic("model: a log needs a clock")
	}
	if opts.Prices == nil {
		opts.Prices = NewPriceTable(nil)
	}
	return &Log{store: store, opts: opts, flights: map[Key]*flight{}, pending: map[Key]outcome{}}
}

// Prices returns the price table the log charges by.
func (l *Log) Prices() *PriceTable { return l.opts.Prices }

// Committed tells the log that records are in the store, so that it need not keep their replies itself. Not telling
// costs memory only.
func (l *Log) Committed(records []*Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range records {
		delete(l.pending, r.Key)
	}
}

// shared answers a request from the store, from a call in flight, or by call. The second result tells whether it was
// one of the first two.
func (l *Log) shared(ctx context.Context, key Key, call func() (outcome, error)) (outcome, bool, error) {
	for {
		l.mu.Lock()
		if out, ok := l.pending[key]; ok {
			l.mu.Unlock()
			return out, true, nil
		}
		f, ok := l.flights[key]
		if !ok {
			f = &flight{done: make(chan struct{}), err: errors.New("the call in flight ended without a result")}
			l.flights[key] = f
			l.mu.Unlock()
			return l.lead(ctx, key, f, call)
		}
		l.mu.Unlock()
		select {
		case <-ctx.Done():
			return outcome{}, false, ctx.Err()
		case <-f.done:
		}
		if f.err != nil && f.givenUp && ctx.Err() == nil {
			continue // not this request
		}
		return f.out, f.err == nil, f.err
	}
}

// lead makes the call that f stands for.
func (l *Log) lead(ctx context.Context, key Key, f *flight, call func() (outcome, error)) (out outcome, cached bool, err error) {
	defer func() {
		f.givenUp = ctx.Err() != nil
		l.mu.Lock()
		delete(l.flights, key)
		if f.err == nil && f.out.id == 0 && f.out.status == "ok" {
			l.pending[key] = f.out
		}
		l.mu.Unlock()
		close(f.done)
	}()
	st, err := l.store.Lookup(ctx, key)
	if err == nil && st != nil && st.Status == "ok" {
		f.out, f.err = restore(st)
		return f.out, f.err == nil, f.err
	}
	if err != nil {
		f.err = fmt.Errorf("look up call: %w", err)
	} else {
		f.out, f.err = call()
	}
	return f.out, false, f.err
}

// send runs one request under the guard and times it.
func (l *Log) send(ctx context.Context, id Identity, est int, f func(context.Context) error) (outcome, error) {
	out := outcome{created: l.opts.Now(), attempts: 1}
	err := ctx.Err()
	if err == nil {
		var last time.Duration
		timed := func(ctx context.Context) error {
			start := l.opts.Now()
			err := f(ctx)
			last = l.opts.Now().Sub(start)
			return err
		}
		if l.opts.Guard == nil {
			err = timed(ctx)
		} else {
			out.attempts, err = l.opts.Guard(ctx, id, est, timed)
			out.attempts = max(1, out.attempts)
		}
		out.latencyMS = max(0, float64(last)/float64(time.Millisecond))
	}
	if err != nil {
		return out, callError(err, id.secrets)
	}
	return out, nil
}

// servedName returns the model name of a reply, without secrets, where it is not the one that was asked for.
func (id *Identity) servedName(served string) string {
	if served == "" || strings.HasSuffix(id.Ref, ":"+served) || strings.HasSuffix(id.Ref, "/"+served) {
		return ""
	}
	return redact(served, id.secrets)
}

// finish completes the record of a call, gives it to rec or stores it, and returns what the caller learns. Writing a
// record of a failed call does not hide the failure: both errors are returned.
func (l *Log) finish(ctx context.Context, rec *Recorder, r *Record, id Identity, out outcome, cached bool, callErr error) (rag.Call, error) {
	r.ID, r.stored, r.Requested, r.Used = out.id, out.id != 0, id.Ref, id.Ref
	r.Status, r.Response, r.Usage = out.status, out.response, out.usage
	r.LatencyMS, r.Attempts, r.CreatedAt, r.Cached = out.latencyMS, max(1, out.attempts), out.created, cached
	if r.CreatedAt.IsZero() {
		r.CreatedAt = l.opts.Now()
	}
	if callErr != nil {
		r.Status, r.Response, r.Error = "error", "{}", callErr.Error()
	}
	r.Price = l.opts.Prices.Find(id)
	r.Cost = r.Price.Cost(r.Usage)
	call := rag.Call{
		PromptTokens: r.Usage.Prompt, CompletionTokens: r.Usage.Completion,
		CachedTokens: r.Usage.Cached, ReasoningTokens: r.Usage.Reasoning,
		Cost: r.Cost, LatencyMS: r.LatencyMS, Cached: cached,
	}
	if rec != nil {
		call.ID = rec.add(r)
		return call, callErr
	}
	if !r.stored {
		// A reply that was paid for is stored even when the request has been given up meanwhile.
		if _, err := l.store.Save(context.WithoutCancel(ctx), r); err != nil {
			return call, errors.Join(callErr, fmt.Errorf("store call: %w", err))
		}
		l.Committed([]*Record{r})
	}
	call.ID = r.ID
	return call, callErr
}
