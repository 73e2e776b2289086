package archtest

import (
	"slices"
	"strings"
	"testing"
)

// everything lets a package import any other: the places where the families meet.
var everything = []string{"*"}

// mayImport says which packages of the module a package may import, test files apart. The arms cli → bench, score,
// report and cli → systems → components → store meet in cli alone; rag, which everything speaks, imports nothing.
var mayImport = map[string][]string{
	"cmd/ragbench": {"internal/cli"},
	"schema":       {},
	"queries":      {"internal/spec", "internal/sqlfile"},

	// Vocabulary.
	"internal/rag":         {},
	"internal/spec":        {},
	"internal/text":        {},
	"internal/text/tokens": {"internal/rag", "internal/spec", "internal/text"},
	"internal/vec":         {},

	// The file.
	"internal/guard":   {},
	"internal/sqlfile": {},
	"internal/sqlext":  {"internal/guard"},
	"internal/store":   {"schema", "internal/guard", "internal/rag", "internal/sqlext", "internal/sqlfile", "internal/vec"},

	// Components.
	"internal/demo": {},
	"internal/load": {
		"internal/load/blocks", "internal/load/charset", "internal/load/container", "internal/load/delimited", "internal/load/docx",
		"internal/load/htmltext", "internal/load/ignore", "internal/load/jsonl", "internal/load/odf", "internal/load/pdf",
		"internal/load/sheet", "internal/rag", "internal/spec", "internal/text",
	},
	"internal/load/blocks":    {},
	"internal/load/charset":   {},
	"internal/load/container": {},
	"internal/load/delimited": {},
	"internal/load/docx":      {"internal/load/blocks", "internal/load/container"},
	"internal/load/htmltext":  {"internal/load/blocks"},
	"internal/load/ignore":    {},
	"internal/load/jsonl":     {"internal/load/charset", "internal/rag"},
	"internal/load/odf":       {"internal/load/blocks", "internal/load/container"},
	"internal/load/pdf":       {"internal/spec"},
	"internal/load/sheet":     {"internal/load/container"},
	"internal/dataset":        {"internal/load", "internal/load/charset", "internal/load/jsonl", "internal/rag", "internal/spec", "internal/text"},
	"internal/chunk":          {"internal/rag", "internal/spec", "internal/text", "internal/text/tokens"},
	"internal/prompt":         {"internal/rag", "internal/text"},
	"internal/model":          {"internal/prompt", "internal/rag", "internal/spec", "internal/sqlfile", "internal/text", "internal/text/tokens"},
	"internal/index":          {"internal/rag", "internal/spec", "internal/sqlext", "internal/sqlfile", "internal/store", "internal/text", "internal/vec"},
	"internal/trace":          {"internal/rag"},
	"internal/rerank":         {"internal/prompt", "internal/rag", "internal/spec", "internal/text"},
	"internal/config":         {"internal/rag", "internal/spec"},

	// The architectures. Models and the trace's recorder arrive as interfaces of rag; a system knows no provider, no
	// score and no runner.
	"internal/systems": {
		"internal/chunk", "internal/config", "internal/index", "internal/prompt", "internal/rag", "internal/rerank", "internal/spec", "internal/sqlfile",
		"internal/store", "internal/text", "internal/text/tokens", "internal/trace", "internal/vec",
	},

	// The experiment. It takes a rag.System and does not know which.
	"internal/bench":  {"internal/rag", "internal/store", "internal/trace"},
	"internal/score":  {"internal/rag", "internal/spec", "internal/sqlfile", "internal/store", "internal/text"},
	"internal/stat":   {},
	"internal/judge":  {"internal/prompt", "internal/rag", "internal/score", "internal/spec", "internal/sqlfile", "internal/store", "internal/text"},
	"internal/trec":   {"internal/rag", "internal/spec", "internal/sqlfile", "internal/store", "internal/text"},
	"internal/report": {"queries", "internal/rag", "internal/spec", "internal/sqlfile", "internal/store", "internal/text"},

	"internal/cli": everything,

	// Tests only.
	"internal/score/scoretest":    {"schema", "internal/guard", "internal/store"},
	"internal/ragtest":            everything,
	"internal/ragtest/fakeserver": {},
	"internal/archtest":           {},
}

// TestImports holds the table against the imports of every package.
func TestImports(t *testing.T) {
	files, names := packages(t)
	for _, pkg := range names {
		allowed, ok := mayImport[pkg]
		if !ok {
			t.Errorf("package %s is not in the table mayImport: add it with what it may import", pkg)
			continue
		}
		for _, s := range files[pkg] {
			for _, p := range s.imports() {
				to, ours := strings.CutPrefix(p, module)
				if !ours || slices.Contains(allowed, to) || slices.Equal(allowed, everything) && to != "cmd/ragbench" {
					continue
				}
				t.Errorf("%s: package %s may not import %s: see the table mayImport", s.name, pkg, to)
			}
		}
	}
}

// TestTestPackagesStayInTests keeps conformance suites and fakes out of the program.
func TestTestPackagesStayInTests(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, p := range s.imports() {
			if to, ours := strings.CutPrefix(p, module); p == "testing" || strings.HasPrefix(p, "testing/") || ours && testOnly(to) {
				t.Errorf("%s imports %s, which is for tests", s.name, p)
			}
		}
	}
}

// outside says which packages may import a module from outside; tests may import any of them. What is not listed may be
// imported by nobody: a new dependency is a decision.
var outside = map[string][]string{
	"github.com/anthropics/anthropic-sdk-go":   {"internal/model"},
	"github.com/asg017/sqlite-vec-go-bindings": {"internal/sqlext"},
	"github.com/klippa-app/go-pdfium":          {"internal/load/pdf"},
	"github.com/mattn/go-sqlite3":              {"internal/sqlext", "internal/store"},
	"github.com/pkoukk/tiktoken-go-loader":     {"internal/text/tokens"},
	"github.com/rivo/uniseg":                   {"internal/report", "internal/text"},
	"github.com/sashabaranov/go-openai":        {"internal/model"},
	"github.com/spf13/cobra":                   {"internal/cli"},
	"github.com/tetratelabs/wazero":            {"internal/load/pdf"},
	"go.yaml.in/yaml/v3":                       {"internal/config"},
	"gonum.org/v1/gonum":                       {"internal/systems"},
	"golang.org/x/sync":                        {"internal/bench", "internal/model", "internal/systems"},
	"golang.org/x/term":                        {"internal/cli"},
	"golang.org/x/time":                        {"internal/model"},
	"github.com/yuin/goldmark":                 {"internal/chunk"},
	"golang.org/x/net":                         {"internal/load", "internal/load/container", "internal/load/htmltext"},
	"golang.org/x/text":                        {"internal/dataset", "internal/index", "internal/load", "internal/load/charset", "internal/load/jsonl", "internal/text"},

	// Tests only.
	"github.com/google/go-cmp":        nil,
	"github.com/pkoukk/tiktoken-go":   nil,
	"github.com/rogpeppe/go-internal": nil,
	"golang.org/x/tools":              nil,
}

// TestOutsideImports holds the table outside against every file.
func TestOutsideImports(t *testing.T) {
	for _, s := range sources(t) {
		for _, p := range s.imports() {
			first, _, _ := strings.Cut(p, "/")
			if !strings.Contains(first, ".") {
				continue // the standard library, and the module itself
			}
			mod := ""
			for m := range outside {
				if p == m || strings.HasPrefix(p, m+"/") {
					mod = m
				}
			}
			if mod == "" {
				t.Errorf("%s imports %s: see the table outside", s.name, p)
			} else if !s.test() && !slices.Contains(outside[mod], s.pkg) {
				t.Errorf("%s: package %s may not import %s: see the table outside", s.name, s.pkg, p)
			}
		}
	}
}
