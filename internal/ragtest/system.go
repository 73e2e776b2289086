package ragtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/systems"
	"ragbench/internal/trace"
)

// testDepth is how deep the suite retrieves: the default of the largest k.
const testDepth = 10

// System is the conformance suite of a system. build makes it anew on a file; entry is its line in the table. On the
// hostile corpus, on one document, on one chunk and on nothing at all, hostile questions must have a ranking and an
// answer that keep the promises of rag.System and that are the same when asked again, from other goroutines, and after
// the file was closed and opened.
func System(t *testing.T, entry *spec.Entry[systems.Kind], build func(testing.TB, *File, *Models) rag.System) {
	one := rag.Document{ID: "only", Title: "Only", Text: "The ferry leaves Kittiwake Quay at seven."}
	long := one
	for i := range 30 {
		long.Text += fmt.Sprintf(" Crew %d boards the ferry at berth %d, says the locker list of 渡轮 %d.", i, i%7, i)
	}
	for name, docs := range map[string][]rag.Document{
		"hostile": Hostile(t), "one document": {long}, "one chunk": {one}, "no document": nil,
		"no text": {{ID: "blank", Text: " \n"}},
	} {
		t.Run(name, func(t *testing.T) {
			questions := Questions()
			if name != "hostile" {
				questions = every(3, questions)
			}
			onCorpus(t, entry, build, docs, questions)
		})
	}
}

func onCorpus(t *testing.T, entry *spec.Entry[systems.Kind], build func(testing.TB, *File, *Models) rag.System, docs []rag.Document, questions []rag.Question) {
	f := Open(t)
	corpus, _ := f.Corpus(t, docs, nil)
	m := NewModels(t, f)
	ctx := context.Background()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()

	sys := build(t, f, m)
	indexed := len(entry.New.Required) > 1 // no_retrieval has nothing to build, so nothing to interrupt
	if _, err := sys.Ingest(cancelled, corpus); indexed && !errors.Is(err, context.Canceled) {
		t.Errorf("ingest with a cancelled context: got error %v, want context.Canceled", err)
	}
	first := ingest(t, sys, corpus)
	again := ingest(t, sys, corpus)
	anew := build(t, f, m)
	other := ingest(t, anew, corpus)
	for _, rep := range []rag.IngestReport{again, other} {
		if len(rep.Built) > 0 {
			t.Errorf("a second ingest built %v, want nothing", rep.Built)
		}
		if rep.Chunks != first.Chunks || rep.Vectors != first.Vectors || rep.Usage != first.Usage {
			t.Errorf("a second ingest reports %+v, the first %+v", rep, first)
		}
	}

	k := &checker{t: t, entry: entry, docs: map[string]bool{}}
	for _, d := range docs {
		k.docs[d.ID] = true
	}
	want := map[string]asked{}
	for _, q := range questions {
		calls, before := m.Spent()
		a, err := ask(ctx, sys, q, testDepth)
		if err != nil {
			t.Errorf("%s: %v", short(q), err)
			continue
		}
		callsAfter, after := m.Spent()
		k.check(q, a)
		k.spent(q, a, callsAfter-calls, minus(after, before))
		want[q.ID] = a
	}
	if t.Failed() {
		return
	}
	t.Run("depth", func(t *testing.T) { depths(t, sys, every(9, questions), first) })
	t.Run("cancelled", func(t *testing.T) { interrupted(t, sys, every(7, questions), want) })
	t.Run("again", func(t *testing.T) { concurrently(t, anew, questions, want) })
	t.Run("reopened", func(t *testing.T) {
		f.Reopen(t)
		sys := build(t, f, NewModels(t, f))
		if rep := ingest(t, sys, corpus); len(rep.Built) > 0 {
			t.Errorf("ingest of the reopened file built %v, want nothing", rep.Built)
		}
		for _, q := range questions {
			same(t, sys, q, want)
		}
	})
}

// every returns the first question, which is empty, and each n-th after it.
func every(n int, questions []rag.Question) (list []rag.Question) {
	for i := 0; i < len(questions); i += n {
		list = append(list, questions[i])
	}
	return list
}

func ingest(t *testing.T, sys rag.System, c rag.Corpus) rag.IngestReport {
	t.Helper()
	rep, err := sys.Ingest(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// same asks a question once more and wants equal values.
func same(t *testing.T, sys rag.System, q rag.Question, want map[string]asked) {
	t.Helper()
	got, err := ask(context.Background(), sys, q, testDepth)
	if err != nil {
		t.Errorf("%s: %v", short(q), err)
	} else if d := diff(want[q.ID], got); d != "" {
		t.Errorf("%s: asked again (-first +now):\n%s", short(q), d)
	}
}

// concurrently asks from eight goroutines; each question comes from two of them.
func concurrently(t *testing.T, sys rag.System, questions []rag.Question, want map[string]asked) {
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i, q := range questions {
				if i%4 == n%4 {
					same(t, sys, q, want)
				}
			}
		})
	}
	wg.Wait()
}

// depths wants a ranking of at least the depth asked for, where that many can be found at all; a vector search finds
// every chunk that has a vector, unless the question has none. A model that reranks may drop what does not help.
func depths(t *testing.T, sys rag.System, questions []rag.Question, first rag.IngestReport) {
	for _, q := range questions {
		retrieve := func(depth int) (n int, dropped bool) {
			r, err := sys.Retrieve(context.Background(), q, depth, trace.New(time.Now))
			if err != nil {
				t.Fatalf("%s: %v", short(q), err)
			}
			for _, leg := range r.Legs {
				if leg.Name == "vector" && len(leg.Hits) > 0 && len(leg.Hits) < min(depth, first.Vectors) {
					t.Errorf("%s at depth %d: the vector search found %d of %d chunks", short(q), depth, len(leg.Hits), first.Vectors)
				}
			}
			return places(r.Hits), len(r.Hits) > 0 && r.Hits[0].Metadata["reranker"] == "llm"
		}
		all, _ := retrieve(max(1, first.Chunks))
		for _, depth := range []int{1, 2, 25, max(1, first.Chunks-1)} {
			got, dropped := retrieve(depth)
			if want := min(depth, all); got < want && !dropped {
				t.Errorf("%s at depth %d: got %d hits, want at least %d", short(q), depth, got, want)
			}
		}
	}
}

// places counts what was found behind hits: a hit that stands for several places, merged, says for how many.
func places(hits []rag.Hit) (n int) {
	for _, h := range hits {
		k, err := strconv.Atoi(h.Metadata["places"])
		if err != nil {
			k = 1
		}
		n += k
	}
	return n
}

// stopper is a trace that cancels a context when the n-th step starts.
type stopper struct {
	rag.Trace
	n      int
	cancel func()
}

func (s *stopper) Step(kind rag.StepKind, name, input string) (*rag.Step, func()) {
	if s.n--; s.n == 0 {
		s.cancel()
	}
	return s.Trace.Step(kind, name, input)
}

// interrupted cancels before the first step and at the start of each; every time the question must end with the
// context's error, and be answered as before when asked again.
func interrupted(t *testing.T, sys rag.System, questions []rag.Question, want map[string]asked) {
	for _, q := range questions {
		for n := range len(want[q.ID].Steps) + 1 {
			ctx, cancel := context.WithCancel(context.Background())
			tr := &stopper{trace.New(time.Now), n, cancel}
			if n == 0 {
				cancel()
			}
			r, err := sys.Retrieve(ctx, q, testDepth, tr)
			if err == nil {
				_, err = sys.Answer(ctx, q, r, tr)
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s cancelled at step %d: got error %v, want context.Canceled", short(q), n, err)
			}
			cancel()
		}
		same(t, sys, q, want)
	}
}

// diff compares two answers. NaN is refused by the checker, so plain equality serves.
func diff(a, b asked) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b, cmp.AllowUnexported(asked{}))
}

// minus subtracts what was spent before.
func minus(a, b rag.Usage) rag.Usage {
	a.EmbeddingTokens -= b.EmbeddingTokens
	a.PromptTokens -= b.PromptTokens
	a.CompletionTokens -= b.CompletionTokens
	for _, c := range []struct{ to, from *rag.Cost }{
		{&a.Embedding, &b.Embedding}, {&a.LLM, &b.LLM}, {&a.Rerank, &b.Rerank}, {&a.QueryRewrite, &b.QueryRewrite}, {&a.Tool, &b.Tool}, {&a.Decision, &b.Decision},
	} {
		c.to.USD -= c.from.USD
	}
	return a
}
