package ragtest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"ragbench/internal/demo"
	"ragbench/internal/load"
	"ragbench/internal/rag"
)

// hostile is where the corpus is, from the folder of any package of internal, which is where its tests run.
var hostile = filepath.Join("..", "ragtest", "testdata", "hostile")

// Hostile returns documents that break careless code: no text, other scripts, other encodings, control characters,
// copies, long lines, ids that are the same number to whoever reads them as numbers.
func Hostile(t testing.TB) []rag.Document {
	t.Helper()
	var docs []rag.Document
	_, err := load.Walk(context.Background(), hostile, load.Options{OnError: "skip"}, func(d rag.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) < 20 {
		t.Fatalf("got %d hostile documents, want at least 20", len(docs))
	}
	return docs
}

// Demo returns the bundled dataset: its documents, and its questions without labels.
func Demo(t testing.TB) ([]rag.Document, []rag.Question) {
	t.Helper()
	var docs []rag.Document
	_, err := load.WalkFS(context.Background(), demo.FS, "docs", load.Options{}, func(d rag.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := demo.FS.Open("questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var questions []rag.Question
	for _, r := range records(t, f) {
		questions = append(questions, rag.Question{ID: r.ID, Text: r.Question, Category: r.Category, Answerable: true})
	}
	return docs, questions
}

// Shared returns the documents and questions of a folder of the shared data, and skips the test where that is absent.
func Shared(t testing.TB, name string) ([]rag.Document, []rag.Question) {
	t.Helper()
	read := func(file string) []record {
		f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name, file))
		if err != nil {
			t.Skipf("the shared data is not here: %v", err)
		}
		defer f.Close()
		return records(t, f)
	}
	var docs []rag.Document
	for _, r := range read("corpus.jsonl") {
		docs = append(docs, rag.Document{ID: r.BeirID, Title: r.Title, Text: r.Text})
	}
	var questions []rag.Question
	for _, r := range read("queries.jsonl") {
		questions = append(questions, rag.Question{ID: r.BeirID, Text: r.Text, Answerable: true})
	}
	return docs, questions
}

// record is a line of the files read here.
type record struct {
	ID       string `json:"id"`
	BeirID   string `json:"_id"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	Question string `json:"question"`
	Category string `json:"category"`
}

func records(t testing.TB, r io.Reader) []record {
	t.Helper()
	var list []record
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var rec record
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		list = append(list, rec)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
