package chunk

import (
	"testing"

	"ragbench/internal/rag"
)

func TestSummary(t *testing.T) {
	var s Summary
	if s.Tokens(0.5) != 0 || s.Coverage() != 0 || s.Overlap() != 0 {
		t.Errorf("empty summary: %d tokens, coverage %v, overlap %v, want 0", s.Tokens(0.5), s.Coverage(), s.Overlap())
	}
	for _, text := range []string{" aa bb  cc dd ", " \n", "ee"} {
		d := &rag.Document{ID: "d", Text: text}
		s.Add(d, cut(t, Recipe{Chunker: "word", Size: 2, Overlap: 1, Tokenizer: "approx"}, d))
	}
	// The chunks are "aa bb", "bb  cc", "cc dd" and "ee".
	for _, tt := range []struct {
		name      string
		got, want int
	}{
		{"documents", s.Documents, 3}, {"blank", s.Blank, 1}, {"chunks", s.Chunks(), 4}, {"characters", s.Characters, 10},
		{"covered", s.Covered, 10}, {"held", s.Held, 14}, {"least", s.Tokens(0), 1}, {"median", s.Tokens(0.5), 2}, {"most", s.Tokens(1), 2},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, tt.got, tt.want)
		}
	}
	if s.Coverage() != 1 || s.Overlap() != 4.0/14 {
		t.Errorf("coverage %v and overlap %v, want 1 and %v", s.Coverage(), s.Overlap(), 4.0/14)
	}
}
