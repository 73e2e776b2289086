package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

const markedKey = "sk-marked-0123456789abcdef"

// server is an OpenAI-compatible server with one behaviour a model name.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	calls map[string]int    // requests by model
	last  map[string]string // last body by model
	hold  chan struct{}     // when set, chat replies wait for it
}

func newServer(t *testing.T) *server {
	s := &server{calls: map[string]int{}, last: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.embed)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// env reaches the server as OpenAI and as the endpoint box.
func (s *server) env() Env {
	return Env{
		Getenv: func(name string) string {
			return map[string]string{"OPENAI_API_KEY": markedKey, "OPENAI_BASE_URL": s.URL + "/v1", "BOX_KEY": markedKey}[name]
		},
		Endpoints: map[string]Endpoint{"box": {BaseURL: s.URL + "/v1/", APIKeyEnv: "BOX_KEY"}},
	}
}

func (s *server) count(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[model]
}

func (s *server) body(model string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[model]
}

// take reads the request and counts it.
func (s *server) take(r *http.Request, into any) string {
	b, _ := io.ReadAll(r.Body)
	var head struct{ Model string }
	json.Unmarshal(b, &head)
	json.Unmarshal(b, into)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[head.Model]++
	s.last[head.Model] = string(b)
	return head.Model
}

func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	var req struct{}
	model := s.take(r, &req)
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-r.Context().Done():
			return
		}
	}
	const usage = `"usage":{"prompt_tokens":100,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":4}}`
	reply := func(message, finish string) {
		fmt.Fprintf(w, `{"model":%q,"choices":[{"index":0,"message":%s,"finish_reason":%q}],%s}`, model, message, finish, usage)
	}
	switch model {
	case "no-choices":
		fmt.Fprintf(w, `{"model":%q,"choices":[],%s}`, model, usage)
	case "null-content":
		reply(`{"role":"assistant","content":null}`, "stop")
	case "blank":
		reply(`{"role":"assistant","content":" \n"}`, "stop")
	case "refusal":
		reply(`{"role":"assistant","content":null,"refusal":"I cannot help with that."}`, "stop")
	case "length":
		reply(`{"role":"assistant","content":"The ferry lea"}`, "length")
	case "filter":
		reply(`{"role":"assistant","content":"The"}`, "content_filter")
	case "tools":
		reply(`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{"}}]}`, "tool_calls")
	case "parts":
		reply(`{"role":"assistant","content":[{"type":"text","text":"The "},{"type":"text","text":"ferry."}]}`, "stop")
	case "no-usage":
		fmt.Fprintf(w, `{"model":%q,"choices":[{"message":{"role":"assistant","content":"one two three"},"finish_reason":"stop"}]}`, model)
	case "other-model":
		fmt.Fprintf(w, `{"model":"small-model","choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],%s}`, usage)
	case "snapshot":
		fmt.Fprintf(w, `{"model":"snapshot-2026-09-01","choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],%s}`, usage)
	case "echo-key":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s.","type":"invalid_request_error","code":"invalid_api_key"}}`, markedKey)
	case "echo-header":
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `no such permission, %s`, r.Header.Get("Authorization"))
	case "echo-reply":
		reply(`{"role":"assistant","content":"your key is `+markedKey+`"}`, "stop")
	case "busy":
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":"slow down"}`)
	case "broken":
		fmt.Fprint(w, `{"choices":[{"mess`)
	case "silent":
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	case "counting":
		s.mu.Lock()
		n := s.calls[model]
		s.mu.Unlock()
		reply(fmt.Sprintf(`{"role":"assistant","content":"reply %d"}`, n), "stop")
	default:
		reply(`{"role":"assistant","content":"The ferry leaves at 07:15 [doc_1]."}`, "stop")
	}
}

func (s *server) embed(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	model := s.take(r, &req)
	type item struct {
		Index     int   `json:"index"`
		Embedding []any `json:"embedding"`
	}
	data := make([]item, len(req.Input))
	for i, text := range req.Input {
		data[i] = item{i, []any{float64(len(text)), 1, 0}} // the length tells the text
	}
	last := len(data) - 1
	switch model {
	case "reversed-embedding":
		for i, j := 0, last; i < j; i, j = i+1, j-1 {
			data[i], data[j] = data[j], data[i]
		}
	case "short-embedding":
		data = data[:last]
	case "twice-embedding":
		data[last].Index = 0
	case "far-embedding":
		data[last].Index = 99
	case "zero-embedding":
		data[last].Embedding = []any{0, 0, 0}
	case "null-embedding":
		data[last].Embedding = []any{1, nil, 1}
	case "dims-embedding":
		data[last].Embedding = []any{1, 2}
	case "empty-embedding":
		data[last].Embedding = []any{}
	case "huge-embedding":
		data[last].Embedding = []any{1e39, 1, 1}
	case "nan-embedding": // NaN is no JSON: servers that send it send broken JSON
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[NaN,1,1]}]}`)
		return
	case "changing-embedding":
		if s.count(model) > 1 {
			for i := range data {
				data[i].Embedding = []any{1, 2, 3, 4}
			}
		}
	}
	json.NewEncoder(w).Encode(map[string]any{
		"object": "list", "model": model, "data": data, "usage": map[string]int{"prompt_tokens": 5 * len(req.Input)},
	})
}
