package rerank

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// scripted is a chat model with one reply.
type scripted struct {
	reply string
	err   error
	asked rag.ChatRequest
}

func (*scripted) Ref() string { return "test:scripted" }

func (s *scripted) Chat(_ context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	s.asked = req
	return rag.ChatReply{Text: s.reply, Finish: "stop", Call: rag.Call{PromptTokens: 7, CompletionTokens: 5, Cost: rag.Cost{USD: .25}}}, s.err
}

func TestLLMReplies(t *testing.T) {
	texts := []string{"alpha", "beta", "gamma ferry", "delta"} // local_relevance has c first for its ferry, then the places before
	for _, tt := range []struct {
		name, reply, want string
		notes             map[string]any // beside the reason
	}{
		{"in order", `{"chunk_ids": ["c", "a"]}`, "ca", nil},
		{"a bare list", `["d", "b"]`, "db", nil},
		{"fenced", "```json\n{\"chunk_ids\": [\"b\"]}\n```", "b", map[string]any{"repaired": "fence"}},
		{"inside prose", `Sure: {"chunk_ids": ["b"]} as asked.`, "b", map[string]any{"repaired": "embedded"}},
		{"unknown and repeated", `{"chunk_ids": ["x", "b", "b", 3, null, "a"]}`, "ba", map[string]any{"unknown_ids": 3, "repeated_ids": 1}},
		{"more than wanted", `{"chunk_ids": ["a", "b", "c", "d"]}`, "abc", nil},
		{"nothing known", `{"chunk_ids": ["x", "A", "a "]}`, "cab", map[string]any{"unknown_ids": 3, "fallback": true}},
		{"an empty list", `{"chunk_ids": []}`, "cab", map[string]any{"fallback": true}},
		{"another key", `{"ids": ["a"]}`, "cab", map[string]any{"fallback": true}},
		{"no list", `{"chunk_ids": "a"}`, "cab", map[string]any{"fallback": true}},
		{"null", `{"chunk_ids": null}`, "cab", map[string]any{"fallback": true}},
		{"prose", "The third one.", "cab", map[string]any{"fallback": true}},
		{"cut off", `{"chunk_ids": ["a", "b`, "cab", map[string]any{"fallback": true}},
		{"empty", "", "cab", map[string]any{"fallback": true}},
	} {
		model := &scripted{reply: tt.reply}
		got, step := rerank(t, "llm", Env{Chat: model}, "Which ferry?", hits(texts...), 3)
		fallback := tt.notes["fallback"] == true
		if keys(got) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, keys(got), tt.want)
		}
		reason, flagged := step.Metadata["reason"]
		if flagged != fallback || fallback && reason == "" {
			t.Errorf("%s: got reason %v, want one for a fallback only", tt.name, reason)
		}
		delete(step.Metadata, "reason")
		if len(step.Metadata) != len(tt.notes) {
			t.Errorf("%s: got notes %v, want %v", tt.name, step.Metadata, tt.notes)
		}
		for k, v := range tt.notes {
			if step.Metadata[k] != v {
				t.Errorf("%s: note %s is %v, want %v", tt.name, k, step.Metadata[k], v)
			}
		}
		name := "llm"
		if fallback {
			name = "local_relevance"
		}
		for i, h := range got {
			if h.Metadata["reranker"] != name || h.Metadata["original_rank"] == "" || !fallback && h.Score != float64(3-i) {
				t.Errorf("%s: place %d scores %v with %v", tt.name, i+1, h.Score, h.Metadata)
			}
		}
		if u := step.Usage; u.Rerank.USD != .25 || u.PromptTokens != 7 || u.CompletionTokens != 5 || u.LLM.USD != 0 || len(step.Calls) != 1 {
			t.Errorf("%s: got usage %+v of %d calls, want the call booked as reranking", tt.name, u, len(step.Calls))
		}
	}
}

func TestLLMPrompt(t *testing.T) {
	model := &scripted{reply: `["a"]`}
	long := strings.Repeat("日", 699) + "e\u0301" + "tail"
	rerank(t, "llm", Env{Chat: model}, "Which?", hits(long, "short"), 5)
	parts := model.asked.Messages[len(model.asked.Messages)-1].Parts
	shown := strings.TrimSuffix(strings.TrimPrefix(parts[1], "[1] a\n"), "\n\n")
	if n := utf8.RuneCountInString(shown); n != 699 {
		t.Errorf("got %d characters of the first candidate, want 699: the 700th would part a letter from its accent", n)
	}
	if parts[2] != "[2] b\nshort\n\n" || !model.asked.JSON || model.asked.Temperature == nil || model.asked.Purpose != "rerank" {
		t.Errorf("got request %+v", model.asked)
	}
}

func TestLLMErrorIsAnError(t *testing.T) {
	broken := errors.New("no connection")
	step := &rag.Step{}
	_, err := LLM{Chat: &scripted{err: broken}}.Rerank(context.Background(), "q", hits("a"), 1, step)
	if !errors.Is(err, broken) || len(step.Calls) != 1 {
		t.Errorf("got error %v with %d calls, want the model's error and its call", err, len(step.Calls))
	}
}
