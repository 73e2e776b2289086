package chunk

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

func TestPages(t *testing.T) {
	d := &rag.Document{ID: "d", Text: "ä one\n\ntwo three\n\nfour", Metadata: map[string]string{"pages": "[[2,0,5],[3,7,16],[5,18,22]]"}}
	for size, want := range map[int][]map[string]string{
		2:  {{"page": "2"}, {"page": "3"}, {"page": "5"}},
		3:  {{"page": "2", "page_end": "3"}, {"page": "3", "page_end": "5"}},
		99: {{"page": "2", "page_end": "5"}},
	} {
		var got []map[string]string
		for _, c := range cut(t, Recipe{Chunker: "word", Size: size}, d) {
			got = append(got, c.Metadata)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of chunks of %d words (-want +got):\n%s", size, diff)
		}
	}
	c, err := New(Recipe{Chunker: "document"}, Models{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Cut(context.Background(), &rag.Document{ID: "d", Text: "x", Metadata: map[string]string{"pages": "?"}}); err == nil {
		t.Error("pages that cannot be read are no error")
	}
}
