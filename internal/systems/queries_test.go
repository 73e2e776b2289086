package systems_test

import (
	"strings"
	"testing"

	"ragbench/internal/rag"
)

// TestHydeSearchesWithThePassage: the passage decides the list of the hypothesis and is not shown to the generator.
func TestHydeSearchesWithThePassage(t *testing.T) {
	rules := map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){"hypothetical_document": says("Tickets are sold on board. Children pay half.", "stop")}
	for entry, want := range map[string]string{
		"hyde": "the fused list",
		"{type: hyde, retrieval: {fuse_with_question: false}}": "tickets",
	} {
		f := build(t, entry, ferries, rules)
		r, _, all := f.ask(t, "captain cat")
		if got := r.Metadata["hypothetical_document"]; got != "Tickets are sold on board. Children pay half." {
			t.Errorf("%s: got metadata %q, want the passage", entry, got)
		}
		for _, leg := range r.Legs {
			if first := leg.Hits[0].Chunk.DocID; leg.Name == "hypothesis" && first != "tickets" || leg.Name == "question" && first != "moss" {
				t.Errorf("%s: the list of %s starts with %s", entry, leg.Name, first)
			}
		}
		if want == "tickets" && (len(r.Legs) != 1 || r.Hits[0].Chunk.DocID != "tickets" || r.Hits[0].Score != r.Legs[0].Hits[0].Score) {
			t.Errorf("%s: got %d lists and first hit %+v, want the passage's ranking alone with its scores", entry, len(r.Legs), r.Hits[0])
		}
		if want != "tickets" && len(steps(all, "vector_search:question")) != 1 {
			t.Errorf("%s: the question is not searched", entry)
		}
		for _, req := range f.chat.seen["answer"] {
			if strings.Contains(req.Messages[0].Text(), "Children pay half. Tickets") {
				t.Errorf("%s: the generator reads the passage", entry)
			}
		}
	}
}

// TestSequentialAddsTheFinding: what the first sub-question found is in the query of the second, and both are in the
// prompt, as preliminary; sub-answers are booked as the answer's model cost; a refusal is no finding.
func TestSequentialAddsTheFinding(t *testing.T) {
	long := "Captain Moss commands it. " + strings.Repeat("And so on. ", 40)
	rules := map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"plan_subquestions": says(`{"subquestions": ["Who commands the Halden ferry?", "Where was that captain born?", "Who pays half?"]}`, "stop"),
		"sub_answer": func(_ rag.ChatRequest, n int) (rag.ChatReply, error) {
			return rag.ChatReply{Text: []string{long, rag.Refusal, "Children."}[n%3], Finish: "stop"}, nil
		},
	}
	f := build(t, "{type: decompose, retrieval: {sequential: true}}", ferries, rules)
	_, _, all := f.ask(t, "Where was the captain of the Halden ferry born and who pays half?")
	searches := steps(all, "subquestion_search")
	if len(searches) != 4 {
		t.Fatalf("got %d searches, want three sub-questions and the question", len(searches))
	}
	if !strings.HasPrefix(searches[1].Input, "Where was that captain born?\nCaptain Moss commands it.") || len(searches[1].Input) > len("Where was that captain born?\n")+200 {
		t.Errorf("second search: got %q, want the sub-question and 200 characters of the finding", searches[1].Input)
	}
	if searches[2].Input != "Who pays half?" {
		t.Errorf("third search: got %q, want no refusal added", searches[2].Input)
	}
	sub := steps(all, "sub_answer")
	if len(sub) != 3 || sub[0].Usage.LLM.USD != 0.25 || sub[0].Usage.QueryRewrite.USD != 0 {
		t.Errorf("got sub-answers %+v, want three booked as llm", sub)
	}
	if n := len(f.chat.seen["sub_answer"][0].Messages[1].Parts); n > 5 {
		t.Errorf("a sub-answer reads %d parts, want three chunks between two", n)
	}
	final := f.chat.seen["answer"][0].Messages[1].Text()
	for _, want := range []string{"Sub-question 1: Who commands the Halden ferry?", "Preliminary finding: Captain Moss", "Sub-question 2:", "Preliminary finding: Children.", "[moss | "} {
		if !strings.Contains(final, want) {
			t.Errorf("the final prompt lacks %q:\n%s", want, final)
		}
	}
	if strings.Contains(final, rag.Refusal) {
		t.Errorf("the final prompt shows a refusal as a finding:\n%s", final)
	}
}

// TestUnsplitQuestionHasThePlainPrompt: one sub-question is answered like any question.
func TestUnsplitQuestionHasThePlainPrompt(t *testing.T) {
	f := build(t, "decompose", ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"plan_subquestions": says(`{"subquestions": ["who pays  half"]}`, "stop"),
	})
	_, _, all := f.ask(t, "Who pays half?")
	if n := len(steps(all, "subquestion_search")); n != 1 {
		t.Errorf("got %d searches, want one: the sub-question is the question", n)
	}
	if p := f.chat.seen["answer"][0].Messages[1].Text(); strings.Contains(p, "Sub-question") {
		t.Errorf("the prompt is grouped:\n%s", p)
	}
}

// TestBestCosineCounts: llm_heavy merges by each chunk's best score.
func TestBestCosineCounts(t *testing.T) {
	f := build(t, "llm_heavy", ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
		"query_rewrite": says(`{"queries": ["Children pay half", "cat called Bollard", "dogs travel free"]}`, "stop"),
	})
	r, _, _ := f.ask(t, "anything")
	best := map[int64]float64{}
	var merged []rag.Hit
	for _, leg := range r.Legs {
		if leg.Name == "merged" {
			merged = leg.Hits
			continue
		}
		for _, h := range leg.Hits {
			best[h.Chunk.RowID] = max(best[h.Chunk.RowID], h.Score)
		}
	}
	if len(merged) != len(best) || len(r.Legs) != 4 {
		t.Fatalf("got %d merged chunks of %d lists, want %d of 4", len(merged), len(r.Legs), len(best))
	}
	for i, h := range merged {
		if h.Score != best[h.Chunk.RowID] || i > 0 && h.Score > merged[i-1].Score {
			t.Errorf("merged hit %d scores %v, want %v and no more than the one before", i+1, h.Score, best[h.Chunk.RowID])
		}
	}
}
