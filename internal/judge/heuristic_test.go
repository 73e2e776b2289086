package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/prompt"
)

func TestHeuristic(t *testing.T) {
	context := []prompt.Block{{DocID: "doc_1", Text: "The crew rests ten hours in Great Hesk."}, {DocID: "doc_2", Text: "A card costs £6."}}
	for _, tt := range []struct {
		name         string
		c            Case
		want         Axes
		supported    bool
		hallucinated bool
	}{
		{"unanswerable, refused", Case{Refused: true, Answer: "I could not find the answer"}, Axes{5, 5, 5, 5, 5}, true, false},
		{"unanswerable, answered", Case{Answer: "Ten hours. [doc_1]", Context: context}, Axes{1, 1, 1, 1, 0}, false, true},
		{"right, cited", Case{Answerable: true, Answer: "Ten hours. [doc_1]", Reference: "ten hours", Keywords: []string{"ten hours", "sleep"}, Relevant: []string{"doc_1"}, Context: context},
			Axes{5, 5, 5, 5, 5}, true, false},
		{"keywords alone", Case{Answerable: true, Answer: "It rests in Kirkness [doc_2]", Keywords: []string{"RESTS", "ten"}, Relevant: []string{"doc_1"}, Context: context},
			Axes{2.5, 2.5, 2.5, 2.5, 2}, false, false},
		{"a short answer", Case{Answerable: true, Answer: "£6", Reference: "£6", Context: context}, Axes{5, 5, 5, 5, 0}, true, false},
		{"nothing to compare with", Case{Answerable: true, Answer: "Great hours else where", Context: context}, Axes{2.5, 2.5, 2.5, 2.5, 0}, false, false},
		{"refused", Case{Answerable: true, Refused: true, Answer: "I could not find ten hours", Reference: "ten hours", Context: context}, Axes{1, 4, 1, 1, 0}, true, false},
		{"empty", Case{Answerable: true, Reference: "ten hours", Context: context}, Axes{}, false, true},
		{"an invented document", Case{Answerable: true, Answer: "ten hours [doc_9]", Reference: "ten", Context: context}, Axes{5, 5, 5, 5, 2}, true, false},
	} {
		v := judgeByWords(&tt.c)
		if diff := cmp.Diff(tt.want, *v.Axes); diff != "" {
			t.Errorf("%s: axes (-want +got):\n%s", tt.name, diff)
		}
		if *v.Supported != tt.supported || *v.Hallucinated != tt.hallucinated {
			t.Errorf("%s: got supported %v, hallucinated %v, want %v, %v", tt.name, *v.Supported, *v.Hallucinated, tt.supported, tt.hallucinated)
		}
	}
}
