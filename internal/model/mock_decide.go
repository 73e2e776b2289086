package model

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// overlapDecider is mock:word-overlap: the probability is the share of the question's content words that the passage
// holds. The input is laid out by prompt.Evidence; a predicate whose instructions name a passage "[n]" is about that
// one, any other about all of them. Content words have more than three letters, as in the rule by which the mock chat
// model grades. A question without any is unknown, not no.
type overlapDecider struct {
	id     Identity
	tokens *counter
}

func openMockDecider(r Ref, env Env) (DecideProvider, error) {
	if r.Model != "word-overlap" || r.Dims != 0 {
		return nil, unknownModel(r, "mock decision model", []string{"word-overlap"})
	}
	return &overlapDecider{Identity{Ref: r.String(), Mock: true, price: "word-overlap"}, newCounter(env.Tokens)}, nil
}

func (d *overlapDecider) Identity() Identity { return d.id }

// SendDecide implements DecideProvider.
func (d *overlapDecider) SendDecide(ctx context.Context, input string, ps []rag.Predicate) (DecideResult, error) {
	if err := ctx.Err(); err != nil {
		return DecideResult{}, err
	}
	head, body, ok := strings.Cut(input, "\n\nPassages:\n")
	if !ok || !strings.HasPrefix(head, prompt.QuestionLabel) {
		return DecideResult{}, fmt.Errorf("the mock decision model reads evidence laid out as %q, passages below", prompt.QuestionLabel+"…")
	}
	words := contentWords(head[len(prompt.QuestionLabel):])
	res := DecideResult{Decisions: make([]rag.Decision, len(ps))}
	res.Usage.Prompt = d.tokens.Count(input)
	for i, p := range ps {
		res.Decisions[i] = decideOverlap(p, words, body)
		res.Usage.Prompt += d.tokens.part(p.Instructions)
	}
	return res, nil
}

func decideOverlap(p rag.Predicate, words map[string]bool, body string) rag.Decision {
	if len(words) == 0 {
		return rag.Decision{Name: p.Name, Reason: "the question has no content words"}
	}
	passage := body
	if n, ok := passageNumber(p.Instructions); ok {
		if passage, ok = numbered(body, n); !ok {
			return rag.Decision{Name: p.Name, Reason: fmt.Sprintf("there is no passage [%d]", n)}
		}
	}
	found := map[string]bool{}
	eachToken(passage, nil, func(token []byte) {
		if words[string(token)] {
			found[string(token)] = true
		}
	})
	share := float64(len(found)) / float64(len(words))
	return rag.Decision{Name: p.Name, Probability: &share}
}

func contentWords(question string) map[string]bool {
	words := map[string]bool{}
	eachToken(question, nil, func(token []byte) {
		if len(token) > 3 {
			words[string(token)] = true
		}
	})
	return words
}

// passageNumber finds the first "[n]" in a predicate's instructions.
func passageNumber(s string) (int, bool) {
	for {
		_, rest, ok := strings.Cut(s, "[")
		if !ok {
			return 0, false
		}
		if digits, _, ok := strings.Cut(rest, "]"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				return n, true
			}
		}
		s = rest
	}
}

// numbered returns the passage under the line "[n]", up to the line of the next one.
func numbered(body string, n int) (string, bool) {
	_, rest, ok := strings.Cut(body, "\n["+strconv.Itoa(n)+"]\n")
	if !ok {
		return "", false
	}
	passage, _, _ := strings.Cut(rest, "\n["+strconv.Itoa(n+1)+"]\n")
	return passage, true
}
