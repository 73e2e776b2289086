package text

import (
	"strings"
	"testing"
)

func TestRefuses(t *testing.T) {
	for answer, want := range map[string]bool{
		"I could not find the answer in the provided documents.":    true,
		"I couldn’t find any information about that.":               true,
		"The documents do not contain enough information to say.":   true,
		"The context does not mention any details.":                 true,
		"There is insufficient information.":                        true,
		"No information was provided on fares.":                     true,
		"I am unable to determine the year.":                        true,
		"That is not available in the given sources.":               true,
		"The lighthouse is 31 m high [doc_a].":                      false,
		"Passengers could not find the pier; the answer is pier 4.": false,
		"The policy does not provide refunds after 30 days.":        false,
		"": false,
	} {
		if got := Refuses(answer); got != want {
			t.Errorf("%q: got %v, want %v", answer, got, want)
		}
	}
}

func TestCitations(t *testing.T) {
	known := map[string]bool{"doc_a": true, "doc_b": true, "4983": true, "CACM-0756": true, "a, b": true}
	for _, tt := range []struct{ answer, want string }{
		{"One [doc_a]. Two [doc_b][doc_a].", "doc_a doc_b"},
		{"Grouped [doc_b, doc_a; 4983].", "doc_b doc_a 4983"},
		{"With a place [CACM-0756 | 0003::ab12].", "CACM-0756"},
		{"An id that holds a comma [a, b].", "a, b"},
		{"Unknown [doc_z], a note [see above], unclosed [doc_a", ""},
	} {
		got := strings.Join(Citations(tt.answer, func(id string) bool { return known[id] }), " ")
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.answer, got, tt.want)
		}
	}
}
