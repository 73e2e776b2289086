package index

import "strings"

// englishStopWords is the list of 33 words that Lucene's EnglishAnalyzer leaves out.
var englishStopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of", "on",
	"or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
}

// apostrophes are the characters that Lucene's EnglishPossessiveFilter knows.
var apostrophes = []string{"'", "\u2019", "\uff07"}

// removeStopWords returns text without its stop words and possessives: what is left, joined by spaces, each word as it is
// written. A text without any is returned as it is, with false.
func (a *Analyzer) removeStopWords(text string) (string, bool, error) {
	var kept strings.Builder
	removed := false
	last := -1 // end of the word before, in bytes
	err := a.words.Each(text, func(term []byte, start, end int) {
		stop := a.stop[string(term)] || isPossessive(text, term, last, start)
		last = end
		if stop {
			removed = true
			return
		}
		if kept.Len() > 0 {
			kept.WriteByte(' ')
		}
		kept.WriteString(text[start:end])
	})
	if err != nil {
		return "", false, err
	}
	if !removed {
		return text, false, nil
	}
	return kept.String(), true, nil
}

// isPossessive reports whether the term that starts at start is the s of "dog's": an s that one apostrophe joins to the
// word ending at last.
func isPossessive(text string, term []byte, last, start int) bool {
	if string(term) != "s" || last < 0 {
		return false
	}
	between := text[last:start]
	for _, a := range apostrophes {
		if between == a {
			return true
		}
	}
	return false
}
