package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// question is one line of questions.jsonl.
type question struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answerable bool     `json:"answerable"`
	Reference  *string  `json:"reference_answer"`
	Category   string   `json:"category"`
	Difficulty string   `json:"difficulty"`
	AnswerType string   `json:"answer_type"`
	Keywords   []string `json:"expected_keywords"`
	Relevant   []string `json:"relevant_doc_ids"`
	Tools      []string `json:"required_tools"`
	Hint       string   `json:"routing_hint"`
	Evidence   []struct {
		Doc   string `json:"doc_id"`
		Quote string `json:"quote"`
	} `json:"evidence"`
}

// reference returns the reference answer, empty when there is none.
func (q question) reference() string {
	if q.Reference == nil {
		return ""
	}
	return *q.Reference
}

// qrel is one line of qrels.jsonl.
type qrel struct {
	Question  string `json:"question_id"`
	Doc       string `json:"doc_id"`
	Relevance int    `json:"relevance"`
}

// document is one file below docs.
type document struct {
	file string
	text string
}

var docID = regexp.MustCompile(`^doc_[A-Za-z0-9_-]+$`)

// readDocs returns the documents by identifier.
func readDocs(t *testing.T) map[string]document {
	t.Helper()
	entries, err := fs.ReadDir(FS, "docs")
	if err != nil {
		t.Fatal(err)
	}
	docs := make(map[string]document)
	for _, e := range entries {
		text, err := fs.ReadFile(FS, "docs/"+e.Name())
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		if !docID.MatchString(id) {
			t.Errorf("%s: the stem is not a document identifier", e.Name())
		}
		if _, ok := docs[id]; ok {
			t.Errorf("%s: identifier %s is taken", e.Name(), id)
		}
		docs[id] = document{file: e.Name(), text: string(text)}
	}
	return docs
}

// readLines decodes a file of one JSON object a line; unknown fields are errors.
func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	raw, err := fs.ReadFile(FS, name)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for i, line := range bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s line %d: %v", name, i+1, err)
		}
		out = append(out, v)
	}
	return out
}

func readQuestions(t *testing.T) []question { return readLines[question](t, "questions.jsonl") }

func readQrels(t *testing.T) []qrel { return readLines[qrel](t, "qrels.jsonl") }

// TestReadmeCounts keeps the counts of data/README.md true.
func TestReadmeCounts(t *testing.T) {
	readme, err := fs.ReadFile(FS, "README.md")
	if err != nil {
		t.Fatal(err)
	}
	unanswerable := 0
	questions := readQuestions(t)
	for _, q := range questions {
		if !q.Answerable {
			unanswerable++
		}
	}
	for _, want := range []string{
		fmt.Sprintf("%d documents", len(readDocs(t))),
		fmt.Sprintf("%d questions", len(questions)),
		fmt.Sprintf("%d of them without an answer", unanswerable),
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

func TestWriteCopiesTheDataset(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "demo")
	for _, pass := range []string{"into an absent folder", "over the same files"} {
		if err := Write(dir); err != nil {
			t.Fatalf("write %s: %v", pass, err)
		}
	}
	n := 0
	for _, part := range parts {
		err := fs.WalkDir(FS, part, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			n++
			same, err := compare(dir, name)
			if err != nil || !same {
				t.Errorf("%s: got same=%v, error %v, want an equal copy", name, same, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := len(readDocs(t)) + 2; n != want {
		t.Errorf("got %d files, want %d", n, want)
	}
}

func TestWriteRefusesOtherContent(t *testing.T) {
	dir := t.TempDir()
	theirs := filepath.Join(dir, "questions.jsonl")
	if err := os.WriteFile(theirs, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Write(dir)
	if !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), theirs) {
		t.Fatalf("got error %v, want ErrDiffers with %s", err, theirs)
	}
	if got, _ := os.ReadFile(theirs); string(got) != "{}\n" {
		t.Errorf("got %q, want the file untouched", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "docs")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got docs (stat error %v), want nothing written", err)
	}
}

func TestWriteFillsGaps(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(dir, "docs", "doc_wifi_note.md")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir); err != nil {
		t.Fatal(err)
	}
	if same, err := compare(dir, "docs/doc_wifi_note.md"); err != nil || !same {
		t.Errorf("got same=%v, error %v, want the missing file restored", same, err)
	}
}
