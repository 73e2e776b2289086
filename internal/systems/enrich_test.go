package systems_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/ragtest"
)

const enriched = "{type: llm_heavy, llm_features: {enable_llm_ingestion: true, enable_query_rewrite: false}}"

// TestEnrichmentIsIndexedAndNotRead: a word that only the model wrote finds the chunk, whose text stays the document's.
func TestEnrichmentIsIndexedAndNotRead(t *testing.T) {
	f := build(t, enriched, ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"enrich_chunk": func(req rag.ChatRequest, _ int) (rag.ChatReply, error) {
			word := "other"
			if strings.Contains(req.Messages[1].Text(), "Bollard") {
				word = "zeppelin"
			}
			return rag.ChatReply{Text: `{"summary": "` + word + ` ` + word + `", "entities": ["` + word + `"], "questions": ["` + word + `?"]}`, Finish: "stop"}, nil
		},
	})
	if n := len(f.chat.seen["enrich_chunk"]); n != f.rep.Chunks || f.rep.Chunks != 4 {
		t.Errorf("got %d calls for %d chunks, want one each", n, f.rep.Chunks)
	}
	if u := f.rep.Usage; u.LLM.USD != 1 || u.PromptTokens != 400 {
		t.Errorf("got usage %+v, want four calls of 25 cents", u)
	}
	r, _, _ := f.ask(t, "zeppelin")
	if h := r.Hits[0].Chunk; h.DocID != "moss" || strings.Contains(h.Text, "zeppelin") || !strings.Contains(h.SearchText, "Summary: zeppelin zeppelin\n\nKey entities: zeppelin\n\nHypothetical questions: zeppelin?") {
		t.Errorf("got first hit %+v, want the chunk of moss with its own text, indexed with the description", h)
	}
}

// TestEnrichmentDegrades: a failed call and unreadable replies cost their chunks the description and are counted; what the
// others have stays. Ingesting again reports and charges the same without a call.
func TestEnrichmentDegrades(t *testing.T) {
	fault := errors.New("status 500: overloaded")
	f := build(t, enriched, ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"enrich_chunk": func(req rag.ChatRequest, _ int) (rag.ChatReply, error) {
			switch text := req.Messages[1].Text(); {
			case strings.Contains(text, "Bollard"):
				return rag.ChatReply{}, fault
			case strings.Contains(text, "Children"):
				return rag.ChatReply{Text: "no JSON", Finish: "stop"}, nil
			case strings.Contains(text, "school"):
				return rag.ChatReply{Text: "{}", Finish: "stop"}, nil
			}
			return rag.ChatReply{Text: "```\n{\"summary\": \"zeppelin\"}\n```", Finish: "stop"}, nil
		},
	})
	var got []string
	for _, w := range f.rep.Warnings {
		got = append(got, w.Code+" "+w.Message)
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "enrichment_failed 1 of 4") || !strings.Contains(got[0], "overloaded") || !strings.HasPrefix(got[1], "enrichment_unreadable 2 of 4") {
		t.Errorf("got warnings %q, want one failed and two unreadable of four", got)
	}
	r, _, _ := f.ask(t, "zeppelin")
	for _, h := range r.Hits {
		want := "Summary: zeppelin"
		if h.Chunk.DocID != "halden" {
			want = "Summary: " + h.Chunk.Text[:20]
		}
		if !strings.Contains(h.Chunk.SearchText, want) {
			t.Errorf("%s is indexed as %q, want it to hold %q", h.Chunk.DocID, h.Chunk.SearchText, want)
		}
	}
	calls := len(f.chat.seen["enrich_chunk"])
	corpus, _ := f.file.Corpus(t, ferries, nil)
	again, err := f.sys.Ingest(context.Background(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Built) > 0 || again.Usage != f.rep.Usage || len(again.Warnings) != 2 || len(f.chat.seen["enrich_chunk"]) != calls {
		t.Errorf("again: got %+v after %d more calls, want the same report of what is there", again, len(f.chat.seen["enrich_chunk"])-calls)
	}
}

// TestEnrichmentFails: when every call fails, so does ingestion, with the first error and without an index.
func TestEnrichmentFails(t *testing.T) {
	file := ragtest.Open(t)
	m := ragtest.NewModels(t, file)
	fault := errors.New("status 401: no such key")
	m.Chat = &scripted{chatModel: m.Chat, rules: map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"enrich_chunk": func(rag.ChatRequest, int) (rag.ChatReply, error) { return rag.ChatReply{}, fault },
	}}
	corpus, _ := file.Corpus(t, ferries, nil)
	if _, err := ragtest.Build(t, file, m, enriched).Ingest(context.Background(), corpus); !errors.Is(err, fault) {
		t.Errorf("got error %v, want the call's", err)
	}
	var n int
	if err := file.DB.Reader().QueryRow(`SELECT count(*) FROM indexes`).Scan(&n); err != nil || n != 0 {
		t.Errorf("got %d indexes and error %v, want none", n, err)
	}
}
