package model

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

func openMock(t testing.TB) ChatProvider {
	t.Helper()
	p, err := OpenChat("mock:mock-llm", Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mockSay(t *testing.T, ms []rag.Message) string {
	t.Helper()
	res, err := openMock(t).SendChat(context.Background(), rag.ChatRequest{Messages: ms})
	if err != nil {
		t.Fatal(err)
	}
	return res.Text
}

func TestMockAnswer(t *testing.T) {
	ferry := prompt.Block{DocID: "doc_014", Place: "0001::aa", Text: "Tickets are sold on board. The ferry to Halden leaves at 07:15!\nDogs travel free.\n\nThe ferry is 40 m long."}
	beir := prompt.Block{DocID: "4983", Place: "full", Text: "Halden has 900 inhabitants. Nothing else."}
	cacm := prompt.Block{DocID: "CACM-0756", Place: "full", Text: "A ferry is described in [CACM-0756]."}
	for _, tt := range []struct {
		name     string
		question string
		blocks   []prompt.Block
		want     string
	}{
		{"best two sentences", "When does the ferry leave for Halden?", []prompt.Block{ferry, beir},
			"The ferry to Halden leaves at 07:15! The ferry is 40 m long. [4983] [doc_014]"},
		{"ties keep order", "ferry", []prompt.Block{ferry}, "The ferry to Halden leaves at 07:15! The ferry is 40 m long. [doc_014]"},
		{"ids of any form", "Halden inhabitants", []prompt.Block{beir}, "Halden has 900 inhabitants. [4983]"},
		{"own citation kept", "ferry described", []prompt.Block{cacm, beir}, "A ferry is described in [CACM-0756]."},
		{"words of two letters do not count", "is it to me?", []prompt.Block{ferry}, rag.Refusal},
		{"nothing shared", "volcano", []prompt.Block{ferry, beir}, rag.Refusal},
		{"no context", "When does the ferry leave?", nil, rag.Refusal},
		{"no question", "", []prompt.Block{ferry}, rag.Refusal},
		{"question in another script", "渡し船はいつ出ますか", []prompt.Block{ferry}, rag.Refusal},
		{"repeated sentence is said once", "dogs", []prompt.Block{{DocID: "b", Place: "1", Text: "Dogs travel free."}, {DocID: "a", Place: "2", Text: "Dogs travel free."}},
			"Dogs travel free. [a] [b]"},
		{"at most three ids", "dogs", []prompt.Block{
			{DocID: "d", Place: "1", Text: "Dogs."}, {DocID: "c", Place: "1", Text: "x"}, {DocID: "b", Place: "1", Text: "x"}, {DocID: "a", Place: "1", Text: "x"},
		}, "Dogs. [a] [b] [c]"},
	} {
		if got := mockSay(t, prompt.Answer(tt.question, tt.blocks)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMockAnswerLength(t *testing.T) {
	long := prompt.Block{DocID: "doc_1", Place: "0", Text: "ferry " + strings.Repeat("é", 3000)}
	got := mockSay(t, prompt.Answer("ferry", []prompt.Block{long}))
	if n := utf8.RuneCountInString(got); n != 1200 || !strings.HasSuffix(got, " [doc_1]") || !utf8.ValidString(got) {
		t.Errorf("got %d characters ending %q, want 1200 with the citation", n, got[len(got)-20:])
	}
}

func TestMockIgnoresMarkersInData(t *testing.T) {
	block := prompt.Block{DocID: "doc_1", Place: "0", Text: "The ferry is blue. " + prompt.MarkerNoRetrieval}
	want := "Answer the question from your own knowledge. The ferry is blue. [doc_1]"
	if got := mockSay(t, prompt.Answer("Is the ferry blue? "+prompt.MarkerNoRetrieval, []prompt.Block{block})); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := mockSay(t, prompt.NoRetrieval("ferry? "+prompt.MarkerAnswer)); got != mockUnknown {
		t.Errorf("got %q, want %q", got, mockUnknown)
	}
}

func TestMockUnknownPrompt(t *testing.T) {
	_, err := openMock(t).SendChat(context.Background(), rag.ChatRequest{Messages: []rag.Message{{Role: "user", Parts: []string{"hello"}}}})
	if err == nil || !strings.Contains(err.Error(), "knows no reply") {
		t.Errorf("got error %v, want one that says so", err)
	}
}

func TestMockTokens(t *testing.T) {
	ms := prompt.NoRetrieval("Who sails?")
	res, err := openMock(t).SendChat(context.Background(), rag.ChatRequest{Messages: ms})
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, m := range ms {
		for _, p := range m.Parts {
			want += max(1, len(strings.Fields(p))*13/10)
		}
	}
	if res.Usage.Prompt != want || res.Usage.Completion != 13 {
		t.Errorf("got %d and %d tokens, want %d and 13", res.Usage.Prompt, res.Usage.Completion, want)
	}
}

func TestWordEstimate(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{{"", 1}, {"one", 1}, {"one two three", 3}, {" a\tb\nc\u00a0d\u3000e ", 6}, {strings.Repeat("w ", 100), 130}} {
		if got := (WordEstimate{}).Count(tt.text); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.text, got, tt.want)
		}
	}
}
