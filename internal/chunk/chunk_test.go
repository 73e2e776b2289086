package chunk

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text"
	"ragbench/internal/text/tokens"
)

// cutTexts cuts s by r and returns the texts.
func cutTexts(t *testing.T, r Recipe, s string) []string {
	t.Helper()
	var out []string
	for _, c := range cut(t, r, &rag.Document{ID: "d", Title: "A Title", Text: s}) {
		out = append(out, c.Text)
	}
	return out
}

func cut(t testing.TB, r Recipe, d *rag.Document) []rag.Chunk {
	t.Helper()
	c, err := New(r, testModels)
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := c.Cut(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func TestCut(t *testing.T) {
	word := func(size, overlap int) Recipe { return Recipe{Chunker: "word", Size: size, Overlap: overlap} }
	char := func(size, overlap int) Recipe { return Recipe{Chunker: "fixed_char", Size: size, Overlap: overlap} }
	token := func(size, overlap int) Recipe { return Recipe{Chunker: "token", Size: size, Overlap: overlap} }
	tests := []struct {
		name   string
		recipe Recipe
		text   string
		want   []string
	}{
		{"words", word(2, 0), "a b c d e", []string{"a b", "c d", "e"}},
		{"words overlap", word(3, 1), "a b c d e", []string{"a b c", "c d e"}},
		{"words keep inner space", word(2, 0), " a \n b  c ", []string{"a \n b", "c"}},
		{"words of Han", word(2, 0), "漢字です。x", []string{"漢字", "です", "。x"}},
		{"words of Thai keep marks", word(1, 0), "กำนี้", []string{"กำ", "นี้"}},
		{"no tail inside the last window", word(4, 3), "a b c d", []string{"a b c d"}},
		{"characters", char(3, 1), "abcdefg", []string{"abc", "cde", "efg"}},
		{"characters, blank left out", char(2, 0), "ab    cd", []string{"ab", "cd"}},
		{"a cut moves behind the cluster", char(2, 0), "a👍🏽b", []string{"a👍🏽", "b"}},
		{"a cluster longer than the window", char(1, 0), "👩‍👩‍👧‍👦x", []string{"👩‍👩‍👧‍👦", "x"}},
		{"CR LF is one", char(2, 0), "a\r\nb", []string{"a", "b"}},
		{"a mark on a space belongs to the word behind it", word(1, 0), "a \u0308b", []string{"a", " \u0308b"}},
		{"tokens", token(2, 0), "hello world again", []string{"hello world", "again"}},
		{"tokens overlap", token(2, 1), "hello world again", []string{"hello world", "world again"}},
		{"special tokens are text", token(500, 80), "<|endoftext|>", []string{"<|endoftext|>"}},
		{"document", Recipe{Chunker: "document"}, " whole \n text ", []string{"whole \n text"}},
		{"empty", word(2, 0), "", nil},
		{"blank", token(2, 0), " \n\u3000", nil},
		{"blank document", Recipe{Chunker: "document"}, " \n", nil},
		{"title", Recipe{Chunker: "word", Size: 1, PrefixTitle: true}, "x y", []string{"A Title\n\nx", "A Title\n\ny"}},
		{"title that is the text", Recipe{Chunker: "document", PrefixTitle: true}, "A Title", []string{"A Title"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, cutTexts(t, tt.recipe, tt.text)); diff != "" {
				t.Errorf("chunks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChunkFields(t *testing.T) {
	d := &rag.Document{ID: "doc_1", RowID: 7, Title: "Ωmega", Text: "漢字 and\nmore"}
	tok, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	got := cut(t, Recipe{Chunker: "word", Size: 2, PrefixTitle: true}, d)
	want := []rag.Chunk{
		{
			Key: "doc_1::chunk::0000::" + text.StableHash("0:2:漢字", 10), DocID: "doc_1", DocRowID: 7,
			Kind: rag.KindChunk, Index: 0, Start: 0, End: 2, Prefix: 7, Text: "Ωmega\n\n漢字", Tokens: tok.Count("Ωmega\n\n漢字"),
		},
		{
			Key: "doc_1::chunk::0001::" + text.StableHash("3:11:and\nmore", 10), DocID: "doc_1", DocRowID: 7,
			Kind: rag.KindChunk, Index: 1, Start: 3, End: 11, Prefix: 7, Text: "Ωmega\n\nand\nmore", Tokens: tok.Count("Ωmega\n\nand\nmore"),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chunks (-want +got):\n%s", diff)
	}
	full := cut(t, Recipe{Chunker: "document"}, d)
	if full[0].Key != "doc_1::chunk::full" || full[0].Kind != rag.KindDocument {
		t.Errorf("document chunk has key %s and kind %s, want doc_1::chunk::full and document", full[0].Key, full[0].Kind)
	}
}

func TestApproxOnlyByName(t *testing.T) {
	d := &rag.Document{ID: "d", Text: "internationalisation"}
	exact := cut(t, Recipe{Chunker: "document"}, d)[0].Tokens
	approx := cut(t, Recipe{Chunker: "document", Tokenizer: "approx"}, d)[0].Tokens
	if exact != 2 || approx != 4 {
		t.Errorf("tokens = %d exact and %d approximate, want 2 and 4", exact, approx)
	}
}

func TestAssembleRefusesDisorder(t *testing.T) {
	c, err := New(Recipe{Chunker: "document"}, testModels)
	if err != nil {
		t.Fatal(err)
	}
	for name, spans := range map[string][]rag.Span{
		"start goes back": {{Start: 2, End: 3}, {Start: 1, End: 4}},
		"end goes back":   {{Start: 0, End: 3}, {Start: 1, End: 2}},
		"inverted":        {{Start: 3, End: 2}},
		"past the end":    {{Start: 0, End: 99}},
	} {
		if _, err := c.Assemble(context.Background(), &rag.Document{Text: "abcdef"}, spans); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := c.Cut(context.Background(), &rag.Document{ID: "bad", Text: "a\xff"}); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("invalid UTF-8 gives %v, want an error that names the document", err)
	}
}

func TestCutCancelled(t *testing.T) {
	c, err := New(Recipe{Chunker: "word", Size: 1}, testModels)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Cut(ctx, &rag.Document{Text: "a b"}); err != context.Canceled {
		t.Errorf("Cut = %v, want %v", err, context.Canceled)
	}
}

func TestParse(t *testing.T) {
	got, err := Parse("", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Recipe{Chunker: "token", Size: 500, Overlap: 80, Kind: rag.KindChunk, Tokenizer: "o200k_base"}
	if got != want {
		t.Errorf("Parse = %+v, want %+v", got, want)
	}
	got, err = Parse("fixed_char", map[string]any{"chunk_size": 200, "prefix_title": true, "chunk_overlap": 0})
	if err != nil {
		t.Fatal(err)
	}
	want = Recipe{Chunker: "fixed_char", Size: 200, PrefixTitle: true, Kind: rag.KindChunk, Tokenizer: "o200k_base"}
	if got != want {
		t.Errorf("Parse = %+v, want %+v", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		chunker string
		opts    map[string]any
		want    string
	}{
		{"tokens", nil, `unknown chunker "tokens", did you mean "token"?`},
		{"word", map[string]any{"min_chunk_size": 5}, `unknown option of chunker word "min_chunk_size"`},
		{"word", map[string]any{"chunk_sise": 5}, `did you mean "chunk_size"? (valid: chunk_size, chunk_overlap, prefix_title, tokenizer)`},
		{"document", map[string]any{"chunk_size": 5}, `unknown option of chunker document "chunk_size"`},
		{"word", map[string]any{"chunk_size": 0}, "chunk_size must be at least 1, got 0"},
		{"word", map[string]any{"chunk_size": 80}, "chunk_overlap must be at least 0 and less than chunk_size 80, got 80"},
		{"word", map[string]any{"chunk_overlap": -1}, "got -1"},
		{"word", map[string]any{"chunk_size": "500"}, "chunk_size must be a whole number, got 500"},
		{"word", map[string]any{"chunk_size": 1.5}, "chunk_size must be a whole number, got 1.5"},
		{"word", map[string]any{"prefix_title": "yes"}, "prefix_title must be true or false"},
		{"word", map[string]any{"tokenizer": "cl100k_base"}, `unknown tokenizer "cl100k_base"`},
	} {
		_, err := Parse(tt.chunker, tt.opts)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%s, %v) = %v, want it to hold %q", tt.chunker, tt.opts, err, tt.want)
		}
	}
	if _, err := New(Recipe{Chunker: "document", Size: 5}, Models{}); err == nil {
		t.Error("a document recipe with a size is accepted")
	}
}

func TestRecipeJSON(t *testing.T) {
	for recipe, want := range map[Recipe]string{
		{Chunker: "word", Size: 10}:                       `{"chunker":"word","revision":1,"kind":"chunk","chunk_size":10,"chunk_overlap":0,"prefix_title":false,"tokenizer":"o200k_base"}`,
		{Chunker: "document", PrefixTitle: true}:          `{"chunker":"document","revision":1,"kind":"document","prefix_title":true,"tokenizer":"o200k_base"}`,
		{Chunker: "token", Size: 9, Kind: rag.KindParent}: `{"chunker":"token","revision":1,"kind":"parent","chunk_size":9,"chunk_overlap":0,"prefix_title":false,"tokenizer":"o200k_base"}`,
	} {
		b, err := json.Marshal(recipe)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != want {
			t.Errorf("recipe = %s, want %s", b, want)
		}
		var back Recipe
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if back != recipe.filled() {
			t.Errorf("read back %+v, want %+v", back, recipe.filled())
		}
	}
	var r Recipe
	if err := json.Unmarshal([]byte(`{"chunker":"word","revision":2,"chunk_size":5,"chunk_overlap":0}`), &r); err == nil {
		t.Error("a recipe of another revision is accepted")
	}
}

func TestTableIsComplete(t *testing.T) {
	for _, e := range All {
		r, err := Parse(e.Name, nil)
		if err != nil {
			t.Errorf("defaults of %s: %v", e.Name, err)
			continue
		}
		if _, err := New(r, testModels); err != nil {
			t.Errorf("chunker %s: %v", e.Name, err)
		}
		if e.Title == "" || e.Doc == "" {
			t.Errorf("chunker %s is not described", e.Name)
		}
	}
}
