package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryKeyIsDocumented finds each key that the reader knows in docs/configuration.md.
func TestEveryKeyIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`\{key: "([a-z_]+)", (hide)?`)
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range key.FindAllStringSubmatch(string(source), -1) {
			found++
			if !strings.Contains(string(page), "`"+m[1]+"`") {
				t.Errorf("%s: key %s is not in docs/configuration.md", name, m[1])
			}
		}
	}
	if found < 50 {
		t.Errorf("found %d keys in the source, want at least 50: does the pattern still fit?", found)
	}
}
