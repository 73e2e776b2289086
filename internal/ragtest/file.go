package ragtest

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/index"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// keep leaves the files of tests behind.
var keep = flag.Bool("keep", false, "leave the database files of tests behind and print where they are")

// File is an open file with its searcher. It lasts as long as its test.
type File struct {
	DB     *store.DB
	Search *index.Set
	path   string
}

// Open makes a migrated file in a folder of the test's own. With -keep the file stays, for a look with sqlite3.
func Open(t testing.TB) *File {
	t.Helper()
	dir := t.TempDir()
	if *keep {
		var err error
		if dir, err = os.MkdirTemp("", "ragtest-"); err != nil {
			t.Fatal(err)
		}
	}
	f := &File{path: filepath.Join(dir, "test #1.db")}
	if *keep {
		t.Logf("%s keeps %s", t.Name(), f.path)
	}
	f.open(t)
	t.Cleanup(func() {
		if err := f.close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *File) open(t testing.TB) {
	t.Helper()
	var err error
	if f.DB, err = store.Open(context.Background(), f.path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	if f.Search, err = index.Open(f.DB); err != nil {
		t.Fatal(err)
	}
}

func (f *File) close() error { return errors.Join(f.Search.Close(), f.DB.Close()) }

// Reopen closes the file and opens it again. The .db alone must hold everything: a log left beside it is a failure.
func (f *File) Reopen(t testing.TB) {
	t.Helper()
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-journal", "-shm"} {
		if _, err := os.Stat(f.path + suffix); err == nil {
			t.Errorf("the closed file left %s behind", filepath.Base(f.path)+suffix)
		}
	}
	f.open(t)
}

// Corpus stores documents and questions as a dataset and returns the corpus, and the questions as stored.
func (f *File) Corpus(t testing.TB, docs []rag.Document, questions []rag.Question) (rag.Corpus, []rag.Question) {
	t.Helper()
	ctx := context.Background()
	rep, err := f.DB.PutDataset(ctx, store.DatasetInput{
		Name:   strings.ReplaceAll(t.Name(), "/", " "),
		Source: "a test",
		Documents: func(yield func(rag.Document) error) error {
			for _, d := range docs {
				if err := yield(d); err != nil {
					return err
				}
			}
			return nil
		},
		Questions: func(map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
			return questions, nil, nil, nil
		},
		Now: "2026-01-01T00:00:00Z",
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Search.Forget() // the dataset may replace one of its name, whose indexes go and whose ids come again
	ds, err := f.DB.Dataset(ctx, rep.DatasetID)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := f.DB.Questions(ctx, ds.ID)
	if err != nil {
		t.Fatal(err)
	}
	return ds.Corpus(), stored
}
