package systems_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/ragtest"
	"ragbench/internal/trace"
)

// chatModel gives the embedded interface a name that its method does not have.
type chatModel = rag.Chat

// scripted answers calls of the purposes it has a rule for, and passes the others on. It keeps every request.
type scripted struct {
	chatModel
	rules map[string]func(req rag.ChatRequest, n int) (rag.ChatReply, error) // n: how many calls of the purpose came before

	mu   sync.Mutex
	seen map[string][]rag.ChatRequest
}

func (s *scripted) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	s.mu.Lock()
	if s.seen == nil {
		s.seen = map[string][]rag.ChatRequest{}
	}
	n := len(s.seen[req.Purpose])
	s.seen[req.Purpose] = append(s.seen[req.Purpose], req)
	s.mu.Unlock()
	if rule := s.rules[req.Purpose]; rule != nil {
		r, err := rule(req, n)
		r.Call.PromptTokens, r.Call.CompletionTokens, r.Call.Cost = 100, 10, rag.Cost{USD: 0.25}
		return r, err
	}
	return s.chatModel.Chat(ctx, req)
}

// says makes a rule that always gives one reply.
func says(text, finish string) func(rag.ChatRequest, int) (rag.ChatReply, error) {
	return func(rag.ChatRequest, int) (rag.ChatReply, error) {
		return rag.ChatReply{Text: text, Finish: finish}, nil
	}
}

// ferries is a corpus in which each document has words of its own.
var ferries = []rag.Document{
	{ID: "halden", Title: "Halden", Text: "The ferry to Halden leaves at seven. It is commanded by Captain Moss. Dogs travel free of charge."},
	{ID: "moss", Title: "Captain Moss", Text: "Captain Moss was born in Tarvay. She has sailed since 1990. Her cat is called Bollard."},
	{ID: "tickets", Title: "Tickets", Text: "Tickets are sold on board. Children pay half. A return ticket is valid for a month."},
	{ID: "buses", Title: "Buses", Text: "The bus to the quay runs every hour. It stops at the school. The driver sells no tickets."},
}

// fixture is a system over a corpus with a scripted model.
type fixture struct {
	sys  rag.System
	chat *scripted
	file *ragtest.File
	rep  rag.IngestReport
}

// build makes a system of an entry over documents and ingests them.
func build(t *testing.T, entry string, docs []rag.Document, rules map[string]func(rag.ChatRequest, int) (rag.ChatReply, error)) fixture {
	t.Helper()
	f := ragtest.Open(t)
	m := ragtest.NewModels(t, f)
	chat := &scripted{chatModel: m.Chat, rules: rules}
	m.Chat = chat
	corpus, _ := f.Corpus(t, docs, nil)
	sys := ragtest.Build(t, f, m, entry)
	rep, err := sys.Ingest(context.Background(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{sys, chat, f, rep}
}

// ask puts a question and returns what it leaves behind.
func (f fixture) ask(t *testing.T, question string) (rag.Ranking, rag.Answer, []rag.Step) {
	t.Helper()
	q, tr := rag.Question{ID: "q", Text: question}, trace.New(time.Now)
	r, err := f.sys.Retrieve(context.Background(), q, 10, tr)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.sys.Answer(context.Background(), q, r, tr)
	if err != nil {
		t.Fatal(err)
	}
	return r, a, tr.Steps()
}

// step returns the steps of a name.
func steps(all []rag.Step, name string) (list []rag.Step) {
	for _, s := range all {
		if s.Name == name {
			list = append(list, s)
		}
	}
	return list
}
