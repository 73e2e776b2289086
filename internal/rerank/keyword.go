package rerank

import (
	"context"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Keyword is simple_keyword_overlap: matches + 1/(rank + 1000) + 0.001 * the score before.
type Keyword struct{}

var _ Reranker = Keyword{}

// Rerank implements Reranker. Of equals the earlier candidate comes first.
func (Keyword) Rerank(ctx context.Context, question string, candidates []rag.Hit, topK int, _ *rag.Step) ([]rag.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	terms := questionTerms(question)
	order := make([]scored, len(candidates))
	for i, h := range candidates {
		order[i] = scored{at: i, score: float64(terms.matches(h.Chunk.Text)) + 1/float64(h.Rank+1000) + 0.001*h.Score}
	}
	byScore(order)
	return pick(candidates, order, topK, "simple_keyword_overlap"), nil
}

// terms numbers the distinct words of a question that count: those of more than two letters, as text.Tokenize cuts them.
type terms map[string]int

func questionTerms(question string) terms {
	t := terms{}
	for _, w := range text.Tokenize(question) {
		if _, ok := t[w]; !ok && len(w) > 2 {
			t[w] = len(t)
		}
	}
	return t
}

// matches counts the terms that s holds as words. It cuts s as text.Tokenize does, without keeping the words.
func (t terms) matches(s string) int {
	if len(t) == 0 {
		return 0
	}
	var begins [256]bool // most words are passed over by their first letter
	for w := range t {
		begins[w[0]] = true
	}
	seen := make([]bool, len(t))
	n := 0
	var word [64]byte
	for i := 0; i < len(s); {
		if !wordByte[s[i]] {
			i++
			continue
		}
		start := i
		for i < len(s) && wordByte[s[i]] {
			i++
		}
		if i-start < 3 || !begins[lower(s[start])] {
			continue
		}
		buf := word[:0]
		for _, c := range []byte(s[start:i]) {
			buf = append(buf, lower(c))
		}
		if k, ok := t[string(buf)]; ok && !seen[k] {
			seen[k] = true
			n++
		}
	}
	return n
}

// wordByte tells the bytes of words.
var wordByte = func() (table [256]bool) {
	for c := range table {
		b := byte(c)
		table[c] = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
	}
	return table
}()

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
