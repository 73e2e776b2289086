package ragtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ragbench/internal/chunk"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/systems"
)

// Build makes the system that entry describes, as an entry of systems in a configuration: a type, or a mapping such as
// {type: vector, retrieval: {diversity: mmr}}. Chunks are small, so that short documents have several.
func Build(t testing.TB, f *File, m *Models, entry string) rag.System {
	t.Helper()
	s := settings(t, entry)
	kind, err := systems.All.Find("system", s.Type)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := kind.New.New(systems.Env{
		DB: f.DB, Search: f.Search, Config: s, Chat: m.Chat, Embedder: m.Embedder, ContextK: s.ContextK, IngestWorkers: 3,
		Now: time.Now, SaveCalls: m.Save, EmbeddingCost: m.EmbeddingCost,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// settings reads an entry the way a configuration file is read.
func settings(t testing.TB, entry string) *config.System {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "run: {name: test}\nchunker: {type: word, chunk_size: 40, chunk_overlap: 8}\nsystems:\n  - " + entry + "\n"
	known := config.Known{
		Systems: config.Variants(systems.All), Chunkers: config.Variants(chunk.All), Providers: model.Providers.Names(),
	}
	c, err := config.Parse("test.yaml", []byte(text), known, config.Overrides{Dataset: dir, Mock: true})
	if err != nil {
		t.Fatal(err)
	}
	return &c.Systems[0]
}
