package bench

import "ragbench/internal/rag"

// booked names the cost of the answer that a call of a step counts towards: vectors and decisions their own, a chat call
// the one that the step books. Where that is none, because the call was free, or several, the kind of the step decides.
func booked(s *rag.Step, c rag.Call) string {
	switch c.Kind {
	case "embedding", "decision":
		return c.Kind
	}
	name := ""
	for _, f := range []struct {
		name string
		cost rag.Cost
	}{{"llm", s.Usage.LLM}, {"rerank", s.Usage.Rerank}, {"query_rewrite", s.Usage.QueryRewrite}, {"tool", s.Usage.Tool}} {
		if f.cost == (rag.Cost{}) {
			continue
		}
		if name != "" {
			return byKind(s.Kind)
		}
		name = f.name
	}
	if name != "" {
		return name
	}
	return byKind(s.Kind)
}

func byKind(k rag.StepKind) string {
	switch k {
	case rag.StepRerank:
		return "rerank"
	case rag.StepTool:
		return "tool"
	case rag.StepGenerate, rag.StepExternal:
		return "llm"
	}
	return "query_rewrite"
}

// charged is what the steps booked and, on top, what their chat and decision calls cost beyond that: a call that no step
// has booked is charged all the same, and shows as the step untracked. Vectors are charged by the texts and not by the
// call, so that they cost the same when the vector was there.
func charged(steps []rag.Step) rag.Usage {
	var total, calls rag.Usage
	seen := map[any]bool{}
	for _, s := range steps {
		total = total.Plus(s.Usage)
		for _, c := range s.Calls {
			if c.Kind == "embedding" || c.Record != nil && seen[c.Record] {
				continue
			}
			seen[c.Record] = true
			calls.LLM = calls.LLM.Plus(c.Cost)
			if c.Kind == "chat" {
				calls.PromptTokens += c.PromptTokens
				calls.CompletionTokens += c.CompletionTokens
			}
		}
	}
	spent := total
	spent.Embedding = rag.Cost{}
	if over := calls.LLM.USD - spent.Total().USD; over > 1e-12 {
		total.LLM.USD += over
	}
	if calls.LLM.Unknown && !spent.Total().Unknown {
		total.LLM.Unknown = true
	}
	total.PromptTokens = max(total.PromptTokens, calls.PromptTokens)
	total.CompletionTokens = max(total.CompletionTokens, calls.CompletionTokens)
	return total
}
