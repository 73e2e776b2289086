package demo

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var token = regexp.MustCompile(`[a-z0-9_]+`)

// chunk is a window of a document with its term counts.
type chunk struct {
	doc    string
	counts map[string]int
	length int
}

// chunks cuts every document into windows of 385 words, about 500 tokens, that overlap by 38 words.
func chunks(docs map[string]document) []chunk {
	const size, step = 385, 385 - 38
	var out []chunk
	for id, d := range docs {
		words := strings.Fields(d.text)
		for from := 0; ; from += step {
			to := min(from+size, len(words))
			c := chunk{doc: id, counts: make(map[string]int)}
			for _, w := range token.FindAllString(strings.ToLower(strings.Join(words[from:to], " ")), -1) {
				c.counts[w]++
				c.length++
			}
			out = append(out, c)
			if to == len(words) {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b chunk) int { return strings.Compare(a.doc, b.doc) })
	return out
}

// retrieve returns the distinct documents of the first k chunks by BM25 with k1 1.2 and b .75.
func retrieve(query string, all []chunk, k int) []string {
	mean := 0.0
	for _, c := range all {
		mean += float64(c.length) / float64(len(all))
	}
	score := make([]float64, len(all))
	for _, w := range token.FindAllString(strings.ToLower(query), -1) {
		df := 0.0
		for _, c := range all {
			if c.counts[w] > 0 {
				df++
			}
		}
		idf := math.Log(1 + (float64(len(all))-df+.5)/(df+.5))
		for i, c := range all {
			f := float64(c.counts[w])
			score[i] += idf * f * 2.2 / (f + 1.2*(.25+.75*float64(c.length)/mean))
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if score[a] > score[b] {
			return -1
		}
		if score[a] < score[b] {
			return 1
		}
		return 0
	})
	var ids []string
	for _, i := range order[:k] {
		if !slices.Contains(ids, all[i].doc) {
			ids = append(ids, all[i].doc)
		}
	}
	return ids
}

// TestPlainSearchIsNeitherTrivialNorHopeless measures document recall of the first five chunks. Unanswerable questions
// count as zero in the first mean and are left out of the second.
func TestPlainSearchIsNeitherTrivialNorHopeless(t *testing.T) {
	all := chunks(readDocs(t))
	total, questions, answerable := 0.0, 0, 0
	byCategory := make(map[string][]float64)
	for _, q := range readQuestions(t) {
		questions++
		if !q.Answerable {
			continue
		}
		answerable++
		found := retrieve(q.Question, all, 5)
		hits := 0.0
		for _, id := range q.Relevant {
			if slices.Contains(found, id) {
				hits++
			}
		}
		total += hits / float64(len(q.Relevant))
		byCategory[q.Category] = append(byCategory[q.Category], hits/float64(len(q.Relevant)))
	}
	overall, answered := total/float64(questions), total/float64(answerable)
	t.Logf("Recall@5 over %d chunks: %.3f, answerable only %.3f", len(all), overall, answered)
	if overall < .55 || overall > .8 {
		t.Errorf("got Recall@5 %.3f, want .55 to .80", overall)
	}
	if answered < .6 || answered > .87 {
		t.Errorf("got Recall@5 %.3f over answerable questions, want .60 to .87", answered)
	}
	if p, e := sum(byCategory["paraphrase"])/float64(len(byCategory["paraphrase"])), sum(byCategory["exact_identifier"])/float64(len(byCategory["exact_identifier"])); p > .6 || e < .9 {
		t.Errorf("got Recall@5 %.2f for paraphrases and %.2f for identifiers, want at most .60 and at least .90", p, e)
	}
}
