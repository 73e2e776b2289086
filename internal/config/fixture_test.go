package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ragbench/internal/spec"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// options makes documented options of "name" or "name=default".
func options(list ...string) []spec.Option {
	var out []spec.Option
	for _, s := range list {
		name, def, _ := strings.Cut(s, "=")
		out = append(out, spec.Option{Name: name, Default: def, Doc: name + "."})
	}
	return out
}

// known is a small world of names, shaped like the real tables.
func known() Known {
	lexical := options("chunker", "top_k", "models.generator", "retrieval.formula=fts5", "retrieval.k1", "retrieval.b",
		"retrieval.stop_words=none", "retrieval.tokenizer=unicode61")
	dense := options("chunker", "top_k", "models.generator", "models.embedding", "retrieval.vector_store=exact",
		"retrieval.diversity=none", "retrieval.mmr_lambda=0.5", "retrieval.mmr_candidates=20")
	fused := append(append(options("retrieval.bm25_top_k=20", "retrieval.vector_top_k=20", "retrieval.bm25_weight=1.0",
		"retrieval.vector_weight=1.0", "retrieval.rrf_k=60", "retrieval.multi_query=false", "retrieval.max_query_variants=4"),
		lexical...), dense[3:]...)
	return Known{
		Systems: []Variant{
			{Name: "no_retrieval", Options: options("models.generator")},
			{Name: "full_context", Options: options("top_k", "models.generator", "retrieval.context_token_budget=100000")},
			{Name: "bm25", Options: lexical},
			{Name: "vector", Options: dense},
			{Name: "hybrid", Options: fused},
			{Name: "agent", Options: options("models.generator", "models.planner", "tools=[]", "max_steps=6",
				"llm_features.enable_plan=true", "retrieval.max_cost_usd=0.05", "chunker.parent_chunk_size=1000")},
		},
		Chunkers: []Variant{
			{Name: "token", Options: options("chunk_size=500", "chunk_overlap=80")},
			{Name: "word", Options: options("chunk_size=500", "chunk_overlap=80")},
			{Name: "fixed_char", Options: options("chunker.chunk_size=1200", "chunker.chunk_overlap=150")},
			{Name: "semantic", Options: options("chunk_size=500", "breakpoint_percentile=90.0")},
			{Name: "document"},
		},
		Providers: []string{"openai", "openai_compatible", "anthropic", "local", "mock"},
	}
}

// golden runs get on the config.yaml of each archive testdata/DIR/*.txtar, in a folder that holds the archive's other
// files, and compares what it returns with the section want.
func golden(t *testing.T, dir string, get func(file string, data []byte) string) {
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("testdata/%s: got %d archives, %v", dir, len(paths), err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			var data, want []byte
			at := -1
			for i, f := range archive.Files {
				switch f.Name {
				case "config.yaml":
					data = f.Data
				case "want":
					want, at = f.Data, i
				default:
					writeFile(t, f.Name, f.Data)
				}
			}
			got := get("config.yaml", data) + "\n"
			if *update {
				if at < 0 {
					archive.Files = append(archive.Files, txtar.File{Name: "want"})
					at = len(archive.Files) - 1
				}
				archive.Files[at].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// writeFile writes a file and the folders it is in.
func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
