package demo

import (
	"strings"
	"testing"
)

// absent lists, for each unanswerable question, words that an answer would have to hold together: no line of the corpus
// holds all of them.
var absent = map[string][]string{
	"q130": {"Halcyon", "knots"},
	"q131": {"Curlew", "Captain"},
	"q132": {"Sandpiper", "lifejackets"},
	"q133": {"managing director", "salary"},
	"q134": {"Gannet", "tanks"},
	"q135": {"Petrel", "built"},
	"q136": {"Sandpiper", "2019", "£"},
	"q137": {"tyres"},
	"q138": {"12", "passengers", "circular"},
	"q139": {"waiting room", "Kirkness", "£"},
	"q140": {"hydrogen", "study", "by"},
	"q141": {"compensation", "bus", "fare"},
	"q142": {"Eskmouth", "day ticket"},
	"q143": {"complaints", "upheld"},
	"q144": {"telephone", "Kirkness"},
	"q145": {"insurer"},
	"q146": {"airfield", "flight"},
	"q147": {"causeway", "miles an hour"},
	"q148": {"drivers", "union"},
	"q149": {"mission", "£"},
	"q150": {"VX-2215"},
	"q151": {"QL-420"},
	"q152": {"INC-2025-018"},
	"q153": {"delay", "version 4"},
	"q154": {"wine"},
	"q155": {"rowing race"},
	"q156": {"Little Hesk has"},
	"q157": {"museum", "open"},
	"q158": {"slipway", "deep"},
}

func TestUnanswerableHasNoAnswer(t *testing.T) {
	docs := readDocs(t)
	n := 0
	for _, q := range readQuestions(t) {
		if q.Answerable {
			continue
		}
		n++
		words := absent[q.ID]
		if len(words) == 0 {
			t.Errorf("%s: nothing shows that the question has no answer", q.ID)
			continue
		}
		for id, d := range docs {
			for _, line := range strings.Split(d.text, "\n") {
				if holdsAll(line, words) {
					t.Errorf("%s: %s holds %q: %s", q.ID, id, words, line)
				}
			}
		}
	}
	if n != len(absent) {
		t.Errorf("got %d unanswerable questions, want the %d of the list", n, len(absent))
	}
}

func holdsAll(line string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(strings.ToLower(line), strings.ToLower(w)) {
			return false
		}
	}
	return true
}

// TestUnanswerableIsOnTopic asks that each such question shares two content words with one document at least.
func TestUnanswerableIsOnTopic(t *testing.T) {
	docs := readDocs(t)
	for _, q := range readQuestions(t) {
		if q.Answerable {
			continue
		}
		best := 0
		asked := content(q.Question)
		for _, d := range docs {
			words := content(d.text)
			shared := 0
			for w := range asked {
				if words[w] {
					shared++
				}
			}
			best = max(best, shared)
		}
		if best < 2 {
			t.Errorf("%s: got %d content words in common with the nearest document, want at least 2", q.ID, best)
		}
	}
}
