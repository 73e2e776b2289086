package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariants(t *testing.T) {
	for _, tt := range []struct {
		question string
		limit    int
		want     []string
	}{
		{"What is the fare?", 4, []string{"What is the fare"}},
		{"  Harbour Pass vs. Island Pass?  ", 4, []string{"Harbour Pass vs. Island Pass", "Harbour Pass", "Island Pass"}},
		{"Compare the ferry and the tram by price", 4, []string{"Compare the ferry and the tram by price", "the ferry by price", "the tram by price"}},
		{"Who runs the depot and when does it open?", 4, []string{"Who runs the depot and when does it open", "Who runs the depot", "when does it open"}},
		{"Who leads Northern Lights and what is Blue Star Line?", 3, []string{"Who leads Northern Lights and what is Blue Star Line", "Who leads Northern Lights", "what is Blue Star Line"}},
		{"?", 4, []string{"?"}},
		{"Oslo", 4, []string{"Oslo"}},
	} {
		if diff := cmp.Diff(tt.want, Variants(tt.question, tt.limit)); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", tt.question, diff)
		}
	}
}

func TestSubQuestions(t *testing.T) {
	if got := SubQuestions("When was it built?"); len(got) != 0 {
		t.Errorf("a single question split into %q", got)
	}
	want := []string{"Who runs the depot", "where is it"}
	if diff := cmp.Diff(want, SubQuestions("Who runs the depot and where is it?")); diff != "" {
		t.Error(diff)
	}
}
