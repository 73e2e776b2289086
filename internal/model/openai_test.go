package model

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

func user(text string) []rag.Message {
	return []rag.Message{{Role: "system", Parts: []string{"Be ", "brief."}}, {Role: "user", Parts: []string{text}}}
}

func TestChatOutcomes(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct{ model, status, text string }{
		{"plain", "ok", "The ferry leaves at 07:15 [doc_1]."},
		{"parts", "ok", "The ferry."},
		{"snapshot", "ok", "hi"},
		{"null-content", "empty", ""},
		{"blank", "empty", ""},
		{"refusal", "refusal", ""},
		{"length", "length", "The ferry lea"},
		{"filter", "content_filter", "The"},
		{"tools", "tool_calls", ""},
	} {
		log, store := newTestLog(LogOptions{})
		rec := &Recorder{}
		reply, err := log.Chat(openChat(t, tt.model, s.env())).With(rec).Chat(context.Background(), rag.ChatRequest{Messages: user("q")})
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		r := rec.Records()[0]
		if r.Status != tt.status || reply.Finish != finishWord(tt.status) || reply.Text != tt.text {
			t.Errorf("%s: got status %s, finish %s, text %q, want %s and %q", tt.model, r.Status, reply.Finish, reply.Text, tt.status, tt.text)
		}
		if want := (TokenUsage{Prompt: 100, Completion: 10, Cached: 40, Reasoning: 4}); r.Usage != want {
			t.Errorf("%s: got usage %+v, want %+v", tt.model, r.Usage, want)
		}
		if store.saved() != 0 {
			t.Errorf("%s: a recorded call was stored on its own", tt.model)
		}
	}
}

func TestChatFailures(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		model  string
		status int
		want   string
	}{
		{"no-choices", 0, "no choices"},
		{"other-model", 0, "asked for model other-model and was answered by small-model"},
		{"echo-key", 401, "Incorrect API key provided: [redacted]."},
		{"echo-header", 403, "no such permission, Bearer [redacted]"},
		{"busy", 429, "slow down"},
		{"broken", 0, "unexpected EOF"},
	} {
		log, _ := newTestLog(LogOptions{})
		rec := &Recorder{}
		_, err := log.Chat(openChat(t, tt.model, s.env())).With(rec).Chat(context.Background(), rag.ChatRequest{Messages: user("q")})
		var ce *CallError
		if !errors.As(err, &ce) || ce.Status != tt.status || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want status %d and %q", tt.model, err, tt.status, tt.want)
			continue
		}
		r := rec.Records()[0]
		if r.Status != "error" || !strings.Contains(r.Error, tt.want) {
			t.Errorf("%s: got record with status %s and error %q", tt.model, r.Status, r.Error)
		}
		if tt.model == "busy" && ce.RetryAfter != "7" {
			t.Errorf("got Retry-After %q, want 7", ce.RetryAfter)
		}
		if tt.model == "echo-key" && ce.Code != "invalid_api_key" {
			t.Errorf("got code %q, want invalid_api_key", ce.Code)
		}
		for _, text := range []string{err.Error(), r.Error, r.Request, r.Response} {
			if strings.Contains(text, markedKey) {
				t.Errorf("%s: the key is in %q", tt.model, text)
			}
		}
	}
}

func TestKeyIsTakenOutOfReplies(t *testing.T) {
	s := newServer(t)
	log, _ := newTestLog(LogOptions{})
	rec := &Recorder{}
	reply, err := log.Chat(openChat(t, "echo-reply", s.env())).With(rec).Chat(context.Background(), rag.ChatRequest{Messages: user("q")})
	if err != nil || reply.Text != "your key is [redacted]" || strings.Contains(rec.Records()[0].Response, markedKey) {
		t.Errorf("got %q and error %v, want the key taken out", reply.Text, err)
	}
}

func TestAddressCredentials(t *testing.T) {
	env := Env{Endpoints: map[string]Endpoint{"box": {BaseURL: "http://user:hidden-password@127.0.0.1:1/v1?token=hidden-token"}}}
	log, _ := newTestLog(LogOptions{})
	p := openChat(t, "openai_compatible:box/m", env)
	if got, want := p.Identity().BaseURL, "http://127.0.0.1:1/v1"; got != want {
		t.Errorf("got base URL %q, want %q", got, want)
	}
	_, err := log.Chat(p).With(&Recorder{}).Chat(context.Background(), rag.ChatRequest{Messages: user("q")})
	if err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got error %v, want one without credentials", err)
	}
}

func TestChatIsGivenUp(t *testing.T) {
	s := newServer(t)
	log, _ := newTestLog(LogOptions{})
	chat := log.Chat(openChat(t, "silent", s.env())).With(&Recorder{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for s.count("silent") == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := chat.Chat(ctx, rag.ChatRequest{Messages: user("q")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	before := s.count("plain")
	if _, err := log.Chat(openChat(t, "plain", s.env())).With(&Recorder{}).Chat(ctx, rag.ChatRequest{Messages: user("q")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if got := s.count("plain"); got != before {
		t.Errorf("a request given up beforehand was sent")
	}
}

// What is stored as sent is what the server got.
func TestChatParameters(t *testing.T) {
	s := newServer(t)
	zero, warm := 0.0, 0.7
	for _, tt := range []struct {
		ref, model string
		req        rag.ChatRequest
		params     string
		sent       []string
		absent     []string
	}{
		{"plain", "plain", rag.ChatRequest{}, `{"model":"plain"}`, nil, []string{"temperature", "max_", "response_format"}},
		{"plain", "plain", rag.ChatRequest{Temperature: &zero, MaxTokens: 9, JSON: true},
			`{"model":"plain","temperature":0,"max_completion_tokens":9,"response_format":{"type":"json_object"}}`,
			[]string{`"temperature":0,`, `"max_completion_tokens":9`, `"response_format":{"type":"json_object"}`}, []string{"1e-45", `"max_tokens"`}},
		{"openai_compatible:box/plain", "plain", rag.ChatRequest{Temperature: &warm, MaxTokens: 9},
			`{"model":"plain","temperature":0.7,"max_tokens":9}`, []string{`"temperature":0.7`, `"max_tokens":9`}, []string{"max_completion_tokens"}},
		{"gpt-6-luna", "gpt-6-luna", rag.ChatRequest{Temperature: &zero, MaxTokens: 9}, // takes no temperature
			`{"model":"gpt-6-luna","max_completion_tokens":9}`, []string{`"max_completion_tokens":9`}, []string{"temperature"}},
	} {
		p := openChat(t, tt.ref, s.env())
		tt.req.Messages = user(`say "temperature":1e-45`)
		if got := requestJSON(p.Params(tt.req)); got != tt.params {
			t.Errorf("%s: got parameters %s, want %s", tt.ref, got, tt.params)
		}
		if _, err := p.SendChat(context.Background(), tt.req); err != nil {
			t.Errorf("%s: %v", tt.ref, err)
			continue
		}
		body := s.body(tt.model)
		messages := `"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"say \"temperature\":1e-45"}]`
		if !strings.Contains(body, messages) {
			t.Errorf("%s: got body %s, want it to hold %s", tt.ref, body, messages)
		}
		body = strings.Replace(body, messages, "", 1)
		for _, want := range tt.sent {
			if !strings.Contains(body, want) {
				t.Errorf("%s: got body %s, want it to hold %s", tt.ref, body, want)
			}
		}
		for _, not := range tt.absent {
			if strings.Contains(body, not) {
				t.Errorf("%s: got body %s, want it without %s", tt.ref, body, not)
			}
		}
	}
}

func TestMissingUsageIsEstimated(t *testing.T) {
	s := newServer(t)
	res, err := openChat(t, "no-usage", s.env()).SendChat(context.Background(), rag.ChatRequest{Messages: user("one two three")})
	if want := (TokenUsage{Prompt: 1 + 1 + 3, Completion: 3, Estimated: true}); err != nil || res.Usage != want {
		t.Errorf("got usage %+v and error %v, want %+v", res.Usage, err, want)
	}
}

func TestServedModelOfCompatibleServer(t *testing.T) {
	s := newServer(t)
	log, _ := newTestLog(LogOptions{})
	rec := &Recorder{}
	_, err := log.Chat(openChat(t, "openai_compatible:box/other-model", s.env())).With(rec).Chat(context.Background(), rag.ChatRequest{Messages: user("q")})
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Records()[0].Response; !strings.Contains(got, `"served":"small-model"`) {
		t.Errorf("got response %s, want it to name the model that served", got)
	}
}

func TestEmbeddings(t *testing.T) {
	s := newServer(t)
	texts := []string{"a", "bbb", "cc"}
	for _, model := range []string{"plain-embedding", "reversed-embedding"} {
		log, _ := newTestLog(LogOptions{})
		rec := &Recorder{}
		e := log.Embedder(openEmbed(t, model, s.env())).With(rec)
		reply, err := e.Embed(context.Background(), rag.EmbedRequest{Texts: texts})
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		if diff := cmp.Diff([][]float32{{1, 1, 0}, {3, 1, 0}, {2, 1, 0}}, reply.Vectors); diff != "" {
			t.Errorf("%s: vectors (-want +got):\n%s", model, diff)
		}
		if e.Info().Dims != 3 || reply.Call.PromptTokens != 15 {
			t.Errorf("%s: got %d dimensions and %d tokens, want 3 and 15", model, e.Info().Dims, reply.Call.PromptTokens)
		}
		r := rec.Records()[0]
		if want := `{"vectors":3,"dims":3,"counted_tokens":3}`; r.Response != want || len(r.Parts) != 0 {
			t.Errorf("%s: got response %s and %d parts, want %s and none", model, r.Response, len(r.Parts), want)
		}
	}
}

func TestEmbeddingFailures(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct{ model, want string }{
		{"short-embedding", "2 vectors for 3 texts"},
		{"twice-embedding", "vector 0 twice"},
		{"far-embedding", "vector 99 twice or out of range"},
		{"zero-embedding", "vector 2 is zero"},
		{"null-embedding", "holds null"},
		{"nan-embedding", "invalid character 'N'"},
		{"huge-embedding", "cannot unmarshal number 1e+39"},
		{"dims-embedding", "vector 2 has 2 dimensions, not 3"},
		{"empty-embedding", "vector 2 is empty"},
	} {
		log, _ := newTestLog(LogOptions{})
		rec := &Recorder{}
		_, err := log.Embedder(openEmbed(t, tt.model, s.env())).With(rec).Embed(context.Background(), rag.EmbedRequest{Texts: []string{"a", "b", "c"}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.model, err, tt.want)
		}
		if r := rec.Records()[0]; r.Status != "error" {
			t.Errorf("%s: got status %s, want error", tt.model, r.Status)
		}
	}
}

func TestEmbeddingDimsAreFixed(t *testing.T) {
	s := newServer(t)
	p := openEmbed(t, "changing-embedding", s.env())
	req := rag.EmbedRequest{Texts: []string{"a"}}
	if _, err := p.SendEmbed(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	if _, err := p.SendEmbed(context.Background(), req); err == nil || !strings.Contains(err.Error(), "4 dimensions, not 3") {
		t.Errorf("got error %v, want one about the dimensions", err)
	}
	if _, err := openEmbed(t, "text-embedding-3-small", s.env()).SendEmbed(context.Background(), req); err == nil || !strings.Contains(err.Error(), "3 dimensions, not 1536") {
		t.Errorf("got error %v, want one about the known dimensions", err)
	}
}

func TestEmptyTextIsNotSent(t *testing.T) {
	s := newServer(t)
	p := openEmbed(t, "plain-embedding", s.env())
	for _, text := range []string{"", " \n\t"} {
		if _, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: []string{"a", text}}); err == nil || !strings.Contains(err.Error(), "text 2 of 2 is empty") {
			t.Errorf("%q: got error %v", text, err)
		}
	}
	if got := s.count("plain-embedding"); got != 0 {
		t.Errorf("got %d requests, want none", got)
	}
}

func TestEmbeddingBatchesAndPrefix(t *testing.T) {
	s := newServer(t)
	env := s.env()
	env.Embed = EmbedOptions{Prefix: "passage: ", QueryPrefix: "query: ", BatchSize: 2, Dims: 3}
	log, _ := newTestLog(LogOptions{})
	rec := &Recorder{}
	e := log.Embedder(openEmbed(t, "openai_compatible:box/plain-embedding", env)).With(rec)
	reply, err := e.Embed(context.Background(), rag.EmbedRequest{Texts: []string{"a", "bb", "ccc", "dddd", "eeeee"}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float32{{10, 1, 0}, {11, 1, 0}, {12, 1, 0}, {13, 1, 0}, {14, 1, 0}}
	if diff := cmp.Diff(want, reply.Vectors); diff != "" {
		t.Errorf("vectors (-want +got):\n%s", diff)
	}
	if got := len(rec.Records()); got != 3 || s.count("plain-embedding") != 3 || reply.Call.PromptTokens != 25 {
		t.Errorf("got %d records, %d requests, %d tokens, want 3, 3, 25", got, s.count("plain-embedding"), reply.Call.PromptTokens)
	}
	reply, err = e.Embed(context.Background(), rag.EmbedRequest{Texts: []string{"a"}, Query: true})
	if err != nil || reply.Vectors[0][0] != 8 {
		t.Errorf("question: got %v and error %v, want the query prefix before it", reply.Vectors, err)
	}
	q := rec.Records()[3]
	if len(q.Parts) != 1 || q.Parts[0].Text != "a" || q.Purpose != "embed_query" {
		t.Errorf("question: got parts %+v and purpose %s", q.Parts, q.Purpose)
	}
	if body := s.body("plain-embedding"); !strings.Contains(body, `"dimensions":3`) {
		t.Errorf("got body %s, want the dimensions in it", body)
	}
}

// wordCounter counts words exactly, so that the limit of a text is easy to see.
type wordCounter struct{}

func (wordCounter) Name() string          { return "words" }
func (wordCounter) Count(text string) int { return countWords(text) }

func TestLongTextIsCutAndMarked(t *testing.T) {
	s := newServer(t)
	env := s.env()
	env.Tokens = wordCounter{}
	env.Endpoints = map[string]Endpoint{"box": {BaseURL: s.URL + "/v1", MaxInputTokens: 4}}
	p := openEmbed(t, "openai_compatible:box/plain-embedding", env)
	res, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: []string{"é é é é é é", "one two three four", "short"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]bool{true, false, false}, res.Truncated); diff != "" {
		t.Errorf("truncated (-want +got):\n%s", diff)
	}
	if body := s.body("plain-embedding"); !strings.Contains(body, `"input":["é é é é ","one two three four","short"]`) {
		t.Errorf("got body %s", body)
	}
	if diff := cmp.Diff([]int{4, 4, 1}, res.Tokens); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

func TestNullInArray(t *testing.T) {
	for body, want := range map[string]bool{
		`{"data":[{"embedding":[1,null]}]}`:           true,
		`{"data":[{"embedding":[ null ,1]}]}`:         true,
		`{"data":[{"embedding":null}],"usage":null}`:  false,
		`{"model":"null,x","data":[{"a":"[ null"}]}`:  true, // a quoted look-alike is refused too
		`{"model":"nullable","data":[{"index": 0}] }`: false,
	} {
		if got := nullInArray([]byte(body)); got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
}

func TestStatusErrorBodies(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`{"error":{"message":"m","code":400,"param":"temperature"}}`, "status 400: m"},
		{`{"error":"m"}`, "status 400: m"},
		{`{"message":"m"}`, `status 400: {"message":"m"}`},
		{"<html>\xff", "status 400: <html>\uFFFD"},
		{"", "status 400: Bad Request"},
	} {
		res := &http.Response{StatusCode: 400, Header: http.Header{}, Body: http.NoBody}
		if tt.body != "" {
			res.Body = readCloser{strings.NewReader(tt.body)}
		}
		if got := statusError(res).Error(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.body, got, tt.want)
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func openChat(t testing.TB, ref string, env Env) ChatProvider {
	t.Helper()
	p, err := OpenChat(ref, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
