package systems_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/trace"
)

// broken are replies that none of the planning prompts asked for.
var broken = map[string]struct{ text, finish string }{
	"empty":          {"", "empty"},
	"white space":    {" \n\t", "stop"},
	"refusal":        {"", "refusal"},
	"content filter": {`{"queries": ["cut`, "content_filter"},
	"tool calls":     {"", "tool_calls"},
}

// unreadable are further replies, which a prompt for JSON did not ask for.
var unreadable = map[string]struct{ text, finish string }{
	"prose":       {"I cannot think of any query.", "stop"},
	"cut off":     {`{"queries": ["ferry ti`, "length"},
	"wrong shape": {`{"answer": 3}`, "stop"},
	"numbers":     {`{"queries": [1], "subquestions": [1]}`, "stop"},
	"no query":    {`{"queries": [], "subquestions": []}`, "stop"},
	"null":        {"null", "stop"},
}

// TestFallback gives each planning step replies it cannot use: the question is answered all the same from a search of the
// question itself, the step says fallback and why, and the call is charged as spent on the query.
func TestFallback(t *testing.T) {
	const question = "When does the ferry to Halden leave?"
	for _, tt := range []struct {
		entry, step, searches string
		json                  bool
	}{
		{"hyde", "hypothetical_document", "vector_search:hypothesis", false},
		{"rag_fusion", "query_variants", "variant_search", true},
		{"{type: rag_fusion, retrieval: {include_original: false}}", "query_variants", "variant_search", true},
		{"decompose", "plan_subquestions", "subquestion_search", true},
		{"{type: decompose, retrieval: {sequential: true}}", "plan_subquestions", "subquestion_search", true},
		{"llm_heavy", "query_rewrite", "vector_search", true},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			replies := map[string]struct{ text, finish string }{}
			for name, r := range broken {
				replies[name] = r
			}
			if tt.json {
				for name, r := range unreadable {
					replies[name] = r
				}
			}
			f := build(t, tt.entry, ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){})
			for name, r := range replies {
				f.chat.rules[tt.step] = says(r.text, r.finish)
				ranking, answer, all := f.ask(t, question)
				plan := steps(all, tt.step)
				if len(plan) != 1 || plan[0].Metadata["fallback"] != true || plan[0].Metadata["reason"] == "" || plan[0].Error != "" {
					t.Errorf("%s: got plan %+v, want one step with fallback, a reason and no error", name, plan)
					continue
				}
				if u := plan[0].Usage; u.QueryRewrite.USD != 0.25 || u.LLM.USD != 0 || u.PromptTokens != 100 {
					t.Errorf("%s: got usage %+v, want the call booked as query rewrite", name, u)
				}
				if s := steps(all, tt.searches); len(s) != 1 || s[0].Input != question {
					t.Errorf("%s: got searches %+v, want one of the question itself", name, s)
				}
				if len(ranking.Hits) == 0 || answer.Text == "" || answer.Refused {
					t.Errorf("%s: got %d hits and answer %q, want an answer", name, len(ranking.Hits), answer.Text)
				}
			}
		})
	}
}

// TestPlanIsUsed gives the same steps replies that need repair: they are used, and the repair is on record.
func TestPlanIsUsed(t *testing.T) {
	for _, tt := range []struct {
		entry, step, reply, repair, searches string
		want                                 []string
	}{
		{"rag_fusion", "query_variants", "```json\n{\"queries\": [\"departure Halden\", \"When is it?\"]}\n```", "fence", "variant_search",
			[]string{"When is it", "departure Halden"}}, // the other wording only differs by its mark
		{"decompose", "plan_subquestions", `Sure: {"subquestions": ["Who is captain?", "Where was she born?"]}`, "embedded", "subquestion_search",
			[]string{"Who is captain?", "Where was she born?", "When is it"}},
		{"llm_heavy", "query_rewrite", `["captain", "born"]`, "", "vector_search", []string{"captain", "born"}},
	} {
		f := build(t, tt.entry, ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){tt.step: says(tt.reply, "stop")})
		_, _, all := f.ask(t, "When is it")
		plan := steps(all, tt.step)[0]
		if repaired, _ := plan.Metadata["repaired"].(string); repaired != tt.repair || plan.Metadata["fallback"] != nil {
			t.Errorf("%s: got metadata %v, want repair %q and no fallback", tt.entry, plan.Metadata, tt.repair)
		}
		var got []string
		for _, s := range steps(all, tt.searches) {
			got = append(got, s.Input)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: searches (-want +got):\n%s", tt.entry, diff)
		}
	}
}

// TestFailedPlanFailsTheQuestion: a call that fails is no unreadable reply. Nothing is swapped silently.
func TestFailedPlanFailsTheQuestion(t *testing.T) {
	broken := errors.New("status 401: no such key")
	for entry, step := range map[string]string{"hyde": "hypothetical_document", "rag_fusion": "query_variants", "decompose": "plan_subquestions", "llm_heavy": "query_rewrite"} {
		f := build(t, entry, ferries, map[string]func(rag.ChatRequest, int) (rag.ChatReply, error){
			step: func(rag.ChatRequest, int) (rag.ChatReply, error) { return rag.ChatReply{}, broken },
		})
		tr := trace.New(time.Now)
		_, err := f.sys.Retrieve(context.Background(), rag.Question{Text: "When?"}, 10, tr)
		if all := tr.Steps(); !errors.Is(err, broken) || len(all) != 1 || all[0].Error == "" {
			t.Errorf("%s: got error %v and steps %+v, want the call's error, on its step too", entry, err, all)
		}
	}
}
