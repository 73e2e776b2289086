package chunk

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"ragbench/internal/load"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// hostile loads the corpus of texts that chunkers get wrong.
func hostile(t testing.TB) []rag.Document {
	t.Helper()
	var docs []rag.Document
	_, err := load.Walk(context.Background(), filepath.Join("..", "ragtest", "testdata", "hostile"), load.Options{}, func(d rag.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) < 30 {
		t.Fatalf("the hostile corpus has %d documents, want at least 30", len(docs))
	}
	return docs
}

// recipes are all chunkers at the sizes and overlaps where windows go wrong.
func recipes() []Recipe {
	out := []Recipe{{Chunker: "document"}, {Chunker: "document", PrefixTitle: true}}
	for _, e := range All {
		names := optionNames(&e)
		has := func(option string) bool { return slices.Contains(names, option) }
		if !has("chunk_size") {
			continue
		}
		for _, size := range []int{1, 2, 16, 500} {
			seen := map[int]bool{}
			for _, overlap := range []int{0, 1, size - 1} {
				if overlap >= size || seen[overlap] || overlap > 0 && !has("chunk_overlap") {
					continue
				}
				seen[overlap] = true
				r := Recipe{Chunker: e.Name, Size: size, Overlap: overlap, PrefixTitle: overlap == 1, Tokenizer: "approx"}
				if has("min_chunk_size") && overlap != 1 {
					r.MinSize = size/2 + 1
				}
				if has("breakpoint_percentile") {
					r.Percentile = 90
				}
				r.PrefixHeading = has("prefix_heading") && overlap != 1
				out = append(out, r)
			}
		}
	}
	out = append(out,
		Recipe{Chunker: "token", Size: 1}, Recipe{Chunker: "token", Size: 2, Overlap: 1},
		Recipe{Chunker: "token", Size: 16, Overlap: 15}, Recipe{Chunker: "token", Size: 500, Overlap: 80},
	)
	for _, name := range []string{"recursive", "sentence", "semantic", "markdown"} {
		out = append(out, Recipe{Chunker: name, Size: 1}, Recipe{Chunker: name, Size: 2, Overlap: 1}, Recipe{Chunker: name, Size: 16, Overlap: 15})
	}
	return out
}

// checker holds chunks of one document against what the base promises of every chunker.
type checker struct {
	d      *rag.Document
	runes  []rune
	bounds []bool // by code point: a grapheme cluster starts or the text ends here
}

func newChecker(d *rag.Document) *checker {
	c := &checker{d: d, runes: []rune(d.Text)}
	c.bounds = make([]bool, len(c.runes)+1)
	c.bounds[0] = true
	at, rest, state := 0, d.Text, -1
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += text.RuneCount(cluster)
		c.bounds[at] = true
	}
	return c
}

func (k *checker) check(t testing.TB, chunks []rag.Chunk) {
	t.Helper()
	d, runes, bounds := k.d, k.runes, k.bounds
	covered := make([]bool, len(runes))
	keys := map[string]bool{}
	for i, c := range chunks {
		if c.Index != i || c.DocID != d.ID {
			t.Fatalf("%s: chunk %d has index %d of document %s", d.ID, i, c.Index, c.DocID)
		}
		if c.Start < 0 || c.End > len(runes) || c.Start >= c.End {
			t.Fatalf("%s: chunk %d is [%d, %d) of %d code points", d.ID, i, c.Start, c.End, len(runes))
		}
		raw := string([]rune(c.Text)[c.Prefix:])
		if want := string(runes[c.Start:c.End]); raw != want {
			t.Fatalf("%s: chunk %d [%d, %d) is %q, the document has %q", d.ID, i, c.Start, c.End, raw, want)
		}
		if text.Blank(raw) {
			t.Fatalf("%s: chunk %d is blank: %q", d.ID, i, raw)
		}
		if !bounds[c.Start] || !bounds[c.End] {
			t.Fatalf("%s: chunk %d [%d, %d) cuts a grapheme cluster: %q", d.ID, i, c.Start, c.End, raw)
		}
		if i > 0 {
			p := chunks[i-1]
			if c.Start < p.Start || c.End < p.End || c.Start == p.Start && c.End == p.End {
				t.Fatalf("%s: chunk %d [%d, %d) makes no progress after [%d, %d)", d.ID, i, c.Start, c.End, p.Start, p.End)
			}
		}
		if keys[c.Key] {
			t.Fatalf("%s: key %s appears twice", d.ID, c.Key)
		}
		keys[c.Key] = true
		if c.Tokens < 1 {
			t.Fatalf("%s: chunk %d has %d tokens", d.ID, i, c.Tokens)
		}
		for j := c.Start; j < c.End; j++ {
			covered[j] = true
		}
	}
	for j, r := range runes {
		if !covered[j] && !unicode.IsSpace(r) {
			t.Fatalf("%s: character %d %q is in no chunk", d.ID, j, r)
		}
	}
	if got, had := replacements(chunks), strings.Contains(d.Text+d.Title, "\ufffd"); got > 0 && !had {
		t.Fatalf("%s: %d chunks hold U+FFFD, the document none", d.ID, got)
	}
}

func replacements(chunks []rag.Chunk) (n int) {
	for _, c := range chunks {
		if strings.Contains(c.Text, "\ufffd") {
			n++
		}
	}
	return n
}

func TestEveryChunkerOnTheHostileCorpus(t *testing.T) {
	docs := hostile(t)
	for _, r := range recipes() {
		t.Run(fmt.Sprintf("%s-%d-%d-%s", r.Chunker, r.Size, r.Overlap, r.filled().Tokenizer), func(t *testing.T) {
			t.Parallel()
			for i := range docs {
				d := &docs[i]
				if len(d.Text) > 20_000 && r.Overlap == r.Size-1 && r.Size == 500 {
					continue // 500 copies of a long text prove no more than 16
				}
				chunks := cut(t, r, d)
				newChecker(d).check(t, chunks)
				if diff := cmp.Diff(chunks, cut(t, r, d)); diff != "" {
					t.Fatalf("%s: a second cut differs:\n%s", d.ID, diff)
				}
				if text.Blank(d.Text) != (len(chunks) == 0) {
					t.Errorf("%s: %d chunks of a text that is blank: %v", d.ID, len(chunks), text.Blank(d.Text))
				}
			}
		})
	}
}

// TestOneLongLine cuts half a megabyte without a line end, and without any space, at the default sizes.
func TestOneLongLine(t *testing.T) {
	for name, unit := range map[string]string{
		"words": "high water at the north pier ", "no spaces": "abcdefghij", "Chinese": "渡轮每天早上九点出发。", "emoji": "👩‍👩‍👧‍👦", "marks": "e\u0301",
	} {
		d := &rag.Document{ID: name, Text: strings.Repeat(unit, 1<<19/len(unit))}
		checker := newChecker(d)
		for _, r := range defaults(t) {
			chunks := cut(t, r, d)
			checker.check(t, chunks)
			if r.Chunker != "document" && len(chunks) < 3 {
				t.Errorf("%s: %s makes %d chunks of 512 KB", name, r.Chunker, len(chunks))
			}
		}
	}
}

// TestTwentyMegabytesInOneLine cuts by every chunker what would not end if any took time that grows with the square.
func TestTwentyMegabytesInOneLine(t *testing.T) {
	const unit = "high water at the north pier "
	d := &rag.Document{ID: "long", Text: strings.TrimSpace(strings.Repeat(unit, 20<<20/len(unit)))}
	for _, r := range defaults(t) {
		end := 0
		for i, c := range cut(t, r, d) {
			// In ASCII, code points are bytes.
			if raw := c.Text[c.Prefix:]; raw != d.Text[c.Start:c.End] || c.End <= end || c.Start > end+1 {
				t.Fatalf("%s: chunk %d is [%d, %d) after one that ends at %d", r.Chunker, i, c.Start, c.End, end)
			}
			end = c.End
		}
		if end != len(d.Text) {
			t.Errorf("%s: the last chunk ends at %d, want %d", r.Chunker, end, len(d.Text))
		}
	}
}

// defaults are all chunkers at their default sizes, with approximate counts.
func defaults(t *testing.T) (list []Recipe) {
	t.Helper()
	for _, e := range All {
		r, err := Parse(e.Name, map[string]any{"tokenizer": "approx"})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// TestTokenWindowsHoldTheirSize checks that a chunk counts about as many tokens taken alone as its window had. The
// longest cluster of the corpus, a flag of seven characters, comes to 20 tokens and is not cut.
func TestTokenWindowsHoldTheirSize(t *testing.T) {
	for _, d := range hostile(t) {
		for _, c := range cut(t, Recipe{Chunker: "token", Size: 16, Overlap: 4}, &d) {
			if c.Tokens > 16+20 {
				t.Errorf("%s: chunk %d of 16 tokens counts %d: %q", d.Source, c.Index, c.Tokens, c.Text)
			}
		}
	}
}

func FuzzChunkSpans(f *testing.F) {
	for _, d := range hostile(f) {
		if len(d.Text) < 2000 {
			f.Add(d.Text, uint8(3), uint8(1), uint8(0))
		}
	}
	f.Add("👩‍👩‍👧‍👦👍🏽 \u0308a\r\n\u0600 1", uint8(1), uint8(0), uint8(1))
	names := All.Names()
	f.Fuzz(func(t *testing.T, s string, size, overlap, which uint8) {
		d := &rag.Document{ID: "fuzz", Text: strings.ToValidUTF8(s, "?")}
		r := Recipe{Chunker: names[int(which)%len(names)], Tokenizer: "approx"}
		e, err := All.Find("chunker", r.Chunker)
		if err != nil {
			t.Fatal(err)
		}
		options := optionNames(e)
		if slices.Contains(options, "chunk_size") {
			r.Size = int(size)%64 + 1
		}
		if slices.Contains(options, "chunk_overlap") {
			r.Overlap = int(overlap) % r.Size
		}
		if which&64 != 0 {
			r.Tokenizer = "o200k_base"
		}
		newChecker(d).check(t, cut(t, r, d))
	})
}
