package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// realFiles is the folder of files that other projects test their parsers with.
func realFiles(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "data", "loader-files")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the real files are not here: %v", err)
	}
	return root
}

// TestRealFiles reads the text files. A code page is a guess, and must say so.
func TestRealFiles(t *testing.T) {
	root := realFiles(t)
	docs, warns := collect(t, root, Options{Include: []string{"txt/", "md/", "rst/"}})
	bySource := map[string]rag.Document{}
	for _, d := range docs {
		bySource[d.Source] = d
		if !utf8.ValidString(d.Text) || strings.Contains(d.Text, "\x00") || len(d.Text) == 0 {
			t.Errorf("%s: text is empty or holds what it may not", d.Source)
		}
	}
	for source, want := range map[string]struct{ encoding, holds string }{
		"txt/unstructured__example-docs_fake-text-utf-16.txt":    {"utf-16le", "This is a test document"},
		"txt/unstructured__example-docs_fake-text-utf-16-le.txt": {"utf-16le", "This is a test document"},
		"txt/unstructured__example-docs_fake-text-utf-16-be.txt": {"utf-16be", "This is a test document"},
		"txt/unstructured__example-docs_fake-text-utf-32.txt":    {"utf-32le", "This is a test document"},
		"txt/charset_normalizer__data_sample-english.bom.txt":    {"utf-8", ""},
		"txt/charset_normalizer__data_sample-arabic.txt":         {"utf-8", "العربية"},
		"txt/charset_normalizer__data_sample-greek.txt":          {"windows-1253", "ελληνική"},
		"txt/charset_normalizer__data_sample-chinese.txt":        {"big5", "維基大典"},
		"md/unstructured__example-docs_umlauts-non-utf8.md":      {"windows-1252", "ä"},
		"md/unstructured__example-docs_umlauts-utf8.md":          {"utf-8", "ä"},
	} {
		d, ok := bySource[source]
		if !ok {
			t.Errorf("%s is missing", source)
			continue
		}
		if d.Encoding != want.encoding || !strings.Contains(d.Text, want.holds) {
			t.Errorf("%s in %s is %.200q; want %+v", source, d.Encoding, d.Text, want)
		}
	}
	warned := map[string]bool{}
	for _, w := range warns {
		warned[w.Subject] = true
	}
	for _, d := range docs {
		if !strings.HasPrefix(d.Encoding, "utf-") && !warned[d.Source] {
			t.Errorf("%s was read as %s without a warning", d.Source, d.Encoding)
		}
	}
}
