package judge

import (
	"context"
	"strings"

	"ragbench/internal/score"
	"ragbench/internal/text"
)

// HeuristicName is the name of the judge that needs no model.
const HeuristicName = "heuristic"

// heuristicVersion changes with the rules below.
const heuristicVersion = "heuristic/1"

// Heuristic judges by shared words. It is quick, free and deterministic, and no evidence about quality where wording
// differs from the reference.
type Heuristic struct{}

var _ Judge = Heuristic{}

// Name implements Judge.
func (Heuristic) Name() string { return HeuristicName }

// Version implements Judge.
func (Heuristic) Version() string { return heuristicVersion }

// Samples implements Judge: it would say the same again.
func (Heuristic) Samples() int { return 1 }

// Judge implements Judge.
func (Heuristic) Judge(ctx context.Context, c *Case, _ []int) ([]Verdict, error) {
	return []Verdict{judgeByWords(c)}, ctx.Err()
}

// notWords are words of refusals and prompts that say nothing about support.
var notWords = map[string]bool{"could": true, "provided": true, "documents": true, "answer": true}

// judgeByWords applies the rules of the Python original. For an unanswerable question every axis is 5 for a refusal and
// otherwise 1, with citations 0. For an answerable one:
//
//	correctness = 5 × the larger of the share of keywords the answer holds and the share of the reference's tokens it has
//	faithfulness = 5 × the share of its words of more than three letters that the context holds
//	completeness = relevance = correctness; without reference and keywords correctness = faithfulness
//	citations: 5 where a relevant document is cited, 2 where any is, else 0
//
// A refusal has a correctness of at most 1 and a faithfulness of 4. Citations are no words of the answer. Where no word
// has more than three letters, as in "£6", all count.
func judgeByWords(c *Case) Verdict {
	v := Verdict{Status: OK, Reason: "shared words"}
	var a Axes
	if !c.Answerable {
		a = Axes{1, 1, 1, 1, 0}
		if c.Refused {
			a = Axes{5, 5, 5, 5, 5}
		}
	} else {
		a.Faithfulness = 5 * support(c)
		a.Correctness = a.Faithfulness
		if c.Reference != "" || len(c.Keywords) > 0 {
			a.Correctness = 5 * max(keywordShare(c), referenceShare(c))
		}
		a.CitationQuality = citationQuality(c)
		if c.Refused {
			a.Correctness, a.Faithfulness = min(a.Correctness, 1), 4
		}
		a.Completeness, a.Relevance = a.Correctness, a.Correctness
	}
	supported, hallucinated := a.Faithfulness >= 3, a.Faithfulness < 2 && !c.Refused
	v.Axes, v.Supported, v.Hallucinated = &a, &supported, &hallucinated
	return v
}

func keywordShare(c *Case) float64 {
	if len(c.Keywords) == 0 {
		return 0
	}
	answer, found := strings.ToLower(c.Answer), 0
	for _, k := range c.Keywords {
		if strings.Contains(answer, strings.ToLower(k)) {
			found++
		}
	}
	return float64(found) / float64(len(c.Keywords))
}

func referenceShare(c *Case) float64 {
	reference, answer := tokenSet(c.Reference), tokenSet(c.Answer)
	found := 0
	for t := range reference {
		if answer[t] {
			found++
		}
	}
	return float64(found) / float64(max(1, len(reference)))
}

func tokenSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Tokenize(s) {
		set[t] = true
	}
	return set
}

func support(c *Case) float64 {
	var b strings.Builder
	for i := range c.Context {
		b.WriteString(c.Context[i].Text)
		b.WriteByte('\n')
	}
	context := strings.ToLower(b.String())
	all := text.Tokenize(score.WithoutCitations(c.Answer))
	var words []string
	for _, t := range all {
		if len(t) > 3 && !notWords[t] {
			words = append(words, t)
		}
	}
	if len(words) == 0 {
		words = all
	}
	found := 0
	for _, t := range words {
		if strings.Contains(context, t) {
			found++
		}
	}
	return float64(found) / float64(max(1, len(words)))
}

func citationQuality(c *Case) float64 {
	relevant := map[string]bool{}
	for _, id := range c.Relevant {
		relevant[id] = true
	}
	read := map[string]bool{}
	for i := range c.Context {
		read[c.Context[i].DocID] = true
	}
	list := score.Citations(c.Answer, func(id string) bool { return relevant[id] || read[id] })
	for _, id := range list {
		if relevant[id] {
			return 5
		}
	}
	if len(list) > 0 {
		return 2
	}
	return 0
}
