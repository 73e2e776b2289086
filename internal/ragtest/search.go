package ragtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/sqlext"
)

// Engine is a search to run the suite of searches on.
type Engine struct {
	Name string
	// Lexical says that chunks without a word of the question are never found. The suite then adds such chunks, which also
	// keeps the word rare enough for every formula to value it.
	Lexical bool
	// Build indexes the chunks of an index and returns the number that the search knows the result by.
	Build func(t testing.TB, f *File, m *Models, indexID int64) int64
	// Find searches through SQL.
	Find func(t testing.TB, f *File, m *Models, id int64, question string, k int) []sqlext.Hit
}

// Search is the conformance suite of a search: with no chunk, one, two, and one fewer and one more than are asked for,
// it returns the k best in order, equal scores by chunk id, and the same after the file was closed and opened.
func Search(t *testing.T, e Engine) {
	const k = 10
	for _, n := range []int{0, 1, 2, k - 1, k, k + 1, 300} {
		t.Run(fmt.Sprintf("%s of %d", e.Name, n), func(t *testing.T) {
			f := Open(t)
			m := NewModels(t, f)
			for _, c := range []struct {
				name string
				text func(i int) string
			}{
				{"equal", func(int) string { return "The ferry waits." }},
				{"falling", func(i int) string { return "ferry" + strings.Repeat(" quay", i) }},
				{"rising", func(i int) string { return "ferry" + strings.Repeat(" quay", n-i) }},
			} {
				docs := make([]rag.Document, n)
				for i := range docs {
					docs[i] = rag.Document{ID: fmt.Sprintf("ferry%03d", i), Text: c.text(i)}
				}
				for i := range n + 3 {
					if e.Lexical {
						docs = append(docs, rag.Document{ID: fmt.Sprintf("other%03d", i), Text: "Harbour light."})
					}
				}
				corpus, _ := f.Corpus(t, docs, nil)
				ingest(t, Build(t, f, m, "{type: bm25, chunker: {type: document}}"), corpus)
				indexID, chunks := newestIndex(t, f)
				if len(chunks) != len(docs) {
					t.Fatalf("%s: got %d chunks, want %d", c.name, len(chunks), len(docs))
				}
				chunks = chunks[:n]
				if c.name == "rising" {
					for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
						chunks[i], chunks[j] = chunks[j], chunks[i]
					}
				}
				id := e.Build(t, f, m, indexID)
				check := func(when string) {
					t.Helper()
					for _, depth := range []int{1, 2, k, 1 << 20} {
						hits := e.Find(t, f, m, id, "ferry", depth)
						var got []int64
						for i, h := range hits {
							got = append(got, h.ChunkID)
							if c.name == "equal" && h.Score != hits[0].Score || i > 0 && h.Score > hits[i-1].Score {
								t.Errorf("%s, %s, k %d: hit %d scores %v after %v", c.name, when, depth, i+1, h.Score, hits[max(0, i-1)].Score)
							}
						}
						if d := cmp.Diff(append([]int64(nil), chunks[:min(depth, n)]...), got); d != "" {
							t.Errorf("%s, %s, k %d (-want +got):\n%s", c.name, when, depth, d)
						}
					}
				}
				check("built")
				f.Reopen(t)
				m = NewModels(t, f)
				check("reopened")
			}
		})
	}
}

// newestIndex returns the newest index and its chunks in the order of their ids.
func newestIndex(t testing.TB, f *File) (id int64, chunks []int64) {
	t.Helper()
	rows, err := f.DB.Reader().Query(`SELECT i.index_id, c.chunk_id
		FROM (SELECT max(index_id) AS index_id FROM indexes) AS i
		LEFT JOIN chunks AS c ON c.index_id = i.index_id
		ORDER BY c.chunk_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var chunk *int64
		if err := rows.Scan(&id, &chunk); err != nil {
			t.Fatal(err)
		}
		if chunk != nil {
			chunks = append(chunks, *chunk)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return id, chunks
}
