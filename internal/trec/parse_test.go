package trec

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

func TestParseRun(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"spaces", "q1 Q0 d1 1 3 tag\nq1 Q0 d2 2 2 tag\nq2 Q0 d1 1 -1e-3 tag\n"},
		{"tabs", "q1\tQ0\td1\t1\t3\ttag\nq1\tQ0\td2\t2\t2\ttag\nq2\tQ0\td1\t1\t-1e-3\ttag"},
		{"crlf", "q1 Q0 d1 1 3 tag\r\nq1 Q0 d2 2 2 tag\r\nq2 Q0 d1 1 -1e-3 tag\r\n"},
		{"comments and blank lines", "# a comment\n\nq1 Q0 d1 1 3 tag\n  \nq1 Q0 d2 2 2 tag\n  # another\nq2 Q0 d1 1 -1e-3 tag\n"},
		{"byte order mark", "\ufeffq1 Q0 d1 1 3 tag\nq1 Q0 d2 2 2 tag\nq2 Q0 d1 1 -1e-3 tag\n"},
		{"header", "query iter doc rank score tag\nq1 Q0 d1 1 3 tag\nq1 Q0 d2 2 2 tag\nq2 Q0 d1 1 -1e-3 tag\n"},
		{"ranks that lie", "q1 Q0 d2 1 2 tag\nq1 Q0 d1 2 3 tag\nq2 Q0 d1 7 -1e-3 tag\n"},
		{"queries mixed, words after the tag", "q1 Q0 d2 1 2 tag x\nq2 Q0 d1 1 -1e-3 tag y z\nq1 Q0 d1 2 3 tag\n"},
	} {
		run, err := ParseRun(strings.NewReader(tt.text), "x.run")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := map[string][]string{}
		for _, q := range run.Queries {
			for _, d := range q.Docs {
				got[q.QueryID] = append(got[q.QueryID], d.ID)
			}
		}
		if diff := cmp.Diff(map[string][]string{"q1": {"d1", "d2"}, "q2": {"d1"}}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if run.Tag != "tag" {
			t.Errorf("%s: got tag %q, want \"tag\"", tt.name, run.Tag)
		}
	}
}

// TestTies has scores that are equal, and equal as float32 only: the first tie by document id, descending bytewise.
func TestTies(t *testing.T) {
	run, err := ParseRun(strings.NewReader("q Q0 a 1 1.0 t\nq Q0 B 2 1 t\nq Q0 b 3 1e0 t\nq Q0 ä 4 1 t\nq Q0 low 5 0.99999999999 t\nq Q0 d10 6 0.5 t\nq Q0 d9 7 0.5 t\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range run.Queries[0].Docs {
		got = append(got, d.ID)
	}
	if diff := cmp.Diff([]string{"ä", "b", "a", "B", "low", "d9", "d10"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestParseRunErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"columns", "q1 Q0 d1 1 3 tag\nq1 Q0 d2 2\n", "x.run:2: want \"qid Q0 docid rank score tag\", got 4 columns"},
		{"score", "q1 Q0 d1 1 3 tag\nq1 Q0 d2 2 high tag\n", "x.run:2: score \"high\" is not a number"},
		{"header further down", "q1 Q0 d1 1 3 tag\nquery iter doc rank score tag\n", "x.run:2: score \"score\" is not a number"},
		{"nan", "q1 Q0 d1 1 NaN tag\n", "x.run:1: score \"NaN\" is not finite"},
		{"infinite", "q1 Q0 d1 1 -inf tag\n", "x.run:1: score \"-inf\" is not finite"},
		{"overflow", "q1 Q0 d1 1 1e999 tag\n", "x.run:1: score \"1e999\" is not finite"},
		{"duplicate", "# c\nq1 Q0 d1 1 3 tag\nq2 Q0 d1 1 3 tag\nq1 Q0 d1 2 2 tag\n", "x.run:4: document d1 comes twice for query q1, first in line 2"},
		{"empty", "# nothing\n\n", "x.run: no ranking in the file"},
		{"long line", "q1 Q0 d1 1 3 tag\n" + strings.Repeat("x", maxLine+1), "x.run:2: the line is longer than"},
		{"broken gzip", "\x1f\x8bnot gzip", "x.run: gzip"},
	} {
		if _, err := ParseRun(strings.NewReader(tt.text), "x.run"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestParseQrels(t *testing.T) {
	want := []rag.Qrel{{QuestionID: "q1", DocID: "d1", Grade: 2}, {QuestionID: "q1", DocID: "d2", Grade: 0}, {QuestionID: "q2", DocID: "d1", Grade: -1}}
	for _, tt := range []struct{ name, text string }{
		{"trec", "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1\n"},
		{"tabs, crlf, comment", "# judged\r\nq1\t0\td1\t2\r\nq1\t0\td2\t0\r\n\r\nq2\tQ0\td1\t-1\r\n"},
		{"beir", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t-1\n"},
		{"whole numbers as floats", "q1 0 d1 2.0\nq1 0 d2 0\nq2 0 d1 -1.0\n"},
	} {
		got, err := ParseQrels(strings.NewReader(tt.text), "x.qrels")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	for _, tt := range []struct{ name, text, want string }{
		{"columns", "q1 d1\n", "x.qrels:1: want \"qid 0 docid grade\", got 2 columns"},
		{"columns change", "q1 0 d1 1\nq1 d2 1\n", "x.qrels:2: want 4 columns as in the first line, got 3"},
		{"grade", "q1 0 d1 1\nq1 0 d2 yes\n", "x.qrels:2: grade \"yes\" is not a whole number"},
		{"half a grade", "q1 0 d1 1.5\n", "x.qrels:1: grade \"1.5\" is not a whole number"},
		{"duplicate", "q1 0 d1 1\nq1 0 d1 2\n", "x.qrels:2: document d1 is judged twice for query q1, first in line 1"},
	} {
		if _, err := ParseQrels(strings.NewReader(tt.text), "x.qrels"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestReadRunGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("q1 Q0 d1 1 3 tag\nq1 Q0 d2 2 x tag\n"))
	z.Close()
	path := filepath.Join(t.TempDir(), "a.run.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(path); err == nil || !strings.Contains(err.Error(), path+":2: score") {
		t.Errorf("got error %v, want one that names %s:2", err, path)
	}
	if _, err := ReadRun(path + ".absent"); err == nil {
		t.Error("got no error for an absent file")
	}
}

func FuzzParseRun(f *testing.F) {
	f.Add([]byte("q1 Q0 d1 1 3 tag\nq1 Q0 d2 2 2 tag\n"))
	f.Add([]byte("# c\r\n\r\nq\tQ0\td\t1\t-0x1p-2\tt"))
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := ParseRun(bytes.NewReader(text), "x")
		if err != nil {
			return
		}
		for _, q := range run.Queries {
			for i := 1; i < len(q.Docs); i++ {
				if byScore(q.Docs[i-1], q.Docs[i]) >= 0 {
					t.Errorf("query %s: got %v before %v", q.QueryID, q.Docs[i-1], q.Docs[i])
				}
			}
		}
	})
}
