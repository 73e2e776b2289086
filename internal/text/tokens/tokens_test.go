package tokens

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestApprox(t *testing.T) {
	tests := []struct {
		text   string
		starts []int
	}{
		{"", nil},
		{"   ", nil},
		{"hello", []int{0}},
		{"hello!", []int{0, 5}},
		{"helloworld1", []int{0, 5, 10}},
		{"a b", []int{0, 2}},
		{"snake_case", []int{0, 5}},
		{"漢字漢字漢字", []int{0, 15}},
		{"a--b", []int{0, 1, 2, 3}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.starts, Approx{}.Starts(nil, tt.text)); diff != "" {
			t.Errorf("Starts(%q) (-want +got):\n%s", tt.text, diff)
		}
		if got := (Approx{}).Count(tt.text); got != len(tt.starts) {
			t.Errorf("Count(%q) = %d, want %d", tt.text, got, len(tt.starts))
		}
	}
}

func TestNewUnknown(t *testing.T) {
	_, err := New("o200k-base")
	if err == nil || !strings.Contains(err.Error(), `did you mean "o200k_base"`) {
		t.Errorf("New(o200k-base) = %v, want an error that suggests o200k_base", err)
	}
}

func TestTableNamesMatch(t *testing.T) {
	for _, e := range All {
		tok, err := New(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if tok.Name() != e.Name {
			t.Errorf("tokenizer %s calls itself %s", e.Name, tok.Name())
		}
	}
}

func TestCut(t *testing.T) {
	tok := mustO200k(t)
	text := "one two three"
	for n, want := range []string{"", "one", "one two", "one two three", "one two three"} {
		if got := text[:Cut(tok, text, n)]; got != want {
			t.Errorf("Cut at %d tokens = %q, want %q", n, got, want)
		}
	}
}

// TestLongRuns checks that a run without spaces is counted exactly and in reasonable steps: the two ways of merging
// agree where both can be run, and a megabyte of one letter comes to its known density of eight letters a token.
func TestLongRuns(t *testing.T) {
	o, err := loadO200k()
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"a", "ab", "xyzzy", "漢", "=-", "q\u0301"} {
		piece := strings.Repeat(unit, 95/len(unit))
		var m merger
		short := slices.Clone(m.split(piece, &o.vocab))
		if diff := cmp.Diff(short, m.splitLong(piece, &o.vocab)); diff != "" {
			t.Errorf("merging %.20q (-short +long):\n%s", piece, diff)
		}
	}
	if got, want := o.Count(strings.Repeat("a", 1<<20)), 1<<17; got != want {
		t.Errorf("tokens of 2^20 letters a = %d, want %d", got, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	tok := mustO200k(t)
	want := tok.Count("The quick brown fox, 漢字 and 🙂.")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := tok.Count("The quick brown fox, 漢字 and 🙂."); got != want {
					t.Errorf("Count = %d, want %d", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkCount(b *testing.B) {
	english := strings.Repeat("The relevance of a passage is judged by its reader, and not by the words it shares. ", 4000)
	chinese := strings.Repeat("黑豹队的防守只丢了三百零八分，在联赛中排名第六。", 4000)
	for _, tt := range []struct{ name, text string }{
		{"english", english},
		{"chinese", chinese},
		{"one_run", strings.Repeat("x1y", 100_000)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			tok := mustO200k(b)
			b.SetBytes(int64(len(tt.text)))
			for b.Loop() {
				tok.Count(tt.text)
			}
		})
	}
}
