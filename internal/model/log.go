package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ragbench/internal/rag"
)

// CallStore keeps model calls. Implementations are safe for use by several goroutines.
type CallStore interface {
	// Lookup returns the stored reply of a key, or nil. Failed calls are never returned.
	Lookup(ctx context.Context, key Key) (*Stored, error)
	// Failure returns the newest stored failure of a key, or nil.
	Failure(ctx context.Context, key Key) (*Stored, error)
	// Save stores one call that belongs to no question, in a transaction of its own, and returns its id.
	Save(ctx context.Context, r *Record) (int64, error)
	// Learned lists what earlier calls taught about the parameters of models.
	Learned(ctx context.Context) ([]Learned, error)
}

// Stored is what the log knows of an earlier call.
type Stored struct {
	ID        int64
	Status    string
	Response  string // JSON
	Error     string
	Usage     TokenUsage
	LatencyMS float64
	Attempts  int
	Vectors   [][]float32 // of an embedding call that kept them
	Tokens    []int
}

// Guard runs one request to a provider: it waits until the request may start, calls send, and calls it again when the
// failure may pass. est is the estimated number of tokens. It returns how often send ran.
type Guard func(ctx context.Context, id Identity, est int, send func(context.Context) error) (attempts int, err error)

// LogOptions are the options of a Log.
type LogOptions struct {
	Now     func() time.Time // required
	Prices  *PriceTable      // nil: the built-in table
	Guard   Guard            // nil: one attempt of 120 s, no limit
	NoReuse bool             // call the model even when the reply is stored
	Sampled bool             // reuse replies that were sampled, too, told apart by Repeat
	Queries bool             // reuse vectors of questions, too, so that their embedding is not timed again
	Replay  bool             // answer from the store alone: a missing call is rag.ErrNotStored
	Shared  CallStore        // a second store that several files share: read after the own one, and written at once
	Secrets []string         // values that no row may hold, beside the keys of the models
}

// Log is the one way to a model: every request passes it, whatever the provider.
//
// A chat request at temperature 0 and a decision whose reply is stored are answered from the store, with the original
// latency and the full standalone price of today; identical requests in flight share one call. Mock models are always
// asked, as that is cheaper and makes rows independent of timing. Failed calls are recorded and never reused.
type Log struct {
	store CallStore
	opts  LogOptions
	run   atomic.Int64
	fresh atomic.Bool
	spent spending

	mu      sync.Mutex
	secrets []string
	learned []Learned
	flights map[Key]*flight
	pending pending
}

// flight is a call that requests may share.
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
	return &Log{store: store, opts: opts, secrets: opts.Secrets, flights: map[Key]*flight{}, pending: newPending()}
}

// Prices returns the price table the log charges by.
func (l *Log) Prices() *PriceTable { return l.opts.Prices }

// Fresh makes every request go to its model from now on, stored reply or not, as a measurement of latency needs it.
func (l *Log) Fresh(on bool) { l.fresh.Store(on) }

// SetRun names the run that pays for the calls from now on; 0 for none.
func (l *Log) SetRun(id int64) { l.run.Store(id) }

// Recall reads what earlier calls taught about the parameters of models. Models that are put behind the log afterwards
// know it.
func (l *Log) Recall(ctx context.Context) error {
	stores := []CallStore{l.store}
	if l.opts.Shared != nil && !l.opts.Replay {
		stores = append(stores, l.opts.Shared)
	}
	for _, s := range stores {
		facts, err := s.Learned(ctx)
		if err != nil {
			return fmt.Errorf("read what models have taught: %w", err)
		}
		l.learned = append(l.learned, facts...)
	}
	return nil
}

// admit takes up a model: its secrets are kept out of every row, and it is told what its earlier calls taught.
func (l *Log) admit(id Identity, p any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secrets = append(l.secrets[:len(l.secrets):len(l.secrets)], id.secrets...)
	if p, ok := p.(Learner); ok {
		for _, f := range l.learned {
			p.Know(f)
		}
	}
}

// redact takes the secrets of all models out of a text.
func (l *Log) redact(s string) string {
	l.mu.Lock()
	secrets := l.secrets
	l.mu.Unlock()
	return redact(s, secrets)
}

// answer gets the reply to a request: from the store where it may be reused, from a call in flight, or by call. cached
// tells that nothing was paid.
func (l *Log) answer(ctx context.Context, r *Record, id Identity, reuse bool, call func() (outcome, error)) (out outcome, cached bool, err error) {
	switch {
	case id.Mock:
		out, err = call()
	case l.opts.Replay:
		out, err = l.replay(ctx, r)
		cached = err == nil
	case reuse && !l.opts.NoReuse && !l.fresh.Load():
		return l.shared(ctx, r.Key, call)
	default:
		out, err = call()
	}
	return out, cached, err
}

// shared answers a request from the store, from a call in flight, or by call. The second result tells whether it was
// one of the first two.
func (l *Log) shared(ctx context.Context, key Key, call func() (outcome, error)) (outcome, bool, error) {
	for {
		l.mu.Lock()
		if out, ok := l.pending.find(key); ok {
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
		if f.err == nil && f.out.id == 0 {
			l.pending.add(key, f.out)
		}
		l.mu.Unlock()
		close(f.done)
	}()
	st, foreign, err := l.lookup(ctx, key)
	switch {
	case err != nil:
		f.err = fmt.Errorf("look up call: %w", err)
	case st != nil:
		f.out, f.err = restore(st, foreign)
		return f.out, f.err == nil, f.err
	default:
		f.out, f.err = call()
	}
	return f.out, false, f.err
}

// lookup finds a stored reply in the file, then in the shared store; foreign says that it is from there.
func (l *Log) lookup(ctx context.Context, key Key) (st *Stored, foreign bool, err error) {
	if st, err = l.store.Lookup(ctx, key); err != nil || st != nil || l.opts.Shared == nil {
		return st, false, err
	}
	st, err = l.opts.Shared.Lookup(ctx, key)
	return st, true, err
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
			err = within(ctx, requestTimeout, timed)
		} else {
			out.attempts, err = l.opts.Guard(ctx, id, est, timed)
			out.attempts = max(1, out.attempts)
		}
		out.latencyMS = max(0, float64(last)/float64(time.Millisecond))
	}
	if err != nil {
		l.mu.Lock()
		secrets := l.secrets
		l.mu.Unlock()
		return out, callError(err, secrets)
	}
	return out, nil
}

// servedName returns the model name of a reply, without secrets, where it is not the one that was asked for.
func (l *Log) servedName(id *Identity, served string) string {
	if served == "" || strings.HasSuffix(id.Ref, ":"+served) || strings.HasSuffix(id.Ref, "/"+served) {
		return ""
	}
	return l.redact(served)
}

// finish completes the record of a call, gives it to rec or stores it, and returns what the caller learns. Writing a
// record of a failed call does not hide the failure: both errors are returned.
func (l *Log) finish(ctx context.Context, rec *Recorder, r *Record, id Identity, out outcome, cached bool, callErr error) (rag.Call, error) {
	l.complete(r, id, &out, cached, callErr)
	if errors.Is(callErr, rag.ErrNotStored) {
		return rag.Call{Kind: r.Kind}, callErr // there was no call
	}
	call := rag.Call{
		Kind: r.Kind, PromptTokens: r.Usage.Prompt, CompletionTokens: r.Usage.Completion,
		CachedTokens: r.Usage.Cached, ReasoningTokens: r.Usage.Reasoning,
		Cost: r.Cost, LatencyMS: r.LatencyMS, Cached: cached,
	}
	if !cached && l.opts.Shared != nil && !l.opts.Replay && !id.Mock && callErr == nil {
		if _, err := l.opts.Shared.Save(context.WithoutCancel(ctx), r.copy()); err != nil {
			return call, fmt.Errorf("store call in the shared cache: %w", err)
		}
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
		l.mu.Lock()
		l.pending.drop(r.Key)
		l.mu.Unlock()
	}
	call.ID = r.ID
	return call, callErr
}

// complete fills the record from the outcome of its call and books what was paid.
func (l *Log) complete(r *Record, id Identity, out *outcome, cached bool, callErr error) {
	r.ID, r.stored, r.Requested, r.Used, r.BaseURL = out.id, out.id != 0, id.Ref, id.Ref, id.BaseURL
	r.Status, r.Response, r.Usage, r.Vectors, r.Tokens = out.status, out.response, out.usage, out.vectors, out.tokens
	r.LatencyMS, r.Attempts, r.CreatedAt, r.Cached = out.latencyMS, max(1, out.attempts), out.created, cached
	if r.CreatedAt.IsZero() {
		r.CreatedAt = l.opts.Now()
	}
	if callErr != nil {
		r.Status, r.Response, r.Error = "error", "{}", callErr.Error()
		var e *CallError
		if errors.As(callErr, &e) && e.status() == "context_length" {
			r.Status = "context_length"
		}
	}
	r.Price = l.opts.Prices.Find(id)
	r.Cost = r.Price.Cost(r.Usage)
	if !out.foreign {
		r.RunID = l.run.Load()
	}
	if !id.Mock && !errors.Is(callErr, rag.ErrNotStored) {
		l.spent.add(r)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending.watch(r)
}
