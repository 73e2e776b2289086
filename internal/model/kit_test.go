package model

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/ragtest/fakeserver"
)

// fakeClock is a clock that sleeping moves.
type fakeClock struct {
	mu    sync.Mutex
	t     time.Time
	slept []time.Duration
}

func newFakeClock() *fakeClock { return &fakeClock{t: time.Now()} }

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *fakeClock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *fakeClock) total() (d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.slept {
		d += s
	}
	return d
}

// kitEnv reaches the server as OpenAI, as Anthropic and as the endpoint box.
func kitEnv(s *fakeserver.Server) Env {
	return Env{Getenv: s.Getenv, Endpoints: map[string]Endpoint{"box": {BaseURL: s.BaseURL(), APIKeyEnv: "BOX_KEY"}}}
}

// kitLog is a log over a file with retries that do not wait.
func kitLog(t *testing.T, o LogOptions) (*Log, testDB, *fakeClock) {
	t.Helper()
	db, c := openTestDB(t), newFakeClock()
	o.Now = time.Now
	o.Guard = NewGuard(GuardOptions{
		Limits: map[string]Limits{"openai": {Timeout: 300 * time.Millisecond}, "anthropic": {Timeout: 300 * time.Millisecond}},
		Now:    c.now, Sleep: c.sleep, Jitter: func() float64 { return 0 },
	})
	return NewLog(NewSQLStore(db), o), db, c
}

// The stored outcome of each chat behaviour, through both APIs. No fault ends as a good reply.
var chatKit = map[string]struct {
	status   string // stored
	attempts int
	error    string // part of it
	text     string // part of the reply; "-" for none
	claude   string // status through Anthropic's API, where it differs
}{
	"fenced-json":        {"ok", 1, "", "```json", ""},
	"prose-after-json":   {"ok", 1, "", "I hope", ""},
	"truncated-json":     {"ok", 1, "", `"verd`, ""},
	"list-json":          {"ok", 1, "", "[3", ""},
	"missing-field":      {"ok", 1, "", "note", ""},
	"null-field":         {"ok", 1, "", "null", ""},
	"false-string":       {"ok", 1, "", `"false"`, ""},
	"incorrect-word":     {"ok", 1, "", "INCORRECT", ""},
	"out-of-range":       {"ok", 1, "", "11", ""},
	"empty-choices":      {"error", 1, "no choices", "-", "empty"},
	"null-content":       {"empty", 1, "", "-", ""},
	"refusal":            {"refusal", 1, "", "-", ""},
	"length":             {"length", 1, "", "The ferry lea", ""},
	"content-filter":     {"content_filter", 1, "", "The", "refusal"},
	"content-filter-400": {"content_filter", 1, "", "-", ""},
	"no-temperature":     {"ok", 2, "", "Answer", ""},
	"new-limit-name":     {"ok", 1, "", "Answer", "error"}, // OpenAI is sent the new name, Anthropic has the old one alone
	"old-limit-name":     {"ok", 2, "", "Answer", ""},
	"no-effort":          {"ok", 2, "", "Answer", ""},
	"bad-value":          {"error", 1, "must be from 0 to 2", "-", ""},
	"context-length":     {"context_length", 1, "maximum context length", "-", ""},
	"echo-key":           {"error", 1, "[redacted]", "-", ""},
	"forbidden":          {"error", 1, "[redacted]", "-", ""},
	"limit-seconds":      {"ok", 2, "", "Answer", ""},
	"limit-date":         {"ok", 2, "", "Answer", ""},
	"no-quota":           {"error", 1, "quota", "-", ""},
	"error-once":         {"ok", 2, "", "Answer", ""},
	"error-always":       {"error", 6, "overloaded", "-", ""},
	"conflict-once":      {"ok", 2, "", "Answer", ""},
	"timeout-once":       {"ok", 2, "", "Answer", ""},
	"silent":             {"error", 2, "no reply within", "-", ""},
	"cut-once":           {"ok", 2, "", "Answer", ""},
	"broken-json":        {"error", 1, "invalid character", "-", ""},
	"other-model":        {"error", 1, "was answered by small-model", "-", ""},
	"no-usage":           {"ok", 1, "", "one two three", ""},
	"bad-tool-args":      {"tool_calls", 1, "", "-", ""},
	"unknown-tool":       {"tool_calls", 1, "", "-", ""},
	"endless-tools":      {"tool_calls", 1, "", "-", ""},
}

func TestChatKit(t *testing.T) {
	for _, b := range fakeserver.Behaviours {
		if _, ok := chatKit[b.Model]; !ok && b.Kind == "chat" {
			t.Errorf("the behaviour %s has no case", b.Model)
		}
	}
	for name, want := range chatKit {
		for _, provider := range []string{"openai", "anthropic"} {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				status := want.status
				if provider == "anthropic" && want.claude != "" {
					status = want.claude
				}
				s := fakeserver.Start(t)
				log, db, c := kitLog(t, LogOptions{})
				if name == "silent" { // two attempts tell as much as six
					log.opts.Guard = NewGuard(GuardOptions{Limits: map[string]Limits{provider: {Timeout: 100 * time.Millisecond, Attempts: 2}}, Now: c.now, Sleep: c.sleep, Jitter: func() float64 { return 1 }})
				}
				zero := 0.0
				req := rag.ChatRequest{Messages: user("Where is [doc_7]?"), Temperature: &zero, MaxTokens: 99, Effort: "low"}
				chat := log.Chat(openChat(t, provider+":"+name, kitEnv(s)))
				reply, err := chat.With(nil).Chat(context.Background(), req)
				var got struct {
					status, fault, response, request string
					attempts                         int
				}
				if err := db.QueryRow("SELECT status, coalesce(error, ''), response, request, attempts FROM model_calls").Scan(&got.status, &got.fault, &got.response, &got.request, &got.attempts); err != nil {
					t.Fatal(err)
				}
				if failed := status == "error" || status == "context_length"; got.status != status || failed != (err != nil) {
					t.Fatalf("got status %s and error %v, want status %s", got.status, err, status)
				}
				if status == want.status {
					if !strings.Contains(got.fault, want.error) || want.text == "-" && reply.Text != "" || want.text != "-" && !strings.Contains(reply.Text, want.text) {
						t.Errorf("got error %q and text %q, want %q and %q", got.fault, reply.Text, want.error, want.text)
					}
					if got.attempts != want.attempts && provider == "openai" {
						t.Errorf("got %d attempts, want %d", got.attempts, want.attempts)
					}
				}
				if (status == "context_length") != errors.Is(err, rag.ErrContextLength) {
					t.Errorf("got error %v", err)
				}
				for _, text := range []string{got.fault, got.response, got.request, reply.Text} {
					if strings.Contains(text, fakeserver.Key) {
						t.Errorf("the key is in %q", text)
					}
				}
			})
		}
	}
}

// What a retry waits for is what the server asks for.
func TestRetryAfterIsHonoured(t *testing.T) {
	for _, tt := range []struct {
		model    string
		min, max time.Duration
	}{
		{"limit-seconds", 7 * time.Second, 7 * time.Second},
		{"limit-date", 7 * time.Second, 9 * time.Second},
		{"error-once", 500 * time.Millisecond, time.Second},
		{"error-always", 15 * time.Second, 31 * time.Second},
	} {
		s := fakeserver.Start(t)
		log, _, c := kitLog(t, LogOptions{})
		_, _ = log.Chat(openChat(t, tt.model, kitEnv(s))).With(nil).Chat(context.Background(), coldRequest("q"))
		if got := c.total(); got < tt.min || got > tt.max {
			t.Errorf("%s: slept %v, want %v to %v", tt.model, got, tt.min, tt.max)
		}
	}
}

// A model teaches once which parameters it takes; a later log over the same file knows.
func TestLearnedParametersAreKept(t *testing.T) {
	s := fakeserver.Start(t)
	log, db, _ := kitLog(t, LogOptions{})
	ask := func(log *Log, ref, q string) rag.ChatReply {
		t.Helper()
		req := coldRequest(q)
		req.MaxTokens = 99
		reply, err := log.Chat(openChat(t, ref, kitEnv(s))).With(nil).Chat(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	for _, tt := range []struct{ ref, model, sent string }{
		{"no-temperature", "no-temperature", `{"model":"no-temperature","max_completion_tokens":99}`},
		{"old-limit-name", "old-limit-name", `{"model":"old-limit-name","temperature":0,"max_tokens":99}`},
		{"openai_compatible:box/new-limit-name", "new-limit-name", `{"model":"new-limit-name","temperature":0,"max_completion_tokens":99}`},
		{"anthropic:no-temperature", "no-temperature", `{"model":"no-temperature","max_tokens":99}`},
	} {
		s.Reset()
		ask(log, tt.ref, "first")
		if got := s.Count(tt.model); got != 2 {
			t.Errorf("%s: got %d requests for the first question, want 2", tt.ref, got)
		}
		again := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
		if err := again.Recall(context.Background()); err != nil {
			t.Fatal(err)
		}
		if first := ask(again, tt.ref, "first"); !first.Call.Cached {
			t.Errorf("%s: the first question was asked again", tt.ref)
		}
		ask(again, tt.ref, "second")
		if got := s.Count(tt.model); got != 3 {
			t.Errorf("%s: got %d requests in all, want 3", tt.ref, got)
		}
		var sent string
		if err := db.QueryRow("SELECT request FROM model_calls WHERE requested LIKE '%' || ? ORDER BY call_id DESC", tt.model).Scan(&sent); err != nil || sent != tt.sent {
			t.Errorf("%s: got request %s and error %v, want %s", tt.ref, sent, err, tt.sent)
		}
	}
}
