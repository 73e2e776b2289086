package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// root is the module.
var root = os.DirFS("../..")

// module is the prefix of its import paths.
const module = "ragbench/"

// source is one Go file of the module.
type source struct {
	name  string // from the root, with forward slashes
	pkg   string // folder from the root, which is the import path without the module
	lines int
	file  *ast.File
}

// test tells whether only tests see the file.
func (s *source) test() bool {
	return strings.HasSuffix(s.name, "_test.go") || testOnly(s.pkg)
}

// testOnly tells whether a package exists for tests: archtest, ragtest and what is below it, scoretest.
func testOnly(pkg string) bool {
	return strings.HasSuffix(pkg, "test") || strings.Contains(pkg, "test/")
}

// where is the place of a node, for messages.
func (s *source) where(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.name, positions.Position(n.Pos()).Line)
}

// imports lists the import paths of a file.
func (s *source) imports() []string {
	var list []string
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err) // the parser has read it
		}
		list = append(list, p)
	}
	return list
}

var positions = token.NewFileSet()

// tree parses every Go file of the module once.
var tree = sync.OnceValues(func() ([]*source, error) {
	var list []*source
	err := walk(".go", func(name string, text []byte) error {
		f, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		list = append(list, &source{name: name, pkg: path.Dir(name), lines: bytes.Count(text, []byte("\n")), file: f})
		return nil
	})
	return list, err
})

// walk calls f for every file of the module with an extension, in the order of their names. Folders that hold no
// source are passed over.
func walk(ext string, f func(name string, text []byte) error) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || base == "bin" || base != "." && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ext {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return f(name, text)
	})
}

// sources returns the Go files of the module.
func sources(t *testing.T) []*source {
	t.Helper()
	list, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 {
		t.Fatalf("got %d Go files, want the module's, more than 100", len(list))
	}
	return list
}

// packages returns the non-test files of each package by folder, and the folders in order.
func packages(t *testing.T) (map[string][]*source, []string) {
	t.Helper()
	m := map[string][]*source{}
	var names []string
	for _, s := range sources(t) {
		if strings.HasSuffix(s.name, "_test.go") {
			continue
		}
		if m[s.pkg] == nil {
			names = append(names, s.pkg)
		}
		m[s.pkg] = append(m[s.pkg], s)
	}
	slices.Sort(names)
	return m, names
}
