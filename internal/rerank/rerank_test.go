package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// hits makes candidates of texts, in order, with keys a, b, c …
func hits(texts ...string) []rag.Hit {
	list := make([]rag.Hit, len(texts))
	for i, t := range texts {
		list[i] = rag.Hit{Chunk: rag.Chunk{RowID: int64(i + 1), Key: string(rune('a' + i)), Text: t}, Rank: i + 1, Score: 1 / float64(i+1)}
	}
	return list
}

// keys lists the keys of hits.
func keys(list []rag.Hit) string {
	var b strings.Builder
	for _, h := range list {
		b.WriteString(h.Chunk.Key)
	}
	return b.String()
}

func rerank(t *testing.T, name string, e Env, question string, candidates []rag.Hit, topK int) ([]rag.Hit, *rag.Step) {
	t.Helper()
	entry, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	step := &rag.Step{}
	before := fmt.Sprint(candidates)
	out, err := entry.New(e).Rerank(context.Background(), question, candidates, topK, step)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(candidates) != before {
		t.Errorf("%s changed its candidates", name)
	}
	return out, step
}

func TestKeyword(t *testing.T) {
	list := hits("nothing", "The FERRY, the ferry", "a quay for a ferry", "is it so?", "ferry_quay café")
	got, _ := rerank(t, "simple_keyword_overlap", Env{}, "Is a ferry at the quay? Ferry!", list, 10)
	// Words that count: ferry, the, quay. b holds the and ferry, c quay and ferry, e neither: _ does not end a word. The place
	// before breaks the tie of b and c, and those of the rest.
	if d := cmp.Diff("bcade", keys(got)); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	if want := 2 + 1/1002.0 + 0.001*0.5; math.Abs(got[0].Score-want) > 1e-15 {
		t.Errorf("score of b: got %v, want %v", got[0].Score, want)
	}
	if d := cmp.Diff(map[string]string{"original_rank": "2", "reranker": "simple_keyword_overlap"}, got[0].Metadata); d != "" || got[0].Rank != 1 {
		t.Errorf("metadata of the first, of rank %d (-want +got):\n%s", got[0].Rank, d)
	}
}

// TestLocalByHand computes the vectors on paper. Question: blue whale song. Terms, stop words (the, is, a) left out:
//
//	question  blue, whale, song, blue whale, whale song
//	a         red, car, red car
//	b         blue, whale, sings, blue whale, whale sings
//	c         whale, 2 × song, whale song, song song
//
// Of n = 4 texts whale is in 3, its idf is i3 = ln(5/4) + 1 = 1.22314; blue, song, blue whale and whale song are in 2,
// i2 = ln(5/3) + 1 = 1.51083; the others in 1, i1 = ln(5/2) + 1 = 1.91629. So
//
//	|question|² = 4 i2² + i3²          question·b = 2 i2² + i3²           |b|² = 2 i2² + i3² + 2 i1²
//	                                   question·c = i3² + 2 i2² + i2²     |c|² = i3² + 4 i2² + i2² + i1²
//
// which makes the cosines 0.507838949083968719583 and 0.628585919956396397745 (40 digits of decimal arithmetic), and 0 for a.
// Each of b and c holds two of the question's three words.
func TestLocalByHand(t *testing.T) {
	list := hits("Red car.", "Blue whale sings.", "The whale song is a song.")
	for _, name := range []string{"local_relevance", "local", "tfidf", "tfidf_relevance"} {
		got, step := rerank(t, name, Env{}, "blue WHALE song?", list, 10)
		if keys(got) != "cba" || len(step.Metadata) > 0 {
			t.Fatalf("%s: got order %s with notes %v, want cba and none", name, keys(got), step.Metadata)
		}
		for i, want := range []struct{ cosine, coverage, rank float64 }{
			{0.628585919956396397745, 2.0 / 3, 3}, {0.507838949083968719583, 2.0 / 3, 2}, {0, 0, 1},
		} {
			if score := want.cosine + 0.25*want.coverage + 0.05/want.rank; math.Abs(got[i].Score-score) > 1e-14 {
				t.Errorf("%s: place %d scores %v, want %v", name, i+1, got[i].Score, score)
			}
			var cosine float64
			if _, err := fmt.Sscan(got[i].Metadata["tfidf_similarity"], &cosine); err != nil || math.Abs(cosine-want.cosine) > 1e-14 {
				t.Errorf("%s: place %d has tfidf_similarity %q, want %v", name, i+1, got[i].Metadata["tfidf_similarity"], want.cosine)
			}
		}
	}
}

func TestLocalEdges(t *testing.T) {
	for _, tt := range []struct {
		name, question string
		texts          []string
		want           string
		fallback       bool
	}{
		{"no text has a word", "?", []string{"!", "the of", ""}, "abc", true},
		{"the question has none", "the?", []string{"one ferry", "two"}, "ab", false},
		{"other scripts have words", "Когда паром?", []string{"x y", "паром в семь"}, "ba", false},
		{"single letters are no words", "a b c", []string{"d e", "f"}, "ab", true},
		{"no candidate", "ferry", nil, "", false},
	} {
		got, step := rerank(t, "local", Env{}, tt.question, hits(tt.texts...), 10)
		if keys(got) != tt.want || (step.Metadata["fallback"] == true) != tt.fallback {
			t.Errorf("%s: got %s with notes %v, want %s and fallback %v", tt.name, keys(got), step.Metadata, tt.want, tt.fallback)
		}
		if tt.fallback && got[0].Metadata["reranker"] != "simple_keyword_overlap" {
			t.Errorf("%s: the hits say %v, want the keyword reranker's name", tt.name, got[0].Metadata)
		}
	}
}

// TestLocalTies gives two candidates one rank, so that their scores are equal: the later one comes first.
func TestLocalTies(t *testing.T) {
	list := hits("ferry", "ferry", "ferry")
	for i := range list {
		list[i].Rank = 4
	}
	if got, _ := rerank(t, "local", Env{}, "ferry", list, 2); keys(got) != "cb" {
		t.Errorf("got %s, want cb", keys(got))
	}
}

func TestStopWords(t *testing.T) {
	if n := len(stopWords); n != 318 {
		t.Errorf("got %d stop words, want scikit-learn's 318", n)
	}
	for _, w := range []string{"a", "amoungst", "couldnt", "hasnt", "noone", "thick", "yourselves"} {
		if !stopWords[w] {
			t.Errorf("%s is no stop word", w)
		}
	}
	if !slices.IsSorted(strings.Fields(english)) {
		t.Error("the list is not sorted")
	}
}

func TestFindNamesTheNearest(t *testing.T) {
	_, err := Find("locale_relevance")
	if err == nil || !strings.Contains(err.Error(), `did you mean "local_relevance"?`) || strings.Contains(err.Error(), "cross_encoder") {
		t.Errorf("got error %v, want one that names local_relevance and no cross_encoder", err)
	}
}

// TestCancelled wants every reranker to say so.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, e := range All {
		if _, err := e.New(Env{}).Rerank(ctx, "q", hits("a"), 1, &rag.Step{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got error %v, want context.Canceled", e.Name, err)
		}
	}
}
