package systems_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// tale is a document of twelve chunks of five words each, the n-th with a word of its own.
func tale(id string, words ...string) rag.Document {
	var b strings.Builder
	for i := range 12 {
		word := "plain"
		if i < len(words) && words[i] != "" {
			word = words[i]
		}
		fmt.Fprintf(&b, "Part%d%s tells of %s thé. ", i, id, word)
	}
	return rag.Document{ID: id, Title: "Tale " + id, Text: b.String()}
}

// TestSpans: the best chunks and their neighbours become maximal runs within their documents; a span scores the sum of
// 1/place of the chunks that were given; its text is the document's, each character once, chunks that overlap included.
func TestSpans(t *testing.T) {
	for _, overlap := range []int{0, 2} {
		docs := []rag.Document{
			tale("a", "", "", "needle", "", "needle"), // chunks 2 and 4: one span 1..5
			tale("b", "needle"),                       // chunk 0: span 0..1
		}
		entry := fmt.Sprintf("{type: raglite, top_k: 3, vector_weight: 0, chunker: {type: word, chunk_size: 5, chunk_overlap: %d}}", overlap)
		f := build(t, entry, docs, nil)
		r, _, all := f.ask(t, "needle")
		byID := map[string]rag.Document{"a": docs[0], "b": docs[1]}
		if overlap == 0 && len(r.Context) != 3 {
			t.Fatalf("got %d blocks of context, want the three chunks with the word", len(r.Context))
		}
		places := map[int64]int{}
		for i, h := range r.Hits[:3] {
			places[h.Chunk.RowID] = i + 1
		}
		span, score := "", 0.0
		var before rag.Hit
		for i, h := range r.Context {
			d := byID[h.Chunk.DocID]
			if got := text.Slice(d.Text, h.Chunk.Start, h.Chunk.End); got != h.Chunk.Text {
				t.Errorf("overlap %d: block %d reads %q, the document has %q there", overlap, i, h.Chunk.Text, got)
			}
			if h.Metadata["span"] == span {
				if h.Chunk.Start != before.Chunk.End {
					t.Errorf("overlap %d: block %d starts at %d, the one before in its span ends at %d", overlap, i, h.Chunk.Start, before.Chunk.End)
				}
			} else {
				span, score = h.Metadata["span"], 0
			}
			if score += 1 / float64(places[h.Chunk.RowID]); i+1 == len(r.Context) || r.Context[i+1].Metadata["span"] != span {
				var got float64
				fmt.Sscan(h.Metadata["span_score"], &got)
				if math.Abs(got-score) > 1e-12 {
					t.Errorf("overlap %d: span %s scores %v, want %v", overlap, span, got, score)
				}
			}
			before = h
		}
		if got := steps(all, "chunk_spans"); len(got) != 1 {
			t.Errorf("got %d span steps, want one", len(got))
		}
		prompt := f.chat.seen["answer"][0].Messages[1].Text()
		if !strings.HasPrefix(prompt, "<context>\n\n[") || !strings.HasSuffix(prompt, "</context>\n\nQuestion: needle") {
			t.Errorf("got prompt\n%s\nwant the context in front", prompt)
		}
		if overlap == 0 {
			want := "[a | 0001-0005]\nTale a\n\n" + text.Slice(docs[0].Text, r.Context[0].Chunk.Start, r.Context[1].Chunk.End) + "\n\n"
			if !strings.Contains(prompt, want) {
				t.Errorf("the prompt lacks the span\n%s\ngot\n%s", want, prompt)
			}
		}
	}
}

// TestNeighboursStayInTheirDocument: at both ends of a document there is nothing to join.
func TestNeighboursStayInTheirDocument(t *testing.T) {
	f := build(t, "{type: raglite, top_k: 1, vector_weight: 0, neighbours: 50, chunker: {type: word, chunk_size: 5, chunk_overlap: 0}}",
		[]rag.Document{tale("a"), tale("b", "needle"), tale("c")}, nil)
	r, _, _ := f.ask(t, "needle")
	if len(r.Context) != 1 || r.Context[0].Chunk.DocID != "b" || r.Context[0].Metadata["span_place"] != "0000-0011" {
		t.Errorf("got context %+v, want the whole of b", r.Context)
	}
}

// TestFilter: a document passes when for every field its metadata holds every value; lists are held by their items.
func TestFilter(t *testing.T) {
	docs := []rag.Document{
		{ID: "one", Text: "The ferry waits.", Metadata: map[string]string{"topic": "physics", "year": "1990"}},
		{ID: "two", Text: "The ferry waits.", Metadata: map[string]string{"topic": `["physics","ships"]`, "year": "1991"}},
		{ID: "three", Text: "The ferry waits.", Metadata: map[string]string{"topic": "ships", "note": "it's {odd} [text"}},
		{ID: "four", Text: "The ferry waits."},
		{ID: "five", Text: "The ferry waits.", Metadata: map[string]string{"topic": "physics of ships", "year": "[1990, 1991]"}},
	}
	for filter, want := range map[string][]string{
		"":                              {"five", "four", "one", "three", "two"},
		"{}":                            {"five", "four", "one", "three", "two"},
		"{topic: physics}":              {"one", "two"},
		"{topic: [physics, ships]}":     {"two"},
		"{topic: physics, year: 1991}":  {"two"},
		"{topic: physics, year: '199'}": nil,
		"{year: 1990}":                  {"five", "one"},
		"{note: \"it's {odd} [text\"}":  {"three"},
		"{missing: x}":                  nil,
		"{topic: []}":                   {"five", "four", "one", "three", "two"},
	} {
		entry := "{type: raglite, candidate_top_k: 10, oversample: 1}"
		if filter != "" {
			entry = "{type: raglite, candidate_top_k: 10, oversample: 1, filter: " + filter + "}"
		}
		r, _, _ := build(t, entry, docs, nil).ask(t, "ferry")
		for _, leg := range append(r.Legs, rag.Leg{Name: "final", Hits: r.Hits}) {
			var got []string
			for _, h := range leg.Hits {
				got = append(got, h.Chunk.DocID)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("filter %s, list %s (-want +got):\n%s", filter, leg.Name, diff)
			}
		}
	}
}

// TestFilterMissesNothing: the filter holds inside the searches, so a match far down the unfiltered list is found.
func TestFilterMissesNothing(t *testing.T) {
	var docs []rag.Document
	for i := range 200 {
		docs = append(docs, rag.Document{ID: fmt.Sprintf("d%03d", i), Text: "ferry ferry ferry"})
	}
	docs = append(docs, rag.Document{ID: "last", Text: "A long text in which the ferry is named once among many other words.", Metadata: map[string]string{"topic": "physics"}})
	r, _, _ := build(t, "{type: raglite, candidate_top_k: 3, filter: {topic: physics}}", docs, nil).ask(t, "ferry")
	if len(r.Hits) != 1 || r.Hits[0].Chunk.DocID != "last" {
		t.Errorf("got %d hits, want the one document that matches", len(r.Hits))
	}
}

// TestNearestPartCounts: with multi_vector the score of a chunk is the largest over its own vector and those of its
// parts, and no chunk scores less than without.
func TestNearestPartCounts(t *testing.T) {
	docs := []rag.Document{{ID: "a", Text: "Bread is sold here. It is warm. It is cheap. The zeppelin lands at noon. It carries mail. It is silver. Cows graze. They moo. They rest."},
		{ID: "b", Text: "The zeppelin is late. Nobody minds."}}
	scores := map[bool]map[string]float64{}
	for _, multi := range []bool{false, true} {
		f := build(t, fmt.Sprintf("{type: raglite, multi_vector: %v, chunker: {type: document}}", multi), docs, nil)
		r, _, _ := f.ask(t, "zeppelin lands")
		scores[multi] = map[string]float64{}
		for _, leg := range r.Legs {
			if leg.Name == "vector" {
				for _, h := range leg.Hits {
					scores[multi][h.Chunk.DocID] = h.Score
				}
			}
		}
	}
	if scores[true]["a"] <= scores[false]["a"] {
		t.Errorf("chunk of nine sentences: got %v with parts, %v without, want more", scores[true]["a"], scores[false]["a"])
	}
	if scores[true]["b"] != scores[false]["b"] {
		t.Errorf("chunk of one part: got %v with parts, %v without, want the same", scores[true]["b"], scores[false]["b"])
	}
}
