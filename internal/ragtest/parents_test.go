package ragtest

import (
	"testing"

	"ragbench/internal/rag"
)

// TestParentsGoWithTheirCorpus replaces a dataset: the parents and the children of the old one go, the new ones stay, and
// every child refers to a parent that holds it.
func TestParentsGoWithTheirCorpus(t *testing.T) {
	f := Open(t)
	m := NewModels(t, f)
	entry := "{type: parent_doc, chunker: {parent_chunk_size: 12, parent_chunk_overlap: 3, child_chunk_size: 4, child_chunk_overlap: 1}}"
	for _, text := range []string{"One two three four five six seven eight nine ten eleven twelve thirteen fourteen.", "Another text, of seven words in all."} {
		corpus, _ := f.Corpus(t, []rag.Document{{ID: "a", Text: text}, {ID: "b", Text: "A second document."}}, nil)
		ingest(t, Build(t, f, m, entry), corpus)
		var indexes, children, loose int
		err := f.DB.Reader().QueryRow(`SELECT (SELECT count(*) FROM indexes),
			count(*),
			sum(p.chunk_id IS NULL OR p.document_id <> c.document_id OR c.start_char < p.start_char OR c.end_char > p.end_char
			    OR c.text <> substr(d.text, c.start_char + 1, c.end_char - c.start_char))
			FROM chunks AS c
			JOIN documents AS d ON d.document_id = c.document_id
			LEFT JOIN chunks AS p ON p.chunk_id = c.parent_id AND p.kind = 'parent'
			WHERE c.kind = 'child'`).Scan(&indexes, &children, &loose)
		if err != nil {
			t.Fatal(err)
		}
		if indexes != 2 || children == 0 || loose != 0 {
			t.Errorf("got %d indexes and %d children of which %d fit no parent, want 2, some and 0", indexes, children, loose)
		}
	}
}
