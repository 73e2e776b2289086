package model

import (
	"encoding/json"
	"math"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// mockJudge scores by shared words: correctness by the share of the reference's tokens in the answer, faithfulness by
// the share of the answer's in the context, in steps of a half. For an unanswerable question only a refusal is right.
func mockJudge(ms []rag.Message) string {
	var d struct {
		Answerable bool
		Reference  string `json:"reference_answer"`
		Answer     string `json:"model_answer"`
		Context    string `json:"retrieved_context"`
	}
	for _, m := range ms {
		if m.Role == "user" && json.Unmarshal([]byte(m.Text()), &d) == nil {
			break
		}
	}
	refused := text.Refuses(d.Answer)
	correct, faithful := 5*shared(d.Reference, d.Answer), 5*shared(d.Answer, d.Context)
	cites := 0.0
	if len(text.Citations(d.Answer, func(string) bool { return true })) > 0 {
		cites = 3
	}
	switch {
	case !d.Answerable && refused:
		correct, faithful, cites = 5, 5, 5
	case !d.Answerable:
		correct, faithful, cites = 1, 1, 0
	case refused:
		correct, faithful = math.Min(correct, 1), 4
	}
	half := func(v float64) float64 { return math.Round(2*v) / 2 }
	return replyJSON(map[string]any{
		"reasons":     map[string]string{"correctness": "shared words"},
		"correctness": half(correct), "faithfulness": half(faithful), "completeness": half(correct), "relevance": half(correct),
		"citation_quality": cites, "supported": faithful >= 3, "hallucinated": faithful < 2 && !refused,
	})
}

// shared is the share of the distinct tokens of a that b has; 0 when a has none.
func shared(a, b string) float64 {
	in := map[string]bool{}
	for _, t := range text.Tokenize(b) {
		in[t] = true
	}
	seen := map[string]bool{}
	found := 0.0
	for _, t := range text.Tokenize(a) {
		if !seen[t] && in[t] {
			found++
		}
		seen[t] = true
	}
	return found / math.Max(1, float64(len(seen)))
}
