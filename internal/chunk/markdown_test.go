package chunk

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

const guide = "Before.\n\n# Guide #\n\nIntro.\n\n## Returns\n\nSend it\nback.\n\n```sh\n# no heading\n```\n\nTitle\n-----\nUnder.\n\n# Other\n\nEnd.\n"

// outlined is the text, heading path and merged headings of each chunk.
func outlined(t *testing.T, r Recipe, s string) (out [][3]string) {
	t.Helper()
	for _, c := range cut(t, r, &rag.Document{ID: "d", Title: "Doc", Text: s}) {
		out = append(out, [3]string{c.Text, c.Metadata["heading_path"], c.Metadata["merged_headings"]})
	}
	return out
}

func TestMarkdownSections(t *testing.T) {
	want := [][3]string{
		{"Before.", "", ""},
		{"# Guide #\n\nIntro.", "Guide", ""},
		{"## Returns\n\nSend it\nback.\n\n```sh\n# no heading\n```", "Guide > Returns", ""},
		{"Title\n-----\nUnder.", "Guide > Title", ""},
		{"# Other\n\nEnd.", "Other", ""},
	}
	if diff := cmp.Diff(want, outlined(t, Recipe{Chunker: "markdown", Size: 50}, guide)); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	// Small ones go into the next, the path of the first stays; the last goes into the one before.
	want = [][3]string{
		{"Before.\n\n# Guide #\n\nIntro.", "", `["Guide"]`},
		{"## Returns\n\nSend it\nback.\n\n```sh\n# no heading\n```", "Guide > Returns", ""},
		{"Title\n-----\nUnder.\n\n# Other\n\nEnd.", "Guide > Title", `["Title","Other"]`},
	}
	want[0][2] = ""
	if diff := cmp.Diff(want, outlined(t, Recipe{Chunker: "markdown", Size: 21, MinSize: 7, Tokenizer: "approx"}, guide)); diff != "" {
		t.Errorf("folded sections (-want +got):\n%s", diff)
	}
}

func TestMarkdownPrefix(t *testing.T) {
	got := cut(t, Recipe{Chunker: "markdown", Size: 50, PrefixHeading: true, PrefixTitle: true}, &rag.Document{ID: "d", Title: "Doc", Text: guide})
	if want := "Doc\n\nGuide > Returns\n\n## Returns\n\nSend it"; !strings.HasPrefix(got[2].Text, want) || got[2].Prefix != 22 {
		t.Errorf("chunk %q has a prefix of %d, want it to begin with %q and 22", got[2].Text, got[2].Prefix, want)
	}
	if got[0].Text != "Doc\n\nBefore." {
		t.Errorf("chunk without headings is %q, want %q", got[0].Text, "Doc\n\nBefore.")
	}
}

func TestMarkdownAtoms(t *testing.T) {
	fence := "```\na b\n\nc d\n```"
	table := "| a | b |\n| - | - |\n| c | d |"
	front := "---\ntitle: x\n# not a heading\n---"
	for name, tt := range map[string]struct {
		text string
		size int
		want []string
	}{
		"a fence that fits stays whole":  {"# H\n\none two three\n\n" + fence + "\n\nfour five six", 10, []string{"# H\n\none two three", fence, "four five six"}},
		"one that does not is cut":       {"# H\n\n```\na b\nc d\ne f\n```\n", 6, []string{"# H\n\n```", "a b\nc d\ne f", "```"}},
		"a table":                        {"one two three\n\n" + table + "\n\nfour", 15, []string{"one two three", table, "four"}},
		"front matter":                   {front + "\n\none two three four five", 14, []string{front, "one two three four five"}},
		"an unclosed one is text":        {"---\ntitle: x", 50, []string{"---\ntitle: x"}},
		"no heading inside a quote":      {"> # Q\n\ntext", 50, []string{"> # Q\n\ntext"}},
		"carriage returns end lines too": {"# A\rone\r# B\rtwo", 50, []string{"# A\rone", "# B\rtwo"}},
	} {
		if diff := cmp.Diff(tt.want, cutTexts(t, Recipe{Chunker: "markdown", Size: tt.size, Tokenizer: "approx"}, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestMarkdownOfHostileShapes cuts texts on which a parser of Markdown may take time that grows with the square of their
// length; such a test would not end.
func TestMarkdownOfHostileShapes(t *testing.T) {
	const n = 1 << 16
	var deep strings.Builder
	for i := 0; deep.Len() < n; i++ {
		deep.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	shapes := map[string]string{"deeper and deeper": deep.String(), "long title": "# a" + strings.Repeat(" #b", n/3) + "\n\ntext " + strings.Repeat("text ", n/5)}
	for _, unit := range []string{">", "> ", "- ", "1. ", "[", "[a](", "[a]: b\n", "`", "```\n", "|-", "# a\n", "a\n=\n", "<!-- ", "- - -\n", "* *\n\n", "\t", "-\t", "- a\n\n", "a\n"} {
		shapes[unit] = strings.Repeat(unit, n/len(unit))
	}
	head := strings.Repeat("|-", n/8)
	shapes["wide table"] = head + "\n" + head + "\n" + strings.Repeat("a\n", n/4)
	for name, s := range shapes {
		d := &rag.Document{ID: name, Text: s}
		k := newChecker(d)
		for _, chunker := range []string{"markdown", "chunklet", "raglite"} {
			r, err := Parse(chunker, map[string]any{"tokenizer": "approx"})
			if err != nil {
				t.Fatal(err)
			}
			chunks := cut(t, r, d)
			k.check(t, chunks)
			for _, c := range chunks {
				if c.Prefix > 7*longestTitle {
					t.Errorf("%s: %s puts %d characters before a chunk", name, chunker, c.Prefix)
				}
			}
		}
	}
}
