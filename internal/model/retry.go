package model

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// What a failed request is given (as the Python original: 6 attempts, 1 s doubling to 30 s, 120 s a call).
const (
	maxAttempts    = 6
	firstDelay     = time.Second
	longestDelay   = 30 * time.Second
	requestTimeout = 120 * time.Second
	longestTotal   = 10 * time.Minute // attempts and pauses together
)

// mayPass tells whether the same request may succeed later: timeouts, conflicts, limits, failures of the server and of
// the network. A used-up quota does not come back within minutes.
func mayPass(err error) bool {
	var e *CallError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case 0:
		return e.Network
	case http.StatusRequestTimeout, http.StatusConflict:
		return true
	case http.StatusTooManyRequests:
		return e.Code != "insufficient_quota"
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented
}

// pause is how long to wait after the n-th attempt, from 1. jitter is a number from 0 to 1: the delay lies between half
// of it and the whole, so that requests that failed together do not come back together. What the server asks for is kept,
// with up to a tenth on top.
func pause(n int, retryAfter string, now time.Time, jitter float64) (d time.Duration, asked bool) {
	if d, ok := parseRetryAfter(retryAfter, now); ok {
		return d + time.Duration(jitter*float64(min(d, longestDelay))/10), true
	}
	d = longestDelay
	if n <= 10 {
		d = min(d, firstDelay<<(n-1))
	}
	return d/2 + time.Duration(jitter*float64(d/2)), false
}

// parseRetryAfter reads the header as seconds, whole or not, or as a date. A date in the past is no pause.
func parseRetryAfter(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	if sec, err := strconv.ParseFloat(s, 64); err == nil {
		if math.IsNaN(sec) || sec < 0 || sec > 1e9 {
			return 0, false
		}
		return time.Duration(sec * float64(time.Second)), true
	}
	t, err := http.ParseTime(s)
	if err != nil {
		return 0, false
	}
	return max(0, t.Sub(now)), true
}
