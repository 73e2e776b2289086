package model

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// Limits bound the requests to one provider. Zero means no bound, and the default for Timeout and Attempts.
type Limits struct {
	InFlight          int // requests at a time
	RequestsPerMinute int
	TokensPerMinute   int           // estimated input and the most output asked for
	Timeout           time.Duration // of one attempt; 0: 120 s
	Attempts          int           // in all; 0: 6
}

// wholeProvider is the weight that no two requests fit into together where the number in flight is not bounded.
const wholeProvider = 1 << 30

// limiter holds back the requests to one provider.
type limiter struct {
	limits   Limits
	slots    *semaphore.Weighted
	size     int64 // of slots
	requests *rate.Limiter
	tokens   *rate.Limiter

	mu    sync.Mutex
	until time.Time // the server asked for no request before
}

func newLimiter(l Limits) *limiter {
	out := &limiter{limits: l, size: wholeProvider}
	if l.InFlight > 0 {
		out.size = int64(l.InFlight)
	}
	out.slots = semaphore.NewWeighted(out.size)
	if n := l.RequestsPerMinute; n > 0 {
		out.requests = rate.NewLimiter(perMinute(n), max(1, n/10))
	}
	if n := l.TokensPerMinute; n > 0 {
		out.tokens = rate.NewLimiter(perMinute(n), n)
	}
	return out
}

func perMinute(n int) rate.Limit { return rate.Limit(float64(n) / 60) }

// clock is time as the limiter and the retries see it.
type clock struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

// acquire waits until a request of so many tokens may start and returns the function that ends it. A request of more
// tokens than a minute allows waits for the whole budget and goes alone.
func (l *limiter) acquire(ctx context.Context, c clock, tokens int) (release func(), err error) {
	weight := int64(1)
	if l.tokens != nil && tokens > l.tokens.Burst() {
		tokens, weight = l.tokens.Burst(), l.size
	}
	if err := l.slots.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	release = func() { l.slots.Release(weight) }
	if err := l.wait(ctx, c, tokens); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// wait sleeps until the rates and the server allow a request.
func (l *limiter) wait(ctx context.Context, c clock, tokens int) error {
	now := c.now()
	var delay time.Duration
	var held []*rate.Reservation
	reserve := func(r *rate.Limiter, n int) {
		if r != nil && n > 0 {
			held = append(held, r.ReserveN(now, n))
			delay = max(delay, held[len(held)-1].DelayFrom(now))
		}
	}
	reserve(l.requests, 1)
	reserve(l.tokens, tokens)
	l.mu.Lock()
	delay = max(delay, l.until.Sub(now))
	l.mu.Unlock()
	if delay <= 0 {
		return ctx.Err()
	}
	if err := c.sleep(ctx, delay); err != nil {
		for _, r := range held {
			r.CancelAt(c.now())
		}
		return err
	}
	return nil
}

// hold keeps every request of the provider back until a time.
func (l *limiter) hold(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until = until
	}
}
