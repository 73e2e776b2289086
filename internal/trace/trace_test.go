package trace

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// clock is a hand-moved time.
type clock struct{ t time.Time }

func (c *clock) now() time.Time        { return c.t }
func (c *clock) sleep(d time.Duration) { c.t = c.t.Add(d) }

func TestStepTimes(t *testing.T) {
	c := &clock{t: time.Unix(0, 0)}
	r := New(c.now)
	c.sleep(time.Second)
	s, end := r.Step(rag.StepRetrieve, "bm25_search", "question")
	c.sleep(20 * time.Millisecond)
	s.Output = "out"
	end()
	got := r.Steps()[0]
	if got.Start != time.Second || got.Latency != 20*time.Millisecond || got.Output != "out" {
		t.Errorf("got %+v", got)
	}
}

func TestCachedCallReplaysItsLatency(t *testing.T) {
	c := &clock{t: time.Unix(0, 0)}
	r := New(c.now)
	s, end := r.Step(rag.StepGenerate, "answer", "")
	c.sleep(time.Millisecond)
	s.Calls = []rag.Call{{Cached: true, LatencyMS: 700}}
	end()
	if got := r.Steps()[0].Latency; got != 700*time.Millisecond {
		t.Errorf("step latency: got %v, want 700ms", got)
	}
	if got := r.Elapsed(); got != 700*time.Millisecond {
		t.Errorf("elapsed: got %v, want 700ms: wall time and credit", got)
	}
}

func TestReconcile(t *testing.T) {
	steps := []rag.Step{{Usage: rag.Usage{PromptTokens: 10, LLM: rag.Cost{USD: .1}}}, {Usage: rag.Usage{Rerank: rag.Cost{USD: .2}}}}
	if _, ok := Reconcile(steps, Usage(steps)); ok {
		t.Error("equal sums gave an untracked step")
	}
	total := Usage(steps)
	total.PromptTokens += 5
	total.Tool = rag.Cost{USD: .05}
	s, ok := Reconcile(steps, total)
	if !ok || s.Name != "untracked" || s.Usage.PromptTokens != 5 || s.Usage.Total().USD < .0499 {
		t.Errorf("got %+v, %v", s, ok)
	}
}

func TestPreview(t *testing.T) {
	for _, tt := range []struct {
		text  string
		chars int
	}{{"short", 5}, {strings.Repeat("é", 300), 300}, {strings.Repeat("é", 301), 300}, {strings.Repeat("x", 5000), 300}} {
		got := Preview(tt.text)
		if n := utf8.RuneCountInString(got); n != tt.chars {
			t.Errorf("%d bytes in: got %d characters, want %d", len(tt.text), n, tt.chars)
		}
		if cut := got != tt.text; cut != strings.HasSuffix(got, "...") {
			t.Errorf("%d bytes in: cut %v, got ending %q", len(tt.text), cut, got[max(0, len(got)-5):])
		}
	}
}

func TestChunks(t *testing.T) {
	var hits []rag.Hit
	for _, id := range strings.Fields("a b a c d e f g") {
		hits = append(hits, rag.Hit{Chunk: rag.Chunk{DocID: id}})
	}
	if got, want := Chunks(hits), "8 chunks from 7 docs: a, b, c, d, e, f, ..."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Chunks(nil); got != "0 chunks" {
		t.Errorf("got %q", got)
	}
}
