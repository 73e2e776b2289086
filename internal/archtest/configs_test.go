package archtest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"ragbench/internal/chunk"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/systems"
)

// TestConfigsLoad reads every file of configs/ with the tables of the program, from a folder that has the data they name.
func TestConfigsLoad(t *testing.T) {
	known := config.Known{
		Systems: config.Variants(systems.All), Chunkers: config.Variants(chunk.All), Providers: model.Providers.Names(),
	}
	names, err := fs.Glob(root, "configs/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("configs: got %d files, %v", len(names), err)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		if texts[name], err = fs.ReadFile(root, name); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "main")
	for _, name := range []string{
		"demo/questions.jsonl", "../shared/data/scifact/corpus.jsonl", "../shared/data/cacm/qrels/anserini.tsv",
		"../shared/data/cranfield/corpus.jsonl", "../shared/data/chunking-eval/corpus.jsonl",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for name, text := range texts {
		t.Run(path.Base(name), func(t *testing.T) {
			c, err := config.Parse(name, text, known, config.Overrides{})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range c.Ignored {
				t.Errorf("%s:%d: %s", name, i.Line, i)
			}
		})
	}
}
