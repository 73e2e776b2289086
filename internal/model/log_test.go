package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// memoryStore is a CallStore in a map.
type memoryStore struct {
	mu      sync.Mutex
	byKey   map[Key]*Stored
	failed  map[Key]*Stored
	learned []Learned
	n       int64
	fail    error
}

func (m *memoryStore) Lookup(_ context.Context, key Key) (*Stored, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byKey[key], m.fail
}

func (m *memoryStore) Save(ctx context.Context, r *Record) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	r.ID = m.n
	st := &Stored{ID: m.n, Status: r.Status, Response: r.Response, Error: r.Error, Usage: r.Usage, LatencyMS: r.LatencyMS,
		Attempts: r.Attempts, Vectors: r.Vectors, Tokens: r.Tokens}
	if r.failed() {
		m.failed[r.Key] = st
	} else {
		m.byKey[r.Key] = st
	}
	m.learned = append(m.learned, r.Learned...)
	return m.n, nil
}

func (m *memoryStore) Failure(_ context.Context, key Key) (*Stored, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed[key], nil
}

func (m *memoryStore) Learned(context.Context) ([]Learned, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.learned, nil
}

func (m *memoryStore) saved() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int(m.n)
}

// newTestLog returns a log whose clock moves 1 ms at each look.
func newTestLog(opts LogOptions) (*Log, *memoryStore) {
	var mu sync.Mutex
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	opts.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}
	store := &memoryStore{byKey: map[Key]*Stored{}, failed: map[Key]*Stored{}}
	return NewLog(store, opts), store
}

func coldRequest(text string) rag.ChatRequest {
	zero := 0.0
	return rag.ChatRequest{Messages: user(text), Temperature: &zero}
}

func TestStoredReplyIsReused(t *testing.T) {
	s := newServer(t)
	log, _ := newTestLog(LogOptions{})
	chat := log.Chat(openChat(t, "gpt-6-luna", s.env()))
	first, err := chat.With(nil).Chat(context.Background(), coldRequest("q"))
	if err != nil {
		t.Fatal(err)
	}
	rec := &Recorder{}
	second, err := chat.With(rec).Chat(context.Background(), coldRequest("q"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.count("gpt-6-luna"); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
	if first.Call.Cached || !second.Call.Cached {
		t.Errorf("got cached %v, then %v, want false, then true", first.Call.Cached, second.Call.Cached)
	}
	if second.Text != first.Text || second.Finish != "stop" || second.Call.LatencyMS != first.Call.LatencyMS || second.Call.Cost != first.Call.Cost {
		t.Errorf("got %+v from the log, want the reply, latency and cost of %+v", second, first)
	}
	// 60 tokens at .10, 40 cached ones at the same price, 10 at .50, a million each.
	if got, want := first.Call.Cost, (rag.Cost{USD: (100*.10 + 10*.50) / 1e6}); got != want {
		t.Errorf("got cost %+v, want %+v", got, want)
	}
	if got := rec.CallIDs([]int64{second.Call.ID}); len(got) != 1 || got[0] != first.Call.ID {
		t.Errorf("got call ids %v, want that of the stored call, %d", got, first.Call.ID)
	}
}

func TestWhatIsNotReused(t *testing.T) {
	s := newServer(t)
	warm := 0.7
	sampled, unset, repeat := coldRequest("q"), coldRequest("q"), coldRequest("q")
	sampled.Temperature, unset.Temperature, repeat.Repeat = &warm, nil, 1
	for _, tt := range []struct {
		name  string
		model string
		opts  LogOptions
		reqs  []rag.ChatRequest
	}{
		{"sampled", "m1", LogOptions{}, []rag.ChatRequest{sampled, sampled}},
		{"temperature not given", "m2", LogOptions{}, []rag.ChatRequest{unset, unset}},
		{"other repeat", "m3", LogOptions{}, []rag.ChatRequest{coldRequest("q"), repeat}},
		{"other text", "m4", LogOptions{}, []rag.ChatRequest{coldRequest("q"), coldRequest("r")}},
		{"switched off", "m5", LogOptions{NoReuse: true}, []rag.ChatRequest{coldRequest("q"), coldRequest("q")}},
		{"failed", "busy", LogOptions{}, []rag.ChatRequest{coldRequest("q"), coldRequest("q")}},
	} {
		log, _ := newTestLog(tt.opts)
		for _, req := range tt.reqs {
			reply, _ := log.Chat(openChat(t, tt.model, s.env())).With(nil).Chat(context.Background(), req)
			if reply.Call.Cached {
				t.Errorf("%s: answered from the log", tt.name)
			}
		}
		if got := s.count(tt.model); got != 2 {
			t.Errorf("%s: got %d requests, want 2", tt.name, got)
		}
	}
}

func TestMockIsAlwaysAsked(t *testing.T) {
	log, _ := newTestLog(LogOptions{})
	zero := 0.0
	req := rag.ChatRequest{Messages: prompt.NoRetrieval("q"), Temperature: &zero}
	for range 2 {
		reply, err := log.Chat(openMock(t)).With(nil).Chat(context.Background(), req)
		if err != nil || reply.Call.Cached || reply.Call.Cost != (rag.Cost{}) {
			t.Errorf("got %+v and error %v, want a free reply that is not from the log", reply, err)
		}
	}
}

func TestRequestsInFlightShareOneCall(t *testing.T) {
	s := newServer(t)
	s.hold = make(chan struct{})
	log, store := newTestLog(LogOptions{})
	chat := log.Chat(openChat(t, "counting", s.env()))
	const workers, questions = 8, 3
	var wg sync.WaitGroup
	recs := make([]Recorder, workers)
	replies := make([][questions]rag.ChatReply, workers)
	for w := range workers {
		wg.Go(func() {
			for q := range questions {
				r, err := chat.With(&recs[w]).Chat(context.Background(), coldRequest(fmt.Sprint("question ", q)))
				if err != nil {
					t.Error(err)
				}
				replies[w][q] = r
			}
		})
	}
	for range questions {
		s.hold <- struct{}{}
	}
	wg.Wait()
	if got := s.count("counting"); got != questions {
		t.Errorf("got %d requests, want %d", got, questions)
	}
	fresh := 0
	for w := range workers {
		for q := range questions {
			r, first := recs[w].Records()[q], recs[0].Records()[q]
			if r.Key != first.Key || r.Response != first.Response || r.LatencyMS != first.LatencyMS || r.Cost != first.Cost || len(r.Parts) != 3 {
				t.Errorf("worker %d, question %d: got record %+v, want that of worker 0, %+v", w, q, r, first)
			}
			if replies[w][q].Text != replies[0][q].Text {
				t.Errorf("worker %d, question %d: got %q, want %q", w, q, replies[w][q].Text, replies[0][q].Text)
			}
			if !r.Cached {
				fresh++
			}
		}
	}
	if fresh != questions || store.saved() != 0 {
		t.Errorf("got %d fresh calls and %d stored, want %d and none", fresh, store.saved(), questions)
	}
	if got := len(log.pending.replies); got != questions {
		t.Errorf("got %d replies kept before they are stored, want %d", got, questions)
	}
}

func TestGivenUpRequestDoesNotTakeOthersAlong(t *testing.T) {
	s := newServer(t)
	s.hold = make(chan struct{})
	log, _ := newTestLog(LogOptions{})
	chat := log.Chat(openChat(t, "counting", s.env()))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := chat.With(&Recorder{}).Chat(ctx, coldRequest("q")); !errors.Is(err, context.Canceled) {
			t.Errorf("first: got error %v, want context.Canceled", err)
		}
	})
	for s.count("counting") == 0 {
		time.Sleep(time.Millisecond)
	}
	wg.Go(func() {
		if r, err := chat.With(&Recorder{}).Chat(context.Background(), coldRequest("q")); err != nil || r.Text != "reply 2" {
			t.Errorf("second: got %q and error %v, want a reply of its own", r.Text, err)
		}
	})
	time.Sleep(10 * time.Millisecond) // the second request joins the first, or comes after it: both must work
	cancel()
	close(s.hold)
	wg.Wait()
}

func TestLookupFailure(t *testing.T) {
	s := newServer(t)
	log, store := newTestLog(LogOptions{})
	store.fail = errors.New("disk on fire")
	_, err := log.Chat(openChat(t, "plain", s.env())).With(&Recorder{}).Chat(context.Background(), coldRequest("q"))
	if err == nil || !strings.Contains(err.Error(), "disk on fire") || s.count("plain") != 0 {
		t.Errorf("got error %v and %d requests, want the error and none", err, s.count("plain"))
	}
}

func TestGuardRunsEveryAttempt(t *testing.T) {
	s := newServer(t)
	guard := func(ctx context.Context, id Identity, est int, send func(context.Context) error) (int, error) {
		if id.Ref != "openai:busy" || est <= 0 {
			t.Errorf("got model %s and estimate %d", id.Ref, est)
		}
		send(ctx)
		return 2, send(ctx)
	}
	log, _ := newTestLog(LogOptions{Guard: guard})
	rec := &Recorder{}
	if _, err := log.Chat(openChat(t, "busy", s.env())).With(rec).Chat(context.Background(), coldRequest("q")); err == nil {
		t.Error("got no error, want status 429")
	}
	if r := rec.Records()[0]; r.Attempts != 2 || s.count("busy") != 2 || r.LatencyMS != 1 {
		t.Errorf("got %d attempts, %d requests, %v ms, want 2, 2 and the last attempt's 1 ms", r.Attempts, s.count("busy"), r.LatencyMS)
	}
}

func TestDecisionsAreRecorded(t *testing.T) {
	p, err := OpenDecider("mock:word-overlap", Env{})
	if err != nil {
		t.Fatal(err)
	}
	log, _ := newTestLog(LogOptions{})
	rec := &Recorder{}
	ps := []rag.Predicate{{Name: "p1", Instructions: "Does passage [1] help?"}, {Name: "p2", Instructions: "Does passage [2] help?"}}
	got, call, err := log.Decider(p).With(rec).Decide(context.Background(), prompt.Evidence("Where is the ferry?", []string{"The ferry is here."}), ps)
	if err != nil || len(got) != 2 || *got[0].Probability != .5 || got[1].Probability != nil {
		t.Fatalf("got %+v and error %v, want one half and unknown", got, err)
	}
	r := rec.Records()[0]
	want := `{"answers":[{"name":"p1","probability":0.5},{"name":"p2","probability":null,"reason":"there is no passage [2]"}]}`
	if r.Kind != "decision" || r.Response != want || len(r.Parts) != 3 || call.PromptTokens == 0 {
		t.Errorf("got record %+v, want response %s", r, want)
	}
}
