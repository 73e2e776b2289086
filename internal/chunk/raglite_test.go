package chunk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

func TestStatements(t *testing.T) {
	for _, tt := range []struct {
		marked string
		limit  int
	}{
		{"One two. |Three.", 99},
		{"a. b", 99},                           // an initial
		{"Yes. |No way.", 99},                  // 5 characters
		{"No. |No. |Yes it is.", 99},           // "No. " has 4 characters
		{"A! B! |Yes it is.", 99},              // "A! " has 3
		{"Text here\n|# A. B. C\n\n|Text", 99}, // headings are whole
		{"Text here.\n\n|Title. Two\n===\n\n|Text", 99},
		{"one two |three |four", 9},
		{"aaaaa|bbbbb|ccc", 5},
		{"", 5}, {"ab", 5},
	} {
		s := strings.ReplaceAll(tt.marked, "|", "")
		var got []string
		for _, st := range statements(s, readOutline(s).headings, tt.limit) {
			got = append(got, s[st.start:st.end])
			if n := text.RuneCount(s[st.start:st.end]); st.size != n || n > tt.limit {
				t.Errorf("%q: size %d, want %d and at most %d", s[st.start:st.end], st.size, n, tt.limit)
			}
		}
		if joined := strings.Join(got, "|"); joined != tt.marked {
			t.Errorf("statements are %q, want %q", joined, tt.marked)
		}
	}
}

// TestBeginnings uses the table of preferences: a block counts for the sentence its first line begins in, the first of
// several for one sentence wins, and of neighbours the greatest.
func TestBeginnings(t *testing.T) {
	s := "# Head\n\nFirst paragraph. More of it.\n\n> Quoted words.\n\nPlain words here.\nAnd a second one. Third one.\n\n- item one here\n- item two here\n"
	o := readOutline(s)
	list := statements(s, o.headings, 999)
	var got []string
	for i, p := range beginnings(list, o.openings) {
		got = append(got, fmt.Sprintf("%v %s", p, strings.TrimSpace(s[list[i].start:list[i].end])))
	}
	want := []string{"1 # Head", "0 First paragraph.", "0 More of it.", "0.75 > Quoted words.", "0 Plain words here.", "0 And a second one.", "0 Third one.", "0.25 - item one here\n- item two here"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("beginnings (-want +got):\n%s", diff)
	}
}

func TestDensities(t *testing.T) {
	var list []statement
	for _, w := range []int{2, 4, 6, 8, 10, 20} {
		list = append(list, statement{words: w})
	}
	// The quartiles are 4.5 and 9.5.
	want := []float64{0.75 * 2 / 4.5, 0.75 * 4 / 4.5, 0.75 + 0.5*1.5/5, 0.75 + 0.5*3.5/5, 0.75 + 0.5*5.5/5, 0.75 + 0.5*15.5/5}
	for i, got := range densities(list) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("density of %d words is %v, want %v", list[i].words, got, want[i])
		}
	}
}

// TestChunkletsAreOptimal holds the dynamic programme against every partition of a few sentences.
func TestChunkletsAreOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		var b strings.Builder
		for range 2 + r.IntN(7) {
			b.WriteString([]string{"", "", "\n\n", "\n\n# Head\n\n", "\n\n> ", "\n\n- "}[r.IntN(6)])
			b.WriteString("Word" + strings.Repeat(" word", r.IntN(9)) + ". ")
		}
		s, limit := b.String(), 30+r.IntN(120)
		o := readOutline(s)
		list := statements(s, o.headings, limit)
		p, m := beginnings(list, o.openings), densities(list)
		least, n := math.Inf(1), len(list)
		price := func(ends []int) float64 {
			sum, j := 0.0, 0
			for _, i := range ends {
				size, mass, inner := 0, 0.0, 0.0
				for k := j; k < i; k++ {
					size += list[k].size
					mass += m[k]
					if k > j {
						inner += p[k]
					}
				}
				if size > limit {
					return math.Inf(1)
				}
				sum += 1 - p[j] + inner + (mass-3)*(mass-3)/math.Sqrt(mass)/2
				j = i
			}
			return sum
		}
		for set := range 1 << (n - 1) {
			var ends []int
			for i := 1; i < n; i++ {
				if set>>(i-1)&1 == 1 {
					ends = append(ends, i)
				}
			}
			least = min(least, price(append(ends, n)))
		}
		var ends []int
		for _, u := range chunklets(s, o, limit) {
			ends = append(ends, 1+slices.IndexFunc(list, func(st statement) bool { return st.end == u.end }))
		}
		if got := price(ends); math.Abs(got-least) > 1e-9 {
			t.Fatalf("round %d: chunklets of %q cost %v, want %v", round, s, got, least)
		}
	}
}

// TestPartitionIsOptimal holds the queue against every set of cuts.
func TestPartitionIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n, limit := 1+r.IntN(9), 20
		list, sims := make([]unit, n), make([]float64, n-1)
		for i := range list {
			list[i].size = 1 + r.IntN(limit)
		}
		for i := range sims {
			sims[i] = 0.01 + r.Float64()
		}
		price := func(set int) float64 {
			sum, size := 0.0, 0
			for i := range n {
				if i > 0 && set>>(i-1)&1 == 1 {
					sum, size = sum+sims[i-1], 0
				}
				if size += list[i].size; size > limit {
					return math.Inf(1)
				}
			}
			return sum
		}
		least := math.Inf(1)
		for set := range 1 << (n - 1) {
			least = min(least, price(set))
		}
		set := 0
		for _, start := range partition(sims, list, limit) {
			if start > 0 {
				set |= 1 << (start - 1)
			}
		}
		if got := price(set); math.Abs(got-least) > 1e-12 {
			t.Fatalf("cuts %b of %v at %v cost %v, want %v", set, list, sims, got, least)
		}
	}
}

func TestRAGLite(t *testing.T) {
	part := func(word string) string {
		return strings.TrimSpace(strings.Repeat("The "+word+" is all about "+word+" here. ", 4)) + "\n\n"
	}
	s := "# Guide\n\n" + part("cat") + part("dog") + "## Ships\n\n" + part("ship") + part("boat") + part("ship") + "# End\n\n" + part("moon") + part("star")
	const most = 420
	got := cut(t, Recipe{Chunker: "raglite", Size: most, PrefixHeading: true}, &rag.Document{ID: "d", Text: s})
	var headings, firsts []string
	for _, c := range got {
		headings = append(headings, c.Metadata["headings"])
		first, _, _ := strings.Cut(string([]rune(c.Text)[c.Prefix:]), "\n")
		firsts = append(firsts, first)
		if c.End-c.Start > most {
			t.Errorf("chunk %d has %d characters, want at most %d", c.Index, c.End-c.Start, most)
		}
		if h := c.Metadata["headings"]; h != "" && !strings.HasPrefix(c.Text, h+"\n\n") {
			t.Errorf("chunk %d is %q, want %q before it", c.Index, c.Text, h)
		}
	}
	if diff := cmp.Diff([]string{"# Guide", "## Ships", "# End"}, firsts); diff != "" {
		t.Errorf("first lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "# Guide", ""}, headings); diff != "" {
		t.Errorf("headings in force (-want +got):\n%s", diff)
	}
}

func TestModels(t *testing.T) {
	for _, name := range []string{"semantic", "raglite"} {
		r, err := Parse(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(r, Models{}); err == nil || !strings.Contains(err.Error(), "needs an embedding model") {
			t.Errorf("%s without a model: %v, want an error", name, err)
		}
		c, err := New(r, testModels)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Embeds() || c.Recipe().Embedder != "test" {
			t.Errorf("%s embeds: %v with %q, want the model in the recipe", name, c.Embeds(), c.Recipe().Embedder)
		}
		broken := errors.New("no answer")
		d := &rag.Document{ID: "d", Text: strings.Repeat("One two three four. ", 400)}
		if _, err := c.With(func(context.Context, []string) ([][]float32, error) { return nil, broken }).Cut(context.Background(), d); !errors.Is(err, broken) {
			t.Errorf("%s: %v, want %v", name, err, broken)
		}
		calls, most := 0, 0
		_, err = c.With(func(ctx context.Context, texts []string) ([][]float32, error) {
			calls, most = calls+1, max(most, len(texts))
			return testModels.Embed(ctx, texts)
		}).Cut(context.Background(), d)
		if err != nil || calls < 1 || most > embedBatch {
			t.Errorf("%s: %d calls of up to %d texts and %v, want batches of at most %d", name, calls, most, err, embedBatch)
		}
		if _, err := c.With(func(_ context.Context, texts []string) ([][]float32, error) { return make([][]float32, 1), nil }).Cut(context.Background(), d); err == nil {
			t.Errorf("%s accepts too few vectors", name)
		}
	}
	c, err := New(Recipe{Chunker: "word", Size: 5}, testModels)
	if err != nil || c.Embeds() || c.Recipe().Embedder != "" {
		t.Errorf("word embeds: %v with %q, %v; want neither", c.Embeds(), c.Recipe().Embedder, err)
	}
}
