// Package fakeserver is a scripted server for tests: OpenAI's chat completions, embeddings and decisions and Anthropic's
// messages, over real HTTP on the loopback interface. Each model name stands for one behaviour, most of them faults that
// real servers have shown; any other name answers well. Counters say what was asked, and how often.
package fakeserver

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Key is the key the server wants, in the header that each API has for it. It is easy to find where it should not be.
const Key = "sk-marked-0123456789abcdefghijklmnop"

// Server is a running server.
type Server struct {
	*httptest.Server
	// Reply answers the chat models that stand for no fault. Nil: a sentence that follows from the messages alone, with
	// the first document id of the prompt as citation. Set it before the first request.
	Reply func(messages []Message) string

	mu       sync.Mutex
	latency  time.Duration
	requests []Request
	bodies   map[[32]byte]int // requests by their whole body
	byModel  map[string]int
	inFlight int
	most     int
	closing  chan struct{}
}

// Message is one message of a chat request, whatever the API.
type Message struct {
	Role, Text string
}

// Request is one request as it came.
type Request struct {
	Path  string
	Model string
	Body  string
	At    time.Time
	End   time.Time // of the reply; zero while there is none
}

// Start runs a server until the test ends.
func Start(tb testing.TB) *Server {
	s := &Server{bodies: map[[32]byte]int{}, byModel: map[string]int{}, closing: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.handle(s.chat, bearer))
	mux.HandleFunc("POST /v1/embeddings", s.handle(s.embed, bearer))
	mux.HandleFunc("POST /v1/decisions", s.handle(s.decide, bearer))
	mux.HandleFunc("POST /v1/messages", s.handle(s.messages, eitherKey))
	s.Server = httptest.NewServer(mux)
	tb.Cleanup(func() {
		close(s.closing)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// BaseURL is the address of the OpenAI API. Anthropic's clients add the version themselves and take URL.
func (s *Server) BaseURL() string { return s.URL + "/v1" }

// Getenv is the environment of a program that uses the server as OpenAI and as Anthropic.
func (s *Server) Getenv(name string) string {
	switch name {
	case "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "BOX_KEY":
		return Key
	case "OPENAI_BASE_URL":
		return s.BaseURL()
	case "ANTHROPIC_BASE_URL":
		return s.URL
	}
	return ""
}

// SetLatency makes every reply take so long.
func (s *Server) SetLatency(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = d
}

// Count is how many requests a model got.
func (s *Server) Count(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byModel[model]
}

// Total is how many requests came.
func (s *Server) Total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// Times is how often a request with this very body came.
func (s *Server) Times(body string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[sha256.Sum256([]byte(body))]
}

// Requests lists the requests in the order they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// MostInFlight is the largest number of requests that were answered at a time.
func (s *Server) MostInFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// Reset forgets the requests so far.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.most = nil, s.inFlight
	clear(s.bodies)
	clear(s.byModel)
}

// eitherKey takes the key from either header that Anthropic's clients use.
func eitherKey(r *http.Request) string {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	return bearer(r)
}

func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// exchange is one request on its way through a behaviour.
type exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	model   string
	n       int // which request of the model, from 1
	body    []byte
	closing <-chan struct{}
}

// handle counts a request, lets it take its time, checks its key and hands it on.
func (s *Server) handle(f func(*exchange), key func(*http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		e := &exchange{w: w, r: r, body: body, closing: s.closing}
		at, latency := s.begin(e)
		defer s.end(at)
		if latency > 0 {
			time.Sleep(latency)
		}
		w.Header().Set("Content-Type", "application/json")
		if got := key(r); got != Key {
			e.fail(http.StatusUnauthorized, "invalid_api_key", "", "Incorrect API key provided: "+got)
			return
		}
		f(e)
	}
}

func (s *Server) begin(e *exchange) (at int, latency time.Duration) {
	var head struct{ Model string }
	_ = json.Unmarshal(e.body, &head) // a body that is no JSON is a request without a model
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Path: e.r.URL.Path, Model: head.Model, Body: string(e.body), At: time.Now()})
	s.bodies[sha256.Sum256(e.body)]++
	s.byModel[head.Model]++
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	e.model, e.n = head.Model, s.byModel[head.Model]
	return len(s.requests) - 1, s.latency
}

func (s *Server) end(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	if at < len(s.requests) {
		s.requests[at].End = time.Now()
	}
}

// fail writes an error the way each API does.
func (e *exchange) fail(status int, code, param, message string) {
	e.w.WriteHeader(status)
	if e.r.URL.Path == "/v1/messages" {
		e.write(map[string]any{"type": "error", "error": map[string]any{"type": code, "message": message}})
		return
	}
	detail := map[string]any{"message": message, "type": "invalid_request_error", "code": code, "param": nil}
	if param != "" {
		detail["param"] = param
	}
	e.write(map[string]any{"error": detail})
}

// write writes a body. A client that has gone is no fault.
func (e *exchange) write(v any) { _ = json.NewEncoder(e.w).Encode(v) }

// params are the parameters of the request beside its messages.
func (e *exchange) params() map[string]json.RawMessage {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(e.body, &m)
	return m
}

// silence sends the headers and then nothing, until the client goes or the server stops.
func (e *exchange) silence() {
	e.w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(e.w).Flush()
	select {
	case <-e.r.Context().Done():
	case <-e.closing:
	}
}

// cut sends half a reply and breaks the connection.
func (e *exchange) cut() {
	e.w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(e.w, `{"choices":[{"mess`)
	_ = http.NewResponseController(e.w).Flush()
	panic(http.ErrAbortHandler)
}
