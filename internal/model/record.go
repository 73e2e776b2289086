package model

import (
	"crypto/sha256"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ragbench/internal/rag"
)

// Record is one model call as the tables model_calls, prompts and call_parts hold it.
type Record struct {
	ID        int64 // model_calls.call_id; 0 until it is stored
	Key       Key
	Kind      string // chat, embedding or decision
	Purpose   string
	Requested string // reference asked for
	Used      string // reference that answered
	BaseURL   string // where; empty for a model in this process
	Request   string // JSON: the parameters as sent, without the messages
	Response  string // JSON: the reply; for embeddings counts and dimensions, not the vectors
	Status    string // ok, length, content_filter, refusal, empty, tool_calls, context_length or error
	Error     string // set when Status is context_length or error
	Attempts  int
	Usage     TokenUsage
	LatencyMS float64 // of the call itself, also when this request was answered from the log
	Price     *Price  // nil: unknown
	Cost      rag.Cost
	CreatedAt time.Time
	Cached    bool  // answered from the log, or by a call that was in flight
	RunID     int64 // run that paid for it; 0: none
	Parts     []Part
	Vectors   [][]float32 // of an embedding call, where they are to be kept with it
	Tokens    []int       // for each of Vectors
	Learned   []Learned   // what the call taught

	stored bool        // came out of the store of the file
	saved  atomic.Bool // written in a transaction, which may not be committed yet
}

// failed tells whether the record is of a call without a reply.
func (r *Record) failed() bool { return r.Error != "" }

// Part is a piece of a message, stored once however many prompts hold it.
type Part struct {
	Message int // which message, from 0
	Role    string
	Text    string
	SHA256  [sha256.Size]byte
}

// messageParts cuts messages into what is stored. The calls of an assistant message are its last part, as JSON.
func messageParts(ms []rag.Message) []Part {
	n := 0
	for _, m := range ms {
		n += len(m.Parts)
	}
	parts := make([]Part, 0, n)
	var buf []byte
	for i, m := range ms {
		for _, p := range m.Parts {
			buf = append(buf[:0], p...)
			parts = append(parts, Part{i, m.Role, p, sha256.Sum256(buf)})
		}
		if len(m.Calls) > 0 {
			p := toolCallsJSON(m.Calls)
			parts = append(parts, Part{i, m.Role, p, sha256.Sum256([]byte(p))})
		}
	}
	return parts
}

// Recorder collects the calls of one question, so that they are stored in the question's transaction. Several
// goroutines may add to it at once.
type Recorder struct {
	mu      sync.Mutex
	records []*Record
}

// add returns the number of the record within r, from 1. It stands for the record in rag.Call.ID until it is stored.
func (r *Recorder) add(rec *Record) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, rec)
	return int64(len(r.records))
}

// Records returns the calls in the order they ended. SaveCalls stores them.
func (r *Recorder) Records() []*Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.records)
}

// CallIDs turns numbers given out as rag.Call.ID into model_calls.call_id, once SaveCalls has stored the records. The
// result is in the order of numbers, each id once, as two requests may share a stored call. Numbers that r did not
// give out are left out.
func (r *Recorder) CallIDs(numbers []int64) []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]int64, 0, len(numbers))
	for _, n := range numbers {
		if n < 1 || n > int64(len(r.records)) {
			continue
		}
		if id := r.records[n-1].ID; id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
