package index

import (
	"fmt"
	"slices"

	"ragbench/internal/spec"
)

// Analysis says how texts, of chunks and of questions, are cut into terms. The zero value is FTS5's default. Scripts
// without spaces between words are always indexed as bigrams, see [Analyzer.Prepare].
type Analysis struct {
	Tokenizer string // a name of Tokenizers; empty means unicode61
	StopWords string // a name of StopLists; empty means none
}

// Tokenizers lists the tokenizers; New is the value of FTS5's option tokenize.
var Tokenizers = spec.Table[string]{
	{
		Name:  "unicode61",
		Title: "Words, folded",
		Doc:   "Runs of letters and digits (Unicode 6.1), lower case, without Latin diacritics: FTS5's default.",
		Cite:  "https://www.sqlite.org/fts5.html#unicode61_tokenizer",
		New:   "unicode61",
	},
	{
		Name:  "porter",
		Title: "English stems",
		Doc:   "The words of unicode61, each cut down to its English stem, so that 'boilers' finds 'boiler'.",
		Cite:  "M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980",
		New:   "porter unicode61",
	},
}

// StopLists lists the stop word lists; New is the list, folded as unicode61 folds.
var StopLists = spec.Table[[]string]{
	{
		Name:  "none",
		Title: "Every word counts",
		Doc:   "No word is left out.",
	},
	{
		Name:  "english",
		Title: "Lucene's English list",
		Doc: "Leaves out 33 function words and the possessive 's, before stemming, as Lucene's EnglishAnalyzer does. The text " +
			"that the FTS5 table holds is the remaining words, joined by spaces.",
		Cite: "Apache Lucene, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET and EnglishPossessiveFilter",
		New:  englishStopWords,
	},
}

// resolve fills in the defaults and returns FTS5's tokenizer and the stop words. Unknown names are errors.
func (a Analysis) resolve() (Analysis, string, []string, error) {
	if a.Tokenizer == "" {
		a.Tokenizer = Tokenizers[0].Name
	}
	if a.StopWords == "" {
		a.StopWords = StopLists[0].Name
	}
	tokenizer, err := Tokenizers.Find("tokenizer", a.Tokenizer)
	if err != nil {
		return a, "", nil, err
	}
	stop, err := StopLists.Find("stop word list", a.StopWords)
	if err != nil {
		return a, "", nil, err
	}
	return a, tokenizer.New, stop.New, nil
}

// storedAnalysis is the inverse of resolve for the values of a row of lexical_analyses.
func storedAnalysis(tokenizer, stopWords string) (Analysis, error) {
	i := slices.IndexFunc(Tokenizers, func(e spec.Entry[string]) bool { return e.New == tokenizer })
	if i < 0 {
		return Analysis{}, fmt.Errorf("tokenizer %q is not known here", tokenizer)
	}
	return Analysis{Tokenizer: Tokenizers[i].Name, StopWords: stopWords}, nil
}
