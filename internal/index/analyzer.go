package index

import (
	"fmt"
	"strings"

	"ragbench/internal/sqlext"
)

// Analyzer cuts texts into the terms of an Analysis. It is safe for concurrent use. Close frees it.
type Analyzer struct {
	tokens *sqlext.Tokenizer
	words  *sqlext.Tokenizer // unstemmed; nil when no word is left out
	stop   map[string]bool
}

// Prepared is a text as FTS5 is to hold it.
type Prepared struct {
	Text    string
	Changed bool // Text is not the text it was made from
	Bigrams bool // some run was cut into bigrams
}

// NewAnalyzer makes the analyzer of an analysis. Unknown names are errors that list the valid ones.
func NewAnalyzer(a Analysis) (*Analyzer, error) {
	_, tokenizer, stop, err := a.resolve()
	if err != nil {
		return nil, err
	}
	made := &Analyzer{stop: map[string]bool{}}
	if made.tokens, err = sqlext.NewTokenizer(tokenizer); err != nil {
		return nil, err
	}
	if len(stop) == 0 {
		return made, nil
	}
	for _, word := range stop {
		made.stop[word] = true
	}
	if made.words, err = sqlext.NewTokenizer(Tokenizers[0].New); err != nil {
		made.Close()
		return nil, err
	}
	return made, nil
}

// Close frees the tokenizers. Calls after it return errors.
func (a *Analyzer) Close() {
	a.tokens.Close()
	if a.words != nil {
		a.words.Close()
	}
}

// Prepare returns the text that FTS5 is to hold for a text, of a chunk or a question: scripts without spaces between words
// as bigrams, stop words left out. The FTS5 tokenizer of the analysis then finds the terms.
func (a *Analyzer) Prepare(text string) (Prepared, error) {
	p := Prepared{Text: text}
	p.Text, p.Bigrams = bigrams(text)
	p.Changed = p.Bigrams
	if a.words == nil {
		return p, nil
	}
	shorter, removed, err := a.removeStopWords(p.Text)
	if err != nil {
		return p, fmt.Errorf("remove stop words: %w", err)
	}
	p.Text, p.Changed = shorter, p.Changed || removed
	return p, nil
}

// Terms returns the terms of a question, in order, repeats included. A question is data: nothing in it is syntax.
func (a *Analyzer) Terms(question string) ([]string, error) {
	tokens, _, err := a.question(question)
	terms := make([]string, len(tokens))
	for i, t := range tokens {
		terms[i] = t.Text
	}
	return terms, err
}

// Match returns the right side of MATCH with which fts_N finds and scores exactly what bm25_search does with formula fts5:
// every word of the question quoted, joined by OR. It is empty when the question has no word, and then nothing is to be found.
func (a *Analyzer) Match(question string) (string, error) {
	tokens, text, err := a.question(question)
	quoted := make([]string, len(tokens))
	for i, t := range tokens {
		quoted[i] = `"` + text[t.Start:t.End] + `"`
	}
	return strings.Join(quoted, " OR "), err
}

func (a *Analyzer) question(question string) ([]sqlext.Token, string, error) {
	p, err := a.Prepare(question)
	if err != nil {
		return nil, "", err
	}
	tokens, err := a.tokens.Tokens(p.Text, true)
	return tokens, p.Text, err
}
