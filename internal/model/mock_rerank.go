package model

import (
	"slices"
	"strings"

	"ragbench/internal/rag"
)

// mockRerank names the passages that hold a word of the question of more than two letters, those with the most distinct
// ones first and the earlier first on a tie.
func mockRerank(ms []rag.Message) string {
	user := ms[len(ms)-1].Parts
	wanted := questionWords(questionIn(user))
	type passage struct {
		id     string
		shared int
	}
	var list []passage
	for _, part := range user {
		id, text, ok := splitCandidate(part)
		if !ok {
			continue
		}
		seen := make([]bool, len(wanted))
		p := passage{id: id}
		eachToken(text, nil, func(token []byte) {
			if i, ok := wanted[string(token)]; ok && !seen[i] {
				seen[i] = true
				p.shared++
			}
		})
		if p.shared > 0 {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b passage) int { return b.shared - a.shared })
	ids := []string{}
	for _, p := range list {
		ids = append(ids, p.id)
	}
	return replyJSON(map[string]any{"chunk_ids": ids})
}

// splitCandidate takes a part "[n] id\ntext" apart.
func splitCandidate(part string) (id, text string, ok bool) {
	if !strings.HasPrefix(part, "[") {
		return "", "", false
	}
	head, text, ok := strings.Cut(part, "\n")
	if !ok {
		return "", "", false
	}
	_, id, ok = strings.Cut(head, "] ")
	return id, text, ok
}
