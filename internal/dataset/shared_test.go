package dataset

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// shared is the folder of real data beside the repository; the test is skipped where it is absent.
func shared(t *testing.T, set string) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", set)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the real data set %s is not here: %v", set, err)
	}
	return dir
}

func TestRealSets(t *testing.T) {
	for _, tt := range []struct {
		set                             string
		docs, questions, judged, qrels  int
		unanswerable                    int
		docWarnings, validationWarnings []string
	}{
		{set: "adi", docs: 82, questions: 35, judged: 35, qrels: 170},
		{set: "cranfield", docs: 1400, questions: 225, judged: 225, qrels: 1837, docWarnings: []string{"empty_document 471", "empty_document 995"}},
		{set: "cacm", docs: 3204, questions: 64, judged: 52, qrels: 796, validationWarnings: []string{
			"unlabelled_question 34", "unlabelled_question 35", "unlabelled_question 41", "unlabelled_question 46", "unlabelled_question 47", "unlabelled_question and 7 more",
		}},
		{set: "scifact", docs: 5183, questions: 300, judged: 300, qrels: 339},
		{set: "xquad-zh", docs: 240, questions: 1190, judged: 1190, qrels: 1190},
		{set: "hotpotqa-500", docs: 4937, questions: 500, judged: 500, qrels: 1000},
		{set: "chunking-eval", docs: 5, questions: 472, judged: 472, qrels: 472},
	} {
		t.Run(tt.set, func(t *testing.T) {
			root := shared(t, tt.set)
			s := mustOpen(t, Paths{Root: root})
			ds, docWarns := docs(t, s)
			ids := map[string]bool{}
			for _, d := range ds {
				ids[d.ID] = true
			}
			qs, rs, _ := questions(t, s)
			if len(ds) != tt.docs || len(qs) != tt.questions || len(rs) != tt.qrels {
				t.Errorf("got %d documents, %d questions, %d qrels; want %d, %d, %d", len(ds), len(qs), len(rs), tt.docs, tt.questions, tt.qrels)
			}
			if diff := cmp.Diff(tt.docWarnings, brief(docWarns)); diff != "" {
				t.Errorf("warnings about documents (-want +got):\n%s", diff)
			}
			warns, err := Validate(func(id string) bool { return ids[id] }, qs, rs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.validationWarnings, brief(warns)); diff != "" {
				t.Errorf("warnings about labels (-want +got):\n%s", diff)
			}
			judged, _, _ := questions(t, mustOpen(t, Paths{Root: root, OnlyJudged: true}))
			if len(judged) != tt.judged {
				t.Errorf("got %d judged questions, want %d", len(judged), tt.judged)
			}
		})
	}
}

// TestImportOfRealSets imports each set and compares what is read from both folders.
func TestImportOfRealSets(t *testing.T) {
	for _, set := range []string{"adi", "cranfield", "cacm", "scifact", "xquad-zh"} {
		t.Run(set, func(t *testing.T) {
			from := mustOpen(t, Paths{Root: shared(t, set)})
			out := t.TempDir()
			if _, err := ImportBEIR(context.Background(), Paths{Root: shared(t, set)}, out); err != nil {
				t.Fatal(err)
			}
			to := mustOpen(t, Paths{Root: out})
			wantDocs, _ := docs(t, from)
			gotDocs, _ := docs(t, to)
			if diff := cmp.Diff(wantDocs, gotDocs); diff != "" {
				t.Errorf("documents (-BEIR +imported):\n%.2000s", diff)
			}
			wantQs, wantRs, _ := questions(t, from)
			gotQs, gotRs, _ := questions(t, to)
			if !cmp.Equal(wantQs, gotQs) || !cmp.Equal(wantRs, gotRs) {
				t.Error("questions or labels change in the import")
			}
		})
	}
}

func TestCACMQrelsByPath(t *testing.T) {
	s := mustOpen(t, Paths{Root: shared(t, "cacm"), Qrels: "qrels/anserini.tsv"})
	ds, _ := docs(t, s)
	ids := map[string]bool{}
	for _, d := range ds {
		ids[d.ID] = true
	}
	_, rs, _ := questions(t, s)
	missing := 0
	for _, r := range rs {
		if !ids[r.DocID] {
			missing++
		}
	}
	// As the source of the set says: 55 of 796 labels name documents without the zeros of their ids.
	if len(rs) != 796 || missing != 55 {
		t.Errorf("got %d labels, %d for missing documents; want 796 and 55", len(rs), missing)
	}
}

// TestEvidenceOfChunkingEval holds all 790 spans against the documents: offsets are code points.
func TestEvidenceOfChunkingEval(t *testing.T) {
	s := mustOpen(t, Paths{Root: shared(t, "chunking-eval")})
	ds, _ := docs(t, s)
	byID := map[string]rag.Document{}
	for _, d := range ds {
		byID[d.ID] = d
	}
	qs, _, _ := questions(t, s)
	spans := 0
	for _, q := range qs {
		for _, e := range q.Evidence {
			spans++
			if got := text.Slice(byID[e.DocID].Text, e.Start, e.End); got != e.Quote {
				t.Errorf("question %s: [%d, %d) of %s is %q, the evidence says %q", q.ID, e.Start, e.End, e.DocID, got, e.Quote)
			}
		}
	}
	if spans != 790 {
		t.Errorf("got %d spans, want 790", spans)
	}
}
