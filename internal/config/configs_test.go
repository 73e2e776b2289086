package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestConfigsLoad loads every file of configs/ from the root of a repository that has the data they name.
func TestConfigsLoad(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml"))
	if err != nil || len(paths) < 6 {
		t.Fatalf("configs: got %d files, %v", len(paths), err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(t.TempDir(), "main")
	for _, path := range []string{
		"demo/questions.jsonl",
		"../shared/data/scifact/corpus.jsonl",
		"../shared/data/cacm/qrels/anserini.tsv",
		"../shared/data/cranfield/corpus.jsonl",
	} {
		writeFile(t, filepath.Join(root, path), nil)
	}
	t.Chdir(root)
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("configs", name)
			writeFile(t, path, data)
			c, err := Load(path, known(), Overrides{})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Ignored) > 0 {
				t.Errorf("got ignored keys %v, want none", c.Ignored)
			}
			if c.Text != string(data) {
				t.Errorf("got text %q, want the file's", c.Text)
			}
		})
	}
}
