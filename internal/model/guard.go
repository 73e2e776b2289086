package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// GuardOptions are the options of NewGuard.
type GuardOptions struct {
	// Limits by provider: openai, anthropic, or openai_compatible:ENDPOINT.
	Limits map[string]Limits

	Now    func() time.Time                                 // required
	Sleep  func(ctx context.Context, d time.Duration) error // nil: a timer
	Jitter func() float64                                   // required: random numbers from 0 to 1
}

// NewGuard returns the guard that holds requests within the limits of their provider and makes those again whose failure
// may pass: up to 6 attempts, 1 s doubling to 30 s with jitter, Retry-After honoured for the whole provider, 120 s an
// attempt and 10 minutes in all. Nothing is held while it pauses. It panics without a clock, a programming error.
func NewGuard(o GuardOptions) Guard {
	g := &guard{opts: o, clock: clock{o.Now, o.Sleep}, limiters: map[string]*limiter{}}
	if g.now == nil || o.Jitter == nil {
		panic("model: a guard needs a clock and random numbers")
	}
	if g.sleep == nil {
		g.sleep = sleep
	}
	return g.run
}

type guard struct {
	clock
	opts GuardOptions

	mu       sync.Mutex
	limiters map[string]*limiter
}

// provider is the name limits go by: the part of a reference before the model.
func (id *Identity) provider() string {
	name, model, _ := strings.Cut(id.Ref, ":")
	if name == "openai_compatible" {
		endpoint, _, _ := strings.Cut(model, "/")
		name += ":" + endpoint
	}
	return name
}

func (g *guard) limiter(provider string) *limiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.limiters[provider]
	if l == nil {
		l = newLimiter(g.opts.Limits[provider])
		g.limiters[provider] = l
	}
	return l
}

// run implements Guard.
func (g *guard) run(ctx context.Context, id Identity, est int, send func(context.Context) error) (attempts int, err error) {
	if id.Mock {
		return 1, send(ctx)
	}
	l := g.limiter(id.provider())
	most := l.limits.Attempts
	if most <= 0 {
		most = maxAttempts
	}
	left := longestTotal
	for n := 1; ; n++ {
		took, err := g.attempt(ctx, l, est, send)
		left -= took
		if err == nil || ctx.Err() != nil || n >= most || !mayPass(err) {
			return n, err
		}
		var e *CallError
		errors.As(err, &e)
		now := g.now()
		d, asked := pause(n, e.RetryAfter, now, g.opts.Jitter())
		if left -= d; left < 0 {
			return n, giveUp(e, d)
		}
		if asked {
			l.hold(now.Add(d))
		}
		if err := g.sleep(ctx, d); err != nil {
			return n, err
		}
	}
}

// attempt makes one attempt within the limits and its time, and returns how long the attempt itself took.
func (g *guard) attempt(ctx context.Context, l *limiter, est int, send func(context.Context) error) (time.Duration, error) {
	release, err := l.acquire(ctx, g.clock, est)
	if err != nil {
		return 0, err
	}
	defer release()
	timeout := l.limits.Timeout
	if timeout <= 0 {
		timeout = requestTimeout
	}
	start := g.now()
	err = within(ctx, timeout, send)
	return g.now().Sub(start), err
}

// within runs send for so long at most. A send that ends because of that fails as one that got no reply, which may pass.
func within(ctx context.Context, timeout time.Duration, send func(context.Context) error) error {
	c, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := send(c)
	if err != nil && c.Err() != nil && ctx.Err() == nil {
		return &CallError{Message: fmt.Sprintf("no reply within %v", timeout), Network: true}
	}
	return err
}

// giveUp says that the pause after a failure is longer than what is left of the time.
func giveUp(e *CallError, d time.Duration) error {
	out := *e
	out.Message += fmt.Sprintf(" (gave up: the next attempt would be in %v)", d.Round(time.Second))
	return &out
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
