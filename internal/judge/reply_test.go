package judge

import (
	"strings"
	"testing"
)

func TestParseReply(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, tt := range []struct {
		name, reply string
		problem     string
		repair      string
		mean        float64
	}{
		{name: "as asked", reply: good, mean: 4.3},
		{name: "fenced", reply: "Here:\n```json\n" + good + "\n```\nDone.", repair: "fence", mean: 4.3},
		{name: "prose around", reply: "My judgment is " + good + " as you see.", repair: "embedded", mean: 4.3},
		{name: "too large", reply: change("4.5", "9"), repair: "clamped relevance", mean: 4.4},
		{name: "negative", reply: change("4.5", "-1"), repair: "clamped relevance", mean: 3.4},
		{name: "no reasons", reply: `{"correctness":1,"faithfulness":1,"completeness":1,"relevance":1,"citation_quality":1}`, mean: 1},
		{name: "prose", reply: "INCORRECT", problem: "no JSON object"},
		{name: "empty", reply: "", problem: "no JSON object"},
		{name: "cut", reply: good[:len(good)-20], problem: "correctness is no number"},
		{name: "a list", reply: "[5,5,5,5,5]", problem: "a list"},
		{name: "a missing axis", reply: change(`"relevance": 4.5, `, ""), problem: "relevance is missing"},
		{name: "null", reply: change("4.5", "null"), problem: "relevance is no number but null"},
		{name: "a boolean as a number", reply: change("4.5", "true"), problem: "relevance is no number but true"},
		{name: "a number in quotes", reply: change("4.5", `"4.5"`), problem: "relevance is no number but"},
		{name: "a boolean in quotes", reply: change("false", `"false"`), problem: "hallucinated is neither true nor false"},
		{name: "a number as a boolean", reply: change("true", "1"), problem: "supported is neither true nor false"},
		{name: "an overflow", reply: change("4.5", "1e999"), problem: "relevance is no number but 1e999"},
	} {
		v, err := parseReply(tt.reply)
		if tt.problem != "" {
			if err == nil || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("%s: got %+v, %v, want an error with %q", tt.name, v, err, tt.problem)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if v.Repair != tt.repair || v.Axes.Mean() < tt.mean-1e-9 || v.Axes.Mean() > tt.mean+1e-9 {
			t.Errorf("%s: got mean %v, repair %q, want %v, %q", tt.name, v.Axes.Mean(), v.Repair, tt.mean, tt.repair)
		}
	}
	v, err := parseReply(good)
	if err != nil || v.Reason != "correctness: as the reference" || !*v.Supported || *v.Hallucinated {
		t.Errorf("got %+v, %v", v, err)
	}
	if v, err = parseReply(`{"reasons":"short","correctness":1,"faithfulness":1,"completeness":1,"relevance":1,"citation_quality":1}`); err != nil || v.Supported != nil || v.Reason != "short" {
		t.Errorf("got %+v, %v, want supported unknown and a text as the reason", v, err)
	}
}
