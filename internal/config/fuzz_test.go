package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// FuzzParse holds that no text makes Parse panic, that what it refuses comes with at least one problem, and that what
// it lets through is sound.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.txtar", "../../configs/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: got %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
			for _, file := range txtar.Parse(data).Files {
				if file.Name == "config.yaml" {
					f.Add(file.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("x.yaml", data, known(), Overrides{Dataset: "."})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) == 0 || err.Error() == "" {
				t.Fatalf("got %#v, want an *Error with problems", err)
			}
			return
		}
		check(t, c)
	})
}

// check holds what is true of every configuration.
func check(t *testing.T, c *Config) {
	e := c.Evaluation
	if !slices.IsSorted(e.KValues) || !slices.Contains(e.KValues, e.PrimaryK) || e.RetrievalDepth < max(slices.Max(e.KValues), e.ContextK) || e.ContextK < 1 {
		t.Errorf("got cut-offs %+v", e)
	}
	if c.Run.MaxWorkers < 1 || c.Run.SystemWorkers < 1 || c.Run.IngestWorkers < 1 || c.Run.Name == "" {
		t.Errorf("got run %+v", c.Run)
	}
	seen := map[string]bool{}
	for _, s := range c.Systems {
		if s.Name == "" || seen[s.Name] || s.ContextK < 1 || s.Depth < s.ContextK || !json.Valid(s.Canonical()) {
			t.Errorf("got system %+v", s)
		}
		seen[s.Name] = true
		if s.Chunker.ChunkSize > 0 && s.Chunker.ChunkOverlap >= s.Chunker.ChunkSize {
			t.Errorf("got chunker %+v", s.Chunker)
		}
	}
	if len(c.Systems) == 0 {
		t.Error("got no systems")
	}
}
