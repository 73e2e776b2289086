package score

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormalise(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"The Norman, in the 10th century.", []string{"norman", "in", "10th", "century"}},
		{"At nine [ferry.md].", []string{"at", "nine"}},
		{"[a1][b_2 | 0003] x [] [[y.md, 4]] [doc 1]", []string{"x", "doc", "1"}},
		{"[Date] [sic]", []string{"date", "sic"}},
		{"1,234,567 or 12,34 and 1,2345", []string{"1234567", "or", "12", "34", "and", "1", "2345"}},
		{"3.5 m. U.S. .5", []string{"3.5", "m", "u", "s", "5"}},
		{"£6 don't café_x", []string{"6", "don", "t", "café_x"}},
		{"东京は大きい ok", []string{"东", "京", "は", "大", "き", "い", "ok"}},
		{"A an THE", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(tt.want, Normalise(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestWordMetrics(t *testing.T) {
	for _, tt := range []struct {
		answer, reference string
		f1, em            float64
	}{
		{"at nine", "At nine.", 1, 1},
		{"at nine at nine", "At nine.", 2.0 / 3, 0},
		{"", "", 1, 1},
		{"", "nine", 0, 0},
		{"the", "a", 1, 1},
		{"ten", "nine", 0, 0},
		{"9 May", "May 9", 1, 0},
	} {
		if got := TokenF1(tt.answer, tt.reference); math.Abs(got-tt.f1) > 1e-12 {
			t.Errorf("token F1 of %q against %q: got %v, want %v", tt.answer, tt.reference, got, tt.f1)
		}
		if got := ExactMatch(tt.answer, tt.reference); got != tt.em {
			t.Errorf("exact match of %q against %q: got %v, want %v", tt.answer, tt.reference, got, tt.em)
		}
	}
}

func TestKeywordRecall(t *testing.T) {
	for _, tt := range []struct {
		answer   string
		keywords []string
		want     float64
	}{
		{"It was founded on 2 May 1968.", []string{"2 May 1968"}, 1},
		{"It was founded on 12 May 1968.", []string{"2 May 1968"}, 0},
		{"It costs £6, or 1,000 pence", []string{"£6", "1000", "£", "euros"}, 0.75},
		{"", []string{"x"}, 0},
		{"x", nil, 0},
	} {
		if got := KeywordRecall(tt.answer, tt.keywords); got != tt.want {
			t.Errorf("%v in %q: got %v, want %v", tt.keywords, tt.answer, got, tt.want)
		}
	}
}

func TestCitations(t *testing.T) {
	known := func(id string) bool { return id == "doc_1" || id == "4983" || id == "a, b" }
	for _, tt := range []struct {
		answer string
		want   []string
	}{
		{"So [doc_1]. And [doc_2 | 0003], [sic], [doc_1].", []string{"doc_1", "doc_2"}},
		{"[4983, 77; doc_1]", []string{"4983", "doc_1", "77"}},
		{"[a, b] [see the note 3]", []string{"a, b"}},
		{"none", nil},
	} {
		if diff := cmp.Diff(tt.want, Citations(tt.answer, known)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.answer, diff)
		}
	}
}
