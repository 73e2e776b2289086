package chunk

import (
	"context"
	"strings"
	"testing"

	"ragbench/internal/rag"
)

// BenchmarkCut reports MB/s of document text at the default sizes, token counts included, on English in lines, on
// Chinese, and on 20 MB in one line.
func BenchmarkCut(b *testing.B) {
	english := strings.Repeat("The relevance of a passage is judged by its reader, and not by the words it shares with a question.\n", 20_000)
	for _, tt := range []struct{ name, text string }{
		{"english", english},
		{"chinese", strings.Repeat("渡轮每天早上九点出发。狗可以免费乘船，但必须系上皮带。", 10_000)},
		{"one_line_20MB", strings.Repeat("high water at the north pier, hour by hour ", 20<<20/43)},
	} {
		for _, tokenizer := range []string{"o200k_base", "approx"} {
			for _, e := range All {
				b.Run(tt.name+"/"+tokenizer+"/"+e.Name, func(b *testing.B) {
					r, err := Parse(e.Name, map[string]any{"tokenizer": tokenizer})
					if err != nil {
						b.Fatal(err)
					}
					c, err := New(r, testModels)
					if err != nil {
						b.Fatal(err)
					}
					d := &rag.Document{ID: "d", Text: tt.text}
					b.SetBytes(int64(len(tt.text)))
					n := 0
					for b.Loop() {
						chunks, err := c.Cut(context.Background(), d)
						if err != nil {
							b.Fatal(err)
						}
						n += len(chunks)
					}
					b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "chunks/s")
				})
			}
		}
	}
}

// BenchmarkTokenOnTwoCores cuts two documents at a time, as ingestion does, against one pass of the tokenizer alone.
func BenchmarkTokenOnTwoCores(b *testing.B) {
	english := strings.Repeat("The relevance of a passage is judged by its reader, and not by the words it shares with a question.\n", 10_000)
	r, err := Parse("token", nil)
	if err != nil {
		b.Fatal(err)
	}
	c, err := New(r, Models{})
	if err != nil {
		b.Fatal(err)
	}
	for name, work := range map[string]func() error{
		"cut":      func() error { _, err := c.Cut(context.Background(), &rag.Document{ID: "d", Text: english}); return err },
		"tokenize": func() error { c.Tokenizer().Count(english); return nil },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(english)))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := work(); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
