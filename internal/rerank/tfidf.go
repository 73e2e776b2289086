package rerank

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// similarities returns the cosine of each text to the question, in the space of TF-IDF weights over question and texts:
// words and pairs of neighbouring words, stop words left out first, weight tf * (ln((1 + n) / (1 + df)) + 1), vectors of
// length 1 (scikit-learn, TfidfVectorizer with ngram_range (1, 2) and stop_words english). It is false when there is no
// word at all. A text without words has cosine 0.
func similarities(question string, texts []string) ([]float64, bool) {
	v := vocabulary{words: map[string]int{}, pairs: map[[2]int]int{}}
	docs := make([]counts, 1+len(texts))
	docs[0] = v.count(question)
	for i, t := range texts {
		docs[1+i] = v.count(t)
	}
	if len(v.df) == 0 {
		return nil, false
	}
	idf := make([]float64, len(v.df))
	for i, df := range v.df {
		idf[i] = math.Log(float64(1+len(docs))/float64(1+df)) + 1
	}
	asked := make([]float64, len(v.df)) // the question's weights, by term
	norm := docs[0].norm(idf)
	for _, c := range docs[0] {
		asked[c.term] = float64(c.n) * idf[c.term] / norm
	}
	out := make([]float64, len(texts))
	for i := range texts {
		doc := docs[1+i]
		dot := 0.0
		for _, c := range doc {
			dot += float64(c.n) * idf[c.term] * asked[c.term]
		}
		if n := doc.norm(idf); n > 0 {
			out[i] = dot / n
		}
	}
	return out, true
}

// vocabulary numbers terms in the order they are first seen, words and pairs of words alike, and counts in how many
// texts each occurs.
type vocabulary struct {
	words map[string]int // a word that is left out is -1
	pairs map[[2]int]int
	df    []int
	last  []int // number of the text that held the term last, from 1
	place []int // of the term among the counts of that text
	texts int
}

// counts are the terms of one text with how often each occurs, in the order they are first seen.
type counts []struct{ term, n int }

// norm is the length of the weighted vector.
func (c counts) norm(idf []float64) float64 {
	sum := 0.0
	for _, t := range c {
		w := float64(t.n) * idf[t.term]
		sum += w * w
	}
	return math.Sqrt(sum)
}

// count counts the terms of a text.
func (v *vocabulary) count(s string) counts {
	v.texts++
	var out counts
	add := func(term int) {
		if term == len(v.df) {
			v.df, v.last, v.place = append(v.df, 0), append(v.last, 0), append(v.place, 0)
		}
		if v.last[term] != v.texts {
			v.last[term], v.place[term] = v.texts, len(out)
			v.df[term]++
			out = append(out, struct{ term, n int }{term, 0})
		}
		out[v.place[term]].n++
	}
	before := -1
	eachWord(s, func(word []byte) {
		id, ok := v.words[string(word)]
		if !ok {
			id = len(v.df)
			if stopWords[string(word)] {
				id = -1
			}
			v.words[string(word)] = id
		}
		if id < 0 {
			return
		}
		add(id)
		if before >= 0 {
			pair, ok := v.pairs[[2]int{before, id}]
			if !ok {
				pair = len(v.df)
				v.pairs[[2]int{before, id}] = pair
			}
			add(pair)
		}
		before = id
	})
	return out
}

// eachWord calls f with each run of two or more letters, digits and underscores of s, in lower case (the pattern
// \b\w\w+\b of Python). The bytes are f's for the call only.
func eachWord(s string, f func(word []byte)) {
	var word []byte
	n := 0
	flush := func() {
		if n > 1 {
			f(word)
		}
		word, n = word[:0], 0
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if !wordByte[c] {
				flush()
				continue
			}
			word = append(word, lower(c))
			n++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		i += w
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			flush()
			continue
		}
		word = utf8.AppendRune(word, unicode.ToLower(r))
		n++
	}
	flush()
}

// stopWords are the words left out.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(english) {
		set[w] = true
	}
	return set
}()
