package ragtest

import (
	"math"
	"regexp"
	"sort"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Reranked is a candidate with the score a reranker gives it.
type Reranked struct {
	At    int // place among the candidates, from 0
	Score float64
}

// KeywordRerank orders candidates by the distinct question words of more than two letters that they hold, plus
// 1/(rank + 1000) and a thousandth of their score, as plainly as can be.
func KeywordRerank(question string, candidates []rag.Hit) []Reranked {
	out := make([]Reranked, len(candidates))
	for i, c := range candidates {
		out[i] = Reranked{i, float64(held(question, c.Chunk.Text)) + 1/float64(i+1+1000) + 0.001*c.Score}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

// held counts the distinct words of a question, of more than two letters, that s holds.
func held(question, s string) (n int) {
	words := map[string]bool{}
	for _, w := range text.Tokenize(s) {
		words[w] = true
	}
	for w := range wanted(question) {
		if words[w] {
			n++
		}
	}
	return n
}

func wanted(question string) map[string]bool {
	set := map[string]bool{}
	for _, w := range text.Tokenize(question) {
		if len(w) > 2 {
			set[w] = true
		}
	}
	return set
}

var pythonWord = regexp.MustCompile(`[\p{L}\p{N}_]{2,}`)

// TFIDFRerank orders candidates by TF-IDF as scikit-learn has it (words and pairs of words, stop words left out, smooth
// idf), coverage and rank, with maps of texts and no short cut. It is false when no text has a word.
func TFIDFRerank(question string, candidates []rag.Hit, stop map[string]bool) ([]Reranked, bool) {
	docs := []map[string]float64{terms(question, stop)}
	for _, c := range candidates {
		docs = append(docs, terms(c.Chunk.Text, stop))
	}
	df := map[string]float64{}
	for _, d := range docs {
		for term := range d {
			df[term]++
		}
	}
	if len(df) == 0 {
		return nil, false
	}
	for _, d := range docs {
		for term := range d {
			d[term] *= math.Log((1+float64(len(docs)))/(1+df[term])) + 1
		}
	}
	out := make([]Reranked, len(candidates))
	for i, c := range candidates {
		coverage := float64(held(question, c.Chunk.Text)) / math.Max(1, float64(len(wanted(question))))
		out[len(candidates)-1-i] = Reranked{i, angle(docs[0], docs[1+i]) + 0.25*coverage + 0.05/float64(i+1)}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out, true
}

// terms counts the words and the pairs of words of a text.
func terms(s string, stop map[string]bool) map[string]float64 {
	var words []string
	for _, w := range pythonWord.FindAllString(strings.ToLower(s), -1) {
		if !stop[w] {
			words = append(words, w)
		}
	}
	counts := map[string]float64{}
	for i, w := range words {
		counts[w]++
		if i > 0 {
			counts[words[i-1]+" "+w]++
		}
	}
	return counts
}

// angle is the cosine of two sparse vectors, summed in the order of the terms.
func angle(a, b map[string]float64) float64 {
	var ab, aa, bb float64
	for _, term := range sorted(a) {
		ab += a[term] * b[term]
		aa += a[term] * a[term]
	}
	for _, term := range sorted(b) {
		bb += b[term] * b[term]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

func sorted(m map[string]float64) (list []string) {
	for term := range m {
		list = append(list, term)
	}
	sort.Strings(list)
	return list
}
