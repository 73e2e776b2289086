package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/rag"
)

// BenchmarkWalk reports MB/s of file content for a JSON lines file and for a folder of text files.
func BenchmarkWalk(b *testing.B) {
	text := strings.Repeat("The relevance of a passage is judged by its reader. ", 20)
	var rows strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, "{\"_id\":\"%d\",\"title\":\"t\",\"text\":%q}\n", i, text)
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "corpus.jsonl")
	if err := os.WriteFile(file, []byte(rows.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	folder := filepath.Join(dir, "docs")
	if err := os.Mkdir(folder, 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 500 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("doc_%d.md", i)), []byte("# Title\n\n"+strings.Repeat(text, 10)), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for name, root := range map[string]string{"jsonl": file, "folder": folder} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				if _, err := Walk(context.Background(), root, Options{}, func(d rag.Document) error {
					n += len(d.Text)
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(n))
		})
	}
}
