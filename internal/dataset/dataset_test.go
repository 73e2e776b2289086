package dataset

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// tree is a file system of texts.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, body := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(body)}
	}
	return fsys
}

func mustOpen(t *testing.T, p Paths) *Source {
	t.Helper()
	s, err := Open(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func docs(t *testing.T, s *Source) (out []rag.Document, warns []rag.Warning) {
	t.Helper()
	warns, err := s.Documents(context.Background(), func(d rag.Document) error {
		out = append(out, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, warns
}

func questions(t *testing.T, s *Source) ([]rag.Question, []rag.Qrel, []rag.Warning) {
	t.Helper()
	qs, rs, ws, err := s.Questions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return qs, rs, ws
}

func brief(ws []rag.Warning) (out []string) {
	for _, w := range ws {
		s := w.Code
		if w.Subject != "" {
			s += " " + w.Subject
		} else if strings.HasPrefix(w.Message, "and ") {
			s += " " + w.Message
		}
		out = append(out, s)
	}
	return out
}

func TestFolderIsKnownByItsPath(t *testing.T) {
	s := mustOpen(t, Paths{Root: "demo", FS: tree(map[string]string{
		"demo/docs/doc_a.md": "# A\ntext", "demo/docs/b.txt": "text",
		"demo/questions.jsonl": `{"id":"q1","question":"Which?","answerable":true,"reference_answer":"A","category":"direct_fact","difficulty":"easy","answer_type":"fact","expected_keywords":["A"],"relevant_doc_ids":["doc_a"],"required_tools":["calculator"],"routing_hint":"lexical","evidence":[{"doc_id":"doc_a","quote":"text"},{"doc_id":"doc_a","start":2,"end":4}],"needs_review":true}
{"question_id":"q2","text":"None?","answerable":false}
`,
		"demo/qrels.jsonl": `{"question_id":"q1","doc_id":"doc_a","relevance":3}
{"query-id":"q1","corpus-id":"doc_b","score":"0"}
{"query_id":"q2","corpus_id":"doc_a"}
`,
	})})
	if s.Layout != "folder" || s.DocsPath != "demo/docs" || s.QuestionsPath != "demo/questions.jsonl" || s.QrelsPath != "demo/qrels.jsonl" {
		t.Errorf("found %+v", s)
	}
	ds, _ := docs(t, s)
	if len(ds) != 2 || ds[1].ID != "doc_a" {
		t.Errorf("documents = %v", ds)
	}
	qs, rs, _ := questions(t, s)
	want := []rag.Question{
		{
			ID: "q1", Text: "Which?", Answerable: true, Reference: "A", Category: "direct_fact", Difficulty: "easy",
			AnswerType: "fact", Keywords: []string{"A"}, Relevant: []string{"doc_a"}, Tools: []string{"calculator"},
			RoutingHint: "lexical", Metadata: map[string]string{"needs_review": "true"},
			Evidence: []rag.Evidence{{DocID: "doc_a", Start: -1, End: -1, Quote: "text"}, {DocID: "doc_a", Start: 2, End: 4}},
		},
		{ID: "q2", Text: "None?"},
	}
	if diff := cmp.Diff(want, qs); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]rag.Qrel{{QuestionID: "q1", DocID: "doc_a", Grade: 3}, {QuestionID: "q1", DocID: "doc_b"}, {QuestionID: "q2", DocID: "doc_a", Grade: 1}}, rs); diff != "" {
		t.Errorf("qrels (-want +got):\n%s", diff)
	}
}

// beir is a small folder in BEIR's layout.
func beir() map[string]string {
	return map[string]string{
		"b/corpus.jsonl":   `{"_id":"7","title":"T","text":"seven","metadata":{}}` + "\n" + `{"_id":"007","title":"","text":"","metadata":{"url":"<x>"}}` + "\n",
		"b/queries.jsonl":  `{"_id":"1","text":"first","answers":["a","b"]}` + "\n" + `{"_id":"2","text":"second"}` + "\n" + `{"_id":"3","text":"third"}` + "\n",
		"b/qrels/test.tsv": "query-id\tcorpus-id\tscore\r\n1\t7\t2\r\n",
		"b/qrels/dev.tsv":  "query-id\tcorpus-id\tscore\n2\t007\t1\n3\t7\t0\n",
		"b/qrels/old.txt":  "1 0 007 1\n",
	}
}

func TestBEIRIsKnownByItsPath(t *testing.T) {
	fsys := tree(beir())
	s := mustOpen(t, Paths{Root: "b", FS: fsys})
	if s.Layout != "beir" || s.QrelsPath != "b/qrels/test.tsv" {
		t.Errorf("found %+v", s)
	}
	ds, warns := docs(t, s)
	if len(ds) != 2 || ds[0].ID != "7" || ds[1].ID != "007" {
		t.Errorf("documents = %v", ds)
	}
	if diff := cmp.Diff([]string{"empty_document 007"}, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	qs, rs, _ := questions(t, s)
	if len(qs) != 3 || !qs[1].Answerable || qs[0].Reference != "a" || qs[0].Metadata["answers"] != `["a","b"]` {
		t.Errorf("questions = %+v", qs)
	}
	if diff := cmp.Diff([]rag.Qrel{{QuestionID: "1", DocID: "7", Grade: 2}}, rs); diff != "" {
		t.Errorf("qrels (-want +got):\n%s", diff)
	}
	qs, rs, _ = questions(t, mustOpen(t, Paths{Root: "b", Split: "dev", OnlyJudged: true, FS: fsys}))
	if len(qs) != 2 || qs[0].ID != "2" || len(rs) != 2 {
		t.Errorf("judged of dev: questions %v, qrels %v", qs, rs)
	}
	_, rs, _ = questions(t, mustOpen(t, Paths{Root: "b", Qrels: "qrels/old.txt", FS: fsys}))
	if diff := cmp.Diff([]rag.Qrel{{QuestionID: "1", DocID: "007", Grade: 1}}, rs); diff != "" {
		t.Errorf("qrels by path (-want +got):\n%s", diff)
	}
}

func TestOpenErrors(t *testing.T) {
	fsys := tree(beir())
	fsys["empty/readme.md"] = &fstest.MapFile{}
	for _, tt := range []struct {
		p    Paths
		want string
	}{
		{Paths{FS: fsys}, "no path of documents"},
		{Paths{Root: "empty", FS: fsys}, "open dataset empty: it holds neither docs nor corpus.jsonl"},
		{Paths{Root: "b", Split: "train", FS: fsys}, `no split "train": qrels has dev, test`},
		{Paths{Root: "b", Qrels: "qrels/none.tsv", FS: fsys}, "open qrels"},
		{Paths{Root: "b/corpus.jsonl", FS: fsys}, "it is not a folder"},
		{Paths{Root: "absent"}, "no such file"},
	} {
		if _, err := Open(tt.p); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Open(%+v) = %v, want it to hold %q", tt.p.Root, err, tt.want)
		}
	}
}

func TestBadRowsAreNamed(t *testing.T) {
	for _, tt := range []struct{ file, body, want string }{
		{"questions.jsonl", `{"id":"1","question":"a"}` + "\n" + `{"id":1,"question":"b"}`, `questions.jsonl:2: question id "1" is that of line 1 too`},
		{"questions.jsonl", `{"question":"a"}`, "questions.jsonl:1: a question has no id"},
		{"questions.jsonl", `{"id":"1","answerable":"maybe"}`, `answerable must be true or false, got "maybe"`},
		{"questions.jsonl", `{"id":"1","evidence":[{"doc_id":"d"}]}`, "evidence in d has neither a quote nor a span"},
		{"questions.jsonl", `{"id":"1","evidence":[{"doc_id":"d","start":5,"end":2}]}`, "spans [5, 2)"},
		{"questions.jsonl", `{"id":"1","evidence":[{"quote":"d"}]}`, "evidence names no document"},
		{"qrels.jsonl", `{"question_id":"1","doc_id":"d","relevance":0.5}`, "relevance must be a whole number, got 0.5"},
		{"qrels.jsonl", `{"question_id":"1"}`, "qrels.jsonl:1: a label names no question or no document"},
		{"qrels.jsonl", `{"question_id":"1","doc_id":"d","relevance":1}` + "\n" + `{"question_id":"1","doc_id":"d","relevance":2}`, "have grade 2, but 1 in line 1"},
		{"qrels.jsonl", "1 0 d 1\n1 0 d\n1 0", "qrels.jsonl:2: the grade must be a whole number, got d"},
		{"qrels.jsonl", "1 0", "2 columns, want 3"},
	} {
		s := mustOpen(t, Paths{Root: "r", FS: tree(map[string]string{"r/docs/a.txt": "a", "r/" + tt.file: tt.body})})
		if _, _, _, err := s.Questions(context.Background()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want it to hold %q", tt.body, err, tt.want)
		}
	}
}

func TestTablesOfLabels(t *testing.T) {
	want := []rag.Qrel{{QuestionID: "q 1", DocID: "d 1", Grade: 2}, {QuestionID: "2", DocID: "007", Grade: -1}}
	noSpace := []rag.Qrel{{QuestionID: "1", DocID: "d1", Grade: 2}, {QuestionID: "2", DocID: "007", Grade: -1}}
	for name, tt := range map[string]struct {
		body string
		want []rag.Qrel
	}{
		"BEIR":                {"query-id\tcorpus-id\tscore\nq 1\td 1\t2\n2\t007\t-1\n", want},
		"BEIR, CR LF, mark":   {"\ufeffquery-id\tcorpus-id\tscore\r\nq 1\td 1\t2.0\r\n\r\n2\t007\t-1", want},
		"columns in disorder": {"score\tcorpus-id\tquery-id\n2\td 1\tq 1\n-1\t007\t2\n", want},
		"no header":           {"1 d1 2\n2 007 -1\n", noSpace},
		"TREC":                {"# topic iteration document relevance\n1 0 d1 2\n\n2 Q0 007 -1\n", noSpace},
		"TREC, tabs":          {"1\t0\td1\t2\r\n2\t0\t007\t-1\r\n", noSpace},
		"TREC, tabs and more": {"1 0\td1  2\n2\t\t0\t007\t-1\n", noSpace},
	} {
		set := qrelSet{name: "q"}
		if _, err := set.readTable(context.Background(), strings.NewReader(tt.body)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, set.qrels); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	set := qrelSet{name: "q"}
	if _, err := set.readTable(context.Background(), strings.NewReader("1 0 d 1\n1 0 d 1\n")); err != nil || len(set.qrels) != 1 || len(set.repeated) != 1 {
		t.Errorf("the same label twice: %v, %v, %v", set.qrels, set.repeated, err)
	}
}

func TestValidate(t *testing.T) {
	has := func(id string) bool { return id == "a" || id == "b" }
	qs := []rag.Question{
		{ID: "1", Answerable: true, Relevant: []string{"a", "gone"}},
		{ID: "2", Answerable: true, Relevant: []string{"b"}},
		{ID: "3", Answerable: false},
		{ID: "4", Answerable: true, Evidence: []rag.Evidence{{DocID: "lost"}}},
	}
	for _, id := range []string{"u1", "u2", "u3", "u4", "u5", "u6"} {
		qs = append(qs, rag.Question{ID: id, Answerable: true})
	}
	warns, err := Validate(has, qs, []rag.Qrel{{QuestionID: "2", DocID: "a", Grade: 1}, {QuestionID: "9", DocID: "a", Grade: 1}, {QuestionID: "9", DocID: "c", Grade: 1}, {QuestionID: "4", DocID: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"missing_document gone", "missing_document lost", "missing_document c", "unknown_question 9", "unjudged_relevant b",
		"unlabelled_question 4", "unlabelled_question u1", "unlabelled_question u2", "unlabelled_question u3", "unlabelled_question u4",
		"unlabelled_question and 2 more",
	}
	if diff := cmp.Diff(want, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	warns, err = Validate(has, []rag.Question{{ID: "1", Answerable: true}}, nil)
	if diff := cmp.Diff([]string{"label_free"}, brief(warns)); diff != "" || err != nil {
		t.Errorf("no labels: error %v (-want +got):\n%s", err, diff)
	}
	if _, err := Validate(has, []rag.Question{{ID: "1"}, {ID: "1"}}, nil); err == nil {
		t.Error("a repeated question id is accepted")
	}
}

func TestImportBEIR(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(in, tree(beir())); err != nil {
		t.Fatal(err)
	}
	p := Paths{Root: filepath.Join(in, "b")}
	done, err := ImportBEIR(context.Background(), p, out)
	if err != nil {
		t.Fatal(err)
	}
	if done.Documents != 2 || done.Questions != 3 || done.Qrels != 1 {
		t.Errorf("imported %+v", done)
	}
	for name, want := range map[string]string{
		"docs/corpus.jsonl": `{"id":"7","title":"T","text":"seven"}` + "\n" + `{"id":"007","title":"","text":"","metadata":{"url":"<x>"}}` + "\n",
		"questions.jsonl":   `{"id":"1","question":"first","answerable":true,"reference_answer":"a","answers":["a","b"]}` + "\n" + `{"id":"2","question":"second","answerable":true}` + "\n" + `{"id":"3","question":"third","answerable":true}` + "\n",
		"qrels.jsonl":       `{"question_id":"1","doc_id":"7","relevance":2}` + "\n",
	} {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, err := ImportBEIR(context.Background(), p, out); err != nil {
		t.Errorf("importing the same again: %v", err)
	}
	p.Split = "dev"
	if _, err := ImportBEIR(context.Background(), p, out); err == nil || !strings.Contains(err.Error(), "qrels.jsonl exists and holds something else") {
		t.Errorf("importing another split over it: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".import-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	before, _, _ := questions(t, mustOpen(t, Paths{Root: p.Root}))
	after, _, _ := questions(t, mustOpen(t, Paths{Root: out}))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("questions before and after the import (-before +after):\n%s", diff)
	}
}

func TestQuestionRoundTrip(t *testing.T) {
	q := rag.Question{
		ID: "q<1>", Text: "Is A & B \u2028 so?", Answerable: true, Reference: "yes", Keywords: []string{"A"}, Relevant: []string{"d"},
		Tools: []string{"calculator"}, RoutingHint: "x", Category: "c", Difficulty: "hard", AnswerType: "t",
		Evidence: []rag.Evidence{{DocID: "d", Start: 0, End: 3, Quote: "abc"}, {DocID: "e", Start: -1, End: -1, Quote: "q"}},
		Metadata: map[string]string{"answers": `["yes","ja"]`, "note": "[not JSON", "n": "5"},
	}
	var b bytes.Buffer
	if err := WriteQuestion(&b, &q); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, Paths{Root: "r", FS: tree(map[string]string{"r/docs/a.txt": "a", "r/questions.jsonl": b.String()})})
	got, _, _ := questions(t, s)
	if diff := cmp.Diff([]rag.Question{q}, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}
