package model

import "sync"

// Spend is what the calls of a process cost, in US dollars.
type Spend struct {
	Paid     float64 // for calls that were sent
	Saved    float64 // the price of calls that were answered from the log
	Unpriced int     // calls that were sent and have no price
	Sent     int     // calls that were sent to a provider, mock models apart
	Cached   int     // calls that were answered from the log
}

// spending adds up what is spent.
type spending struct {
	mu  sync.Mutex
	sum Spend
}

func (s *spending) add(r *Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.Cached:
		s.sum.Cached++
		s.sum.Saved += r.Cost.USD
	case r.Cost.Unknown && !r.failed():
		s.sum.Sent++
		s.sum.Unpriced++
	default:
		s.sum.Sent++
		s.sum.Paid += r.Cost.USD
	}
}

// Spent returns what the calls that passed the log have cost so far.
func (l *Log) Spent() Spend {
	l.spent.mu.Lock()
	defer l.spent.mu.Unlock()
	return l.spent.sum
}
