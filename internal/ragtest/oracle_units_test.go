package ragtest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"ragbench/internal/text"
)

func TestRollUpEqualsOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			b := newBench(t, docs)
			for _, c := range []struct {
				aggregation     string
				children, depth int
			}{{"max", 8, 10}, {"sum", 8, 10}, {"mean", 8, 10}, {"sum", 60, 3}, {"mean", 1, 1}} {
				entry := fmt.Sprintf("{type: parent_doc, retrieval: {parent_score_aggregation: %s, top_k_children: %d, top_k_parents: 1}, "+
					"chunker: {parent_chunk_size: 60, parent_chunk_overlap: 10, child_chunk_size: 15, child_chunk_overlap: 5}}", c.aggregation, c.children)
				sys := b.build(t, entry)
				parentOf, parents := b.parents(t)
				for _, q := range questions {
					r := retrieve(t, sys, q.Text, c.depth)
					if len(r.Legs) == 0 {
						continue // a question without a vector
					}
					want := RollUp(r.Legs[0].Hits, parentOf, c.aggregation)
					if len(want) < min(c.depth, parents) {
						t.Errorf("%s %s: %d children cover %d parents, want %d of %d", entry, short(q), len(r.Legs[0].Hits), len(want), c.depth, parents)
					}
					if n := min(c.depth, len(want)); len(r.Hits) != n || len(r.Context) != 1 {
						t.Errorf("%s %s: got %d hits and %d to read, want %d and 1", entry, short(q), len(r.Hits), len(r.Context), n)
						continue
					}
					for i, h := range r.Hits {
						var matched []string
						err := json.Unmarshal([]byte(h.Metadata["matched_children"]), &matched)
						tie := math.Abs(h.Score-want[i].Score) < 1e-12
						same := h.Chunk.RowID == want[i].ID && slices.Equal(matched, want[i].Children)
						if !tie || err != nil || !same && c.aggregation == "max" || !same && !twice(want, i) {
							t.Errorf("%s %s: hit %d: got parent %d with %v of %v, want %d with %v of %v", entry, short(q), i+1,
								h.Chunk.RowID, h.Score, matched, want[i].ID, want[i].Score, want[i].Children)
							break
						}
					}
				}
			}
		})
	}
}

// twice tells whether another parent has the score of the i-th but for rounding, so that their order says nothing.
func twice(list []Parent, i int) bool {
	near := func(j int) bool { return j >= 0 && j < len(list) && math.Abs(list[j].Score-list[i].Score) < 1e-12 }
	return near(i-1) || near(i+1)
}

// parents reads which parent each child has, and how many parents have a child with a vector.
func (b *bench) parents(t *testing.T) (of map[int64]int64, n int) {
	t.Helper()
	rows, err := b.f.DB.Reader().Query(`SELECT c.chunk_id, c.parent_id
		FROM chunks AS c
		JOIN vector_slots AS s ON s.text_sha256 = c.text_sha256
		WHERE c.kind = 'child'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	of = map[int64]int64{}
	distinct := map[int64]bool{}
	for rows.Next() {
		var child, parent int64
		if err := rows.Scan(&child, &parent); err != nil {
			t.Fatal(err)
		}
		of[child] = parent
		distinct[parent] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return of, len(distinct)
}

func TestWindowsEqualOracle(t *testing.T) {
	for name, corpus := range corpora {
		t.Run(name, func(t *testing.T) {
			docs, questions := corpus(t)
			texts := map[string]string{}
			for _, d := range docs {
				texts[d.ID] = d.Text
			}
			b := newBench(t, docs)
			for _, c := range []struct{ width, candidates, depth int }{{2, 30, 10}, {0, 30, 25}, {1, 1, 5}, {9, 30, 10}} {
				entry := fmt.Sprintf("{type: sentence_window, retrieval: {window: %d, candidate_top_k: %d}}", c.width, c.candidates)
				sys := b.build(t, entry)
				last, spans := b.sentences(t)
				for _, q := range questions {
					r := retrieve(t, sys, q.Text, c.depth)
					if len(r.Legs) == 0 {
						continue // a question without a vector
					}
					found := r.Legs[0].Hits
					want := Windows(found, last, c.width, c.depth)
					if len(r.Hits) != len(want) {
						t.Errorf("%s %s: got %d windows, want %d", entry, short(q), len(r.Hits), len(want))
						continue
					}
					places := 0
					for i, h := range r.Hits {
						w := want[i]
						places += w.Places
						start, end := spans[[2]int64{w.DocRowID, int64(w.First)}][0], spans[[2]int64{w.DocRowID, int64(w.Last)}][1]
						if h.Chunk.RowID != w.Best.Chunk.RowID || h.Score != w.Best.Score || h.Metadata["places"] != strconv.Itoa(w.Places) ||
							h.Chunk.Start != start || h.Chunk.End != end || h.Chunk.Text != text.Slice(texts[h.Chunk.DocID], start, end) {
							t.Errorf("%s %s: window %d: got sentence %d with %v, %v, %q, want %d with %v, sentences %d to %d, %d places", entry, short(q), i+1,
								h.Chunk.RowID, h.Score, h.Metadata, h.Chunk.Text, w.Best.Chunk.RowID, w.Best.Score, w.First, w.Last, w.Places)
							break
						}
					}
					if pool := max(c.candidates, 4*c.depth); len(found) < pool && len(found) < len(spans) && places < c.depth && len(found) != b.vectorCount(t, "sentence") {
						t.Errorf("%s %s: got %d sentences, want %d", entry, short(q), len(found), pool)
					}
				}
			}
		})
	}
}

// sentences reads the last position of each document and the span of each sentence, by document and position.
func (b *bench) sentences(t *testing.T) (last map[int64]int, spans map[[2]int64][2]int) {
	t.Helper()
	rows, err := b.f.DB.Reader().Query(`SELECT document_id, position, start_char, end_char FROM chunks WHERE kind = 'sentence' ORDER BY document_id, position`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	last, spans = map[int64]int{}, map[[2]int64][2]int{}
	for rows.Next() {
		var doc, position int64
		var span [2]int
		if err := rows.Scan(&doc, &position, &span[0], &span[1]); err != nil {
			t.Fatal(err)
		}
		last[doc], spans[[2]int64{doc, position}] = int(position), span
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return last, spans
}

// vectorCount counts the chunks of a kind that have a vector, which is how many a search can find.
func (b *bench) vectorCount(t *testing.T, kind string) (n int) {
	t.Helper()
	err := b.f.DB.Reader().QueryRow(`SELECT count(*) FROM chunks AS c JOIN vector_slots AS s ON s.text_sha256 = c.text_sha256 WHERE c.kind = ?`, kind).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
