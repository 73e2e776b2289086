package ragtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/systems"
)

// testDepth is how deep the suite retrieves: the default of the largest k.
const testDepth = 10

// System is the conformance suite of a system. build makes it anew on a file; entry is its line in the table. On the
// hostile corpus, on one document, on one chunk and on nothing at all, each hostile question must have a ranking and an
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
		t.Run(name, func(t *testing.T) { onCorpus(t, entry, build, docs) })
	}
}

func onCorpus(t *testing.T, entry *spec.Entry[systems.Kind], build func(testing.TB, *File, *Models) rag.System, docs []rag.Document) {
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

	k := &checker{t: t, entry: entry, docs: map[string]bool{}, depth: testDepth}
	for _, d := range docs {
		k.docs[d.ID] = true
	}
	want := map[string]asked{}
	for _, q := range Questions() {
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
	t.Run("depth", func(t *testing.T) { depths(t, sys, first.Chunks) })
	t.Run("again", func(t *testing.T) { same(t, ctx, anew, want) })
	t.Run("cancelled", func(t *testing.T) {
		q := Questions()[len(hostileQuestions)/2]
		if _, err := ask(cancelled, sys, q, testDepth); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: got error %v, want context.Canceled", short(q), err)
		}
		same(t, ctx, sys, want)
	})
	t.Run("goroutines", func(t *testing.T) { concurrently(t, sys, want) })
	t.Run("reopened", func(t *testing.T) {
		f.Reopen(t)
		sys := build(t, f, NewModels(t, f))
		if rep := ingest(t, sys, corpus); len(rep.Built) > 0 {
			t.Errorf("ingest of the reopened file built %v, want nothing", rep.Built)
		}
		same(t, ctx, sys, want)
	})
}

func ingest(t *testing.T, sys rag.System, c rag.Corpus) rag.IngestReport {
	t.Helper()
	rep, err := sys.Ingest(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// same asks every question once more and wants equal values.
func same(t *testing.T, ctx context.Context, sys rag.System, want map[string]asked) {
	t.Helper()
	for _, q := range Questions() {
		got, err := ask(ctx, sys, q, testDepth)
		if err != nil {
			t.Errorf("%s: %v", short(q), err)
			continue
		}
		if d := diff(want[q.ID], got); d != "" {
			t.Errorf("%s: asked again (-first +now):\n%s", short(q), d)
		}
	}
}

// concurrently asks from eight goroutines; each question comes from two of them.
func concurrently(t *testing.T, sys rag.System, want map[string]asked) {
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i, q := range Questions() {
				if i%4 != n%4 {
					continue
				}
				got, err := ask(context.Background(), sys, q, testDepth)
				if err != nil {
					t.Errorf("%s: %v", short(q), err)
				} else if d := diff(want[q.ID], got); d != "" {
					t.Errorf("%s: asked beside others (-alone +now):\n%s", short(q), d)
				}
			}
		})
	}
	wg.Wait()
}

// depths wants a ranking of at least the depth asked for, where that many can be found at all.
func depths(t *testing.T, sys rag.System, chunks int) {
	for i, q := range Questions() {
		if i%5 != 0 {
			continue
		}
		all, err := ask(context.Background(), sys, q, max(1, chunks))
		if err != nil {
			t.Fatalf("%s: %v", short(q), err)
		}
		for _, depth := range []int{1, 2, 25, chunks - 1} {
			if depth < 1 {
				continue
			}
			a, err := ask(context.Background(), sys, q, depth)
			if err != nil {
				t.Fatalf("%s: %v", short(q), err)
			}
			if got, want := len(a.Ranking.Hits), min(depth, len(all.Ranking.Hits)); got < want {
				t.Errorf("%s at depth %d: got %d hits, want at least %d", short(q), depth, got, want)
			}
		}
	}
}

// diff compares two answers. NaN is refused by the checker, so plain equality serves.
func diff(a, b asked) string {
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(asked{}), cmpopts.EquateEmpty())
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
