package chunk

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text/tokens"
)

// The approximate tokenizer makes each short word and each mark a token.
func TestPackedChunkers(t *testing.T) {
	recursive := func(size, overlap, least int) Recipe {
		return Recipe{Chunker: "recursive", Size: size, Overlap: overlap, MinSize: least, Tokenizer: "approx"}
	}
	sentence := func(size, overlap, least int) Recipe {
		return Recipe{Chunker: "sentence", Size: size, Overlap: overlap, MinSize: least, Tokenizer: "approx"}
	}
	for name, tt := range map[string]struct {
		recipe Recipe
		text   string
		want   []string
	}{
		"what fits is whole":             {recursive(9, 0, 0), "a b\n\nc d", []string{"a b\n\nc d"}},
		"blank lines first":              {recursive(3, 0, 0), "a b\n\nc d\ne", []string{"a b", "c d\ne"}},
		"then lines":                     {recursive(2, 0, 0), "a b\nc d", []string{"a b", "c d"}},
		"then full stops":                {recursive(3, 0, 0), "a b. c d. e", []string{"a b.", "c d.", "e"}},
		"and those of Chinese":           {recursive(3, 0, 0), "一二。三四。", []string{"一二。", "三四。"}},
		"then spaces":                    {recursive(2, 0, 0), "a b c d e", []string{"a b", "c d", "e"}},
		"then tokens":                    {recursive(2, 0, 0), "aaaaabbbbbcccccddd", []string{"aaaaabbbbb", "cccccddd"}},
		"neighbours are packed":          {recursive(4, 0, 0), "a\n\nb\n\nc d\n\ne f g", []string{"a\n\nb\n\nc d", "e f g"}},
		"overlap is whole pieces":        {recursive(4, 2, 0), "a b\n\nc d\n\ne f\n\ng", []string{"a b\n\nc d", "c d\n\ne f", "e f\n\ng"}},
		"else the last tokens":           {recursive(5, 1, 0), "a b c\n\nd e f g", []string{"a b c", "c\n\nd e f g"}},
		"as many as leave room":          {recursive(4, 3, 0), "a b c\n\nd e f\n\ng", []string{"a b c", "c\n\nd e f", "d e f\n\ng"}},
		"none where there is no room":    {recursive(3, 2, 0), "a b c\n\nd e f", []string{"a b c", "d e f"}},
		"never the whole chunk":          {recursive(4, 3, 0), "a b\n\nc d e\n\nf", []string{"a b", "b\n\nc d e", "c d e\n\nf"}},
		"small ones fold back":           {recursive(3, 0, 2), "a b\n\nc d e\n\nf g\n\nh", []string{"a b", "c d e", "f g\n\nh"}},
		"small first one folds on":       {recursive(3, 0, 2), "a\n\nb c d\n\ne f", []string{"a", "b c d", "e f"}},
		"sentences":                      {sentence(6, 0, 0), "Aa bb. Cc dd. Ee ff.", []string{"Aa bb. Cc dd.", "Ee ff."}},
		"overlap counts sentences":       {sentence(9, 1, 0), "Aa bb. Cc dd. Ee ff. Gg hh. Ii jj.", []string{"Aa bb. Cc dd. Ee ff.", "Ee ff. Gg hh. Ii jj."}},
		"as many sentences as fit":       {sentence(6, 5, 0), "Aa bb. Cc dd. Ee ff.", []string{"Aa bb. Cc dd.", "Cc dd. Ee ff."}},
		"an abbreviation ends none":      {sentence(5, 0, 0), "Dr. No is. Cc dd.", []string{"Dr. No is.", "Cc dd."}},
		"long sentences split by tokens": {sentence(3, 0, 0), "Aa bb cc dd ee. Ff.", []string{"Aa bb cc", "dd ee.", "Ff."}},
		"small sentences fold back":      {sentence(5, 0, 3), "Aa bb cc dd. Ee. Ff gg hh ii.", []string{"Aa bb cc dd.", "Ee.", "Ff gg hh ii."}},
	} {
		if diff := cmp.Diff(tt.want, cutTexts(t, tt.recipe, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFoldSmall(t *testing.T) {
	r := newRuler(tokens.Approx{}, "a b c d e f g")
	spans := func(ends ...int) (out []rag.Span) {
		for i, start := 0, 0; i < len(ends); i++ {
			out = append(out, rag.Span{Start: start, End: ends[i]})
			start = ends[i]
		}
		return out
	}
	for _, tt := range []struct {
		in, want    []rag.Span
		least, size int
	}{
		{spans(2, 8, 13), spans(8, 13), 2, 4},       // the first into the second
		{spans(2, 8, 13), spans(2, 8, 13), 2, 3},    // which must fit
		{spans(4, 6, 8, 13), spans(8, 13), 2, 4},    // into the one before, each in turn
		{spans(4, 6, 8, 13), spans(6, 8, 13), 2, 3}, // as long as it fits
		{spans(2, 4, 6), spans(2, 4, 6), 1, 9},      // 1 folds none
		{spans(13), spans(13), 9, 9},                // a single one stays
		{spans(6, 12, 13), spans(6, 13), 3, 5},      // 1 token into 3
		{spans(2, 4, 6, 8, 10), spans(6, 10), 9, 3}, // all small: packed to the size
	} {
		got := foldSmall(append([]rag.Span(nil), tt.in...), tt.least, tt.size, r)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("foldSmall(%v, %d, %d) (-want +got):\n%s", tt.in, tt.least, tt.size, diff)
		}
	}
}

// TestRuler holds the galloping search against counting.
func TestRuler(t *testing.T) {
	s := "one two  three\nfour, five"
	r := newRuler(tokens.Approx{}, s)
	for _, from := range []int{0, len(s), 7, 3, 20, 1} {
		for off := 0; off <= len(s); off++ {
			r.index(from)
			want := 0
			for _, at := range r.starts {
				if at < off {
					want++
				}
			}
			if got := r.index(off); got != want {
				t.Errorf("%d tokens start before %d after asking for %d, want %d", got, off, from, want)
			}
		}
	}
}

func TestSemantic(t *testing.T) {
	text := "Cats purr. Cats purr softly. Cats sleep. Ships sail. Ships sail far. Ships sink."
	for name, tt := range map[string]struct {
		recipe Recipe
		text   string
		want   []string
	}{
		"one break":                {Recipe{Chunker: "semantic", Size: 50, Percentile: 90}, text, []string{"Cats purr. Cats purr softly. Cats sleep.", "Ships sail. Ships sail far. Ships sink."}},
		"groups are packed":        {Recipe{Chunker: "semantic", Size: 7, Percentile: 90, Tokenizer: "approx"}, text, []string{"Cats purr.", "Cats purr softly.", "Cats sleep.", "Ships sail. Ships sail far.", "Ships sink."}},
		"the overlap stays inside": {Recipe{Chunker: "semantic", Size: 50, Overlap: 2, Percentile: 90}, text, []string{"Cats purr. Cats purr softly. Cats sleep.", "Ships sail. Ships sail far. Ships sink."}},
		"too few sentences":        {Recipe{Chunker: "semantic", Size: 50}, "Cats purr. Ships sail.", []string{"Cats purr. Ships sail."}},
		"none above the greatest":  {Recipe{Chunker: "semantic", Size: 50, Percentile: 100}, text, []string{text}},
		"no words, no direction":   {Recipe{Chunker: "semantic", Size: 50, Percentile: 50}, "? Aa bb. Aa bb. Aa bb.", []string{"?", "Aa bb. Aa bb. Aa bb."}},
	} {
		if diff := cmp.Diff(tt.want, cutTexts(t, tt.recipe, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
