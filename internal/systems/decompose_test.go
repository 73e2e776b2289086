package systems

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// hit makes a hit of chunk id of document doc.
func hit(id int64, doc string, rank int) rag.Hit {
	return rag.Hit{Chunk: rag.Chunk{RowID: id, DocID: doc, Key: doc + "::chunk::0001", Text: "text of " + doc}, Rank: rank}
}

func TestGrouped(t *testing.T) {
	legs := []rag.Leg{
		{Name: "bm25", Hits: []rag.Hit{hit(3, "c", 1)}}, // a search, which groups nothing
		{Name: "subquestion", Hits: []rag.Hit{hit(1, "a", 1), hit(2, "b", 2), hit(4, "d", 3)}},
		{Name: "subquestion#1", Hits: []rag.Hit{hit(2, "b", 1), hit(3, "c", 2), hit(4, "d", 3)}},
		{Name: "subquestion#2", Hits: []rag.Hit{hit(5, "e", 1), hit(3, "c", 3)}},
	}
	read := []rag.Hit{hit(4, "d", 1), hit(5, "e", 2), hit(2, "b", 3), hit(1, "a", 4), hit(3, "c", 5)}
	got, docs := grouped(read, []string{"first?", "second?"}, []string{"", "found"}, legs)
	block := func(doc string) prompt.Block { return prompt.Block{DocID: doc, Place: "0001", Text: "text of " + doc} }
	want := []prompt.Group{
		{Label: "Sub-question 1: first?", Blocks: []prompt.Block{block("d"), block("a")}}, // d: a tie, the earlier wins
		{Label: "Sub-question 2: second?", Finding: "found", Blocks: []prompt.Block{block("b"), block("c")}},
		{Label: "Original question", Blocks: []prompt.Block{block("e")}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if len(docs) != 5 || !docs["e"] {
		t.Errorf("got documents %v, want all five", docs)
	}
}
