package systems

import (
	"context"
	"fmt"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// The sizes of a sub-answer and of the finding that is made of it.
const (
	subAnswerTokens = 150
	findingChars    = 200
)

// inTurn searches and answers one sub-question after the other, each with the finding of the one before. Queries beyond
// the first subs are searched last and not answered.
func (s *decompose) inTurn(ctx context.Context, queries []string, subs, depth int, tr rag.Trace) (found lists, findings []string, err error) {
	last := ""
	for i, q := range queries {
		query := q
		if last != "" && i < subs {
			query += "\n" + last
		}
		part, err := s.search(ctx, []string{query}, i, depth, tr)
		if err != nil {
			return found, nil, err
		}
		found.add(part)
		if i >= subs {
			continue
		}
		if last, err = s.subAnswer(ctx, q, part.legs[legName("subquestion", i)], tr); err != nil {
			return found, nil, err
		}
		findings = append(findings, last)
	}
	return found, findings, nil
}

// subAnswer answers a sub-question from its best chunks. The finding is empty when the reply is empty or refuses.
func (s *decompose) subAnswer(ctx context.Context, question string, hits []rag.Hit, tr rag.Trace) (finding string, err error) {
	step, end := tr.Step(rag.StepLLM, "sub_answer", question)
	defer end()
	var blocks []prompt.Block
	for i := range hits[:min(s.perAnswer, len(hits))] {
		blocks = append(blocks, prompt.BlockOf(&hits[i].Chunk))
	}
	reply, err := s.consult(ctx, step, "sub_answer", rag.ChatRequest{Messages: prompt.SubAnswer(question, blocks), MaxTokens: subAnswerTokens})
	if err != nil {
		return "", err
	}
	if reason := unusable(reply); reason != "" {
		note(step, "fallback", true)
		note(step, "reason", reason)
		return "", nil
	}
	if text.Refuses(reply.Text) {
		note(step, "refused", true)
		return "", nil
	}
	return text.Truncate(reply.Text, findingChars), nil
}

// Answer shows each passage under the sub-question that ranked it best; a question that was not split is answered with
// the plain prompt.
func (s *decompose) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	subs, _ := r.Metadata["subquestions"].([]string)
	if len(subs) < 2 {
		return s.answer(ctx, q, r, tr)
	}
	findings, _ := r.Metadata["findings"].([]string)
	read := r.Hits[:min(s.ContextK, len(r.Hits))]
	groups, docs := grouped(read, subs, findings, r.Legs)
	return s.generate(ctx, q, prompt.GroupedAnswer(q.Text, groups), docs, tr)
}

// grouped puts hits under the sub-question whose list has them highest, the earlier one on a tie. The list after those
// of the sub-questions is the question's own.
func grouped(read []rag.Hit, subs, findings []string, legs []rag.Leg) (groups []prompt.Group, docs map[string]bool) {
	groups = make([]prompt.Group, len(subs)+1)
	for i, sub := range subs {
		groups[i].Label = fmt.Sprintf("Sub-question %d: %s", i+1, sub)
		if i < len(findings) {
			groups[i].Finding = findings[i]
		}
	}
	groups[len(subs)].Label = "Original question"
	type place struct{ group, rank int }
	best := map[int64]place{}
	for i := range groups {
		for _, leg := range legs {
			if leg.Name != legName("subquestion", i) {
				continue
			}
			for _, h := range leg.Hits {
				if p, ok := best[h.Chunk.RowID]; !ok || h.Rank < p.rank {
					best[h.Chunk.RowID] = place{i, h.Rank}
				}
			}
		}
	}
	docs = map[string]bool{}
	for i := range read {
		g := &groups[best[read[i].Chunk.RowID].group]
		g.Blocks = append(g.Blocks, prompt.BlockOf(&read[i].Chunk))
		docs[read[i].Chunk.DocID] = true
	}
	return groups, docs
}
