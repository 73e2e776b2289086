package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNames refuses packages that are named after nothing.
func TestNames(t *testing.T) {
	_, names := packages(t)
	for _, pkg := range names {
		if base := path.Base(pkg); slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "manager", "misc", "base"}, base) {
			t.Errorf("package %s: name it after what it does", pkg)
		}
	}
}

// TestNoInit refuses init functions: tables are written down, not filled at start.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: func init: use an explicit table", s.where(f))
			}
		}
	}
}

// outer are the packages that talk to the process they run in.
var outer = []string{"cmd/ragbench", "internal/cli"}

// processCalls are the functions, by import path, that only outer may call: below it the clock, the environment, the
// streams and the seed are given. An empty list forbids the package altogether.
var processCalls = map[string][]string{
	"fmt":          {"Print", "Println", "Printf"},
	"os":           {"Exit", "Args", "Getenv", "LookupEnv", "Environ", "Stdin", "Stdout", "Stderr", "Chdir"},
	"time":         {"Now", "Since", "Until"},
	"log":          {},
	"math/rand":    {},
	"math/rand/v2": {},
}

// processExceptions are the calls that stand, each with its reason.
var processExceptions = map[string]string{
	"internal/index/lexical.go time.Now":   "build_ms of an analysis is a measurement and decides nothing",
	"internal/index/lexical.go time.Since": "the same",
	"internal/index/vectors.go time.Now":   "build_ms of a vector index is a measurement and decides nothing",
	"internal/index/vectors.go time.Since": "the same",
}

// TestProcess refuses calls that make a package depend on the process it runs in, and exceptions that nothing needs.
func TestProcess(t *testing.T) {
	needed := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() || slices.Contains(outer, s.pkg) {
			continue
		}
		for name, use := range processUses(s) {
			key := s.name + " " + name
			if _, ok := processExceptions[key]; ok {
				needed[key] = true
				continue
			}
			t.Errorf("%s: %s: only %s may use it; pass it in", s.where(use), name, strings.Join(outer, " and "))
		}
	}
	for key := range processExceptions {
		if !needed[key] {
			t.Errorf("the exception %q is needed by nothing", key)
		}
	}
}

// processUses finds the forbidden names of a file with one place each.
func processUses(s *source) map[string]ast.Node {
	found := map[string]ast.Node{}
	local := map[string]string{}
	for _, i := range s.file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		names, watched := processCalls[p]
		if !watched {
			continue
		}
		if len(names) == 0 {
			found[p] = i
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		local[name] = p
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
				found[id.Name] = n
			}
		}
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && slices.Contains(processCalls[local[id.Name]], sel.Sel.Name) {
				found[local[id.Name]+"."+sel.Sel.Name] = n
			}
		}
		return true
	})
	return found
}

// openers are the files that must hold SQL in Go: they run before any file of statements can.
var openers = []string{"internal/store/store.go", "internal/store/migrate.go"}

var sqlText = regexp.MustCompile(`(?s)\bSELECT\b.+\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\b.+\bSET\b|\bDELETE\s+FROM\b`)

// TestNoSQLInGo keeps SQL in files, where it is compiled by a test and can be read and run by itself. Lines that show a
// command are no SQL.
func TestNoSQLInGo(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || slices.Contains(openers, s.name) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok {
				return true
			}
			var lines []string
			for _, l := range strings.Split(lit.Value, "\n") {
				if !strings.HasPrefix(strings.TrimSpace(l), "ragbench ") {
					lines = append(lines, l)
				}
			}
			if sqlText.MatchString(strings.Join(lines, "\n")) {
				t.Errorf("%s: SQL in a Go string: put it in a .sql file", s.where(lit))
			}
			return true
		})
	}
}
