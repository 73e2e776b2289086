package systems

import (
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// TestPartsAreCutFromTheDocument checks the offsets of parts on text with several scripts.
func TestPartsAreCutFromTheDocument(t *testing.T) {
	doc := "Front. " + "First one. Second é two! Third 渡 three? " + "Fourth here.  \n\nFifth “quoted.” Sixth.\nSeventh ends."
	c := rag.Chunk{Key: "d::chunk::0000::x", DocID: "d", Start: 7, Text: doc[7:]}
	parts := partsOf(c)
	if len(parts) != 3 {
		t.Fatalf("got %d parts %+v, want 3 of seven sentences", len(parts), parts)
	}
	end := 7
	for i, p := range parts {
		if got := text.Slice(doc, p.Start, p.End); got != p.Text {
			t.Errorf("part %d: the document has %q there, the part %q", i, got, p.Text)
		}
		if gap := text.Slice(doc, end, p.Start); !text.Blank(gap) {
			t.Errorf("part %d: %q before it is in no part", i, gap)
		}
		if end = p.End; p.Metadata["chunk"] != c.Key {
			t.Errorf("part %d names chunk %q, want %q", i, p.Metadata["chunk"], c.Key)
		}
	}
	if rest := text.Slice(doc, end, 1<<30); !text.Blank(rest) {
		t.Errorf("%q at the end is in no part", rest)
	}
}

func TestShortChunkHasNoParts(t *testing.T) {
	if got := partsOf(rag.Chunk{Text: "One. Two. Three."}); got != nil {
		t.Errorf("got %+v, want none: the chunk's own vector is the same", got)
	}
}

func TestFilterJSON(t *testing.T) {
	for _, tt := range []struct {
		filter any
		want   string
		err    string
	}{
		{nil, `{}`, ""},
		{map[string]any{}, `{}`, ""},
		{map[string]any{"topic": "physics"}, `{"topic":["physics"]}`, ""},
		{map[string]any{"b": []any{"x", 2}, "a": true, "c": 1.5}, `{"a":["true"],"b":["x","2"],"c":["1.5"]}`, ""},
		{"topic", "", "want fields"},
		{map[string]any{"a": nil}, "", "a: want a text"},
		{map[string]any{"a": []any{map[string]any{}}}, "", "a: want a text"},
	} {
		got, err := filterJSON(tt.filter)
		if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%v: got %s and error %v, want %s %s", tt.filter, got, err, tt.want, tt.err)
		}
	}
}
