// Package trace records what a system does with one question: its steps, their times and what each spent.
package trace

import (
	"sync"
	"time"

	"ragbench/internal/rag"
)

// PreviewChars is the longest preview a step keeps of its input and output.
const PreviewChars = 300

// Recorder is the trace of one question. It is safe for concurrent use; steps are listed in the order they started.
type Recorder struct {
	now   func() time.Time
	begin time.Time

	mu     sync.Mutex
	steps  []*rag.Step
	credit time.Duration
}

var _ rag.Trace = (*Recorder)(nil)

// New starts a trace by the clock now.
func New(now func() time.Time) *Recorder {
	return &Recorder{now: now, begin: now()}
}

// Step starts a step. Ending it sets its latency, unless the caller has measured it otherwise, and sums up the usage of
// its calls when the caller has not booked it. A call answered from the log counts with its original latency, and the
// difference is credited to the question.
func (r *Recorder) Step(kind rag.StepKind, name, input string) (*rag.Step, func()) {
	s := &rag.Step{Kind: kind, Name: name, Input: Preview(input), Start: r.now().Sub(r.begin)}
	r.mu.Lock()
	r.steps = append(r.steps, s)
	r.mu.Unlock()
	return s, func() {
		elapsed := r.now().Sub(r.begin) - s.Start
		if s.Latency == 0 {
			s.Latency = elapsed
		}
		var replayed time.Duration
		for _, c := range s.Calls {
			if c.Cached {
				replayed += time.Duration(c.LatencyMS * float64(time.Millisecond))
			}
		}
		if replayed > s.Latency {
			r.mu.Lock()
			r.credit += replayed - s.Latency
			r.mu.Unlock()
			s.Latency = replayed
		}
		s.Output = Preview(s.Output)
	}
}

// Steps returns the steps so far.
func (r *Recorder) Steps() []rag.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]rag.Step, len(r.steps))
	for i, s := range r.steps {
		list[i] = *s
	}
	return list
}

// Elapsed is the time since the trace began plus the credit for calls answered from the log.
func (r *Recorder) Elapsed() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now().Sub(r.begin) + r.credit
}

// Usage is the sum over the steps: what the question spent.
func Usage(steps []rag.Step) rag.Usage {
	var u rag.Usage
	for _, s := range steps {
		u = u.Plus(s.Usage)
	}
	return u
}

// Reconcile returns the step that shows what total holds beyond the steps, named untracked; ok is false when costs agree
// to 1e-12 and tokens are equal.
func Reconcile(steps []rag.Step, total rag.Usage) (step rag.Step, ok bool) {
	sum := Usage(steps)
	diff := rag.Usage{
		EmbeddingTokens:  total.EmbeddingTokens - sum.EmbeddingTokens,
		PromptTokens:     total.PromptTokens - sum.PromptTokens,
		CompletionTokens: total.CompletionTokens - sum.CompletionTokens,
		LLM:              rag.Cost{USD: total.Total().USD - sum.Total().USD, Unknown: total.Total().Unknown && !sum.Total().Unknown},
	}
	if d := diff.LLM.USD; d < 1e-12 && d > -1e-12 && !diff.LLM.Unknown && diff.EmbeddingTokens == 0 && diff.PromptTokens == 0 && diff.CompletionTokens == 0 {
		return rag.Step{}, false
	}
	return rag.Step{Kind: rag.StepRetrieve, Name: "untracked", Usage: diff}, true
}

// Preview cuts text to PreviewChars code points, with an ellipsis for what is left out.
func Preview(text string) string {
	if len(text) <= PreviewChars {
		return text
	}
	n := 0
	for i := range text {
		if n == PreviewChars-3 {
			rest := 0
			for range text[i:] {
				if rest++; rest > 3 {
					return text[:i] + "..."
				}
			}
			return text
		}
		n++
	}
	return text
}
