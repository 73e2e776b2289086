package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"ragbench/internal/sqlfile"
)

var placement = regexp.MustCompile(`[^:\w]:([a-z_]\w*)`)

// parameters adds the named parameters of a statement to a set.
func parameters(to map[string]bool, sql string) {
	for _, m := range placement.FindAllStringSubmatch(sqlfile.Code(sql), -1) {
		to[m[1]] = true
	}
}

// bound finds the names that a file binds: the first arguments of sql.Named and of functions called named.
func bound(s *source) map[string]ast.Node {
	found := map[string]ast.Node{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		lit, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		name, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); ok && x.Name == "sql" && f.Sel.Name == "Named" {
				found[name] = call
			}
		case *ast.Ident:
			if f.Name == "named" {
				found[name] = call
			}
		}
		return true
	})
	return found
}

// TestNoSurplusParameter refuses a name that Go binds and no statement of its package has. The driver binds what it
// finds and says nothing of the rest, so a slip of the pen would pass for NULL.
func TestNoSurplusParameter(t *testing.T) {
	known := map[string]map[string]bool{}
	for _, st := range statements(t) {
		pkg := path.Dir(st.file)
		if known[pkg] == nil {
			known[pkg] = map[string]bool{}
		}
		parameters(known[pkg], st.sql)
	}
	checked := 0
	for _, s := range sources(t) {
		if s.test() || slices.Contains(openers, s.name) {
			continue
		}
		for name, call := range bound(s) {
			if checked++; !known[s.pkg][name] {
				t.Errorf("%s: no statement of %s has a parameter :%s", s.where(call), s.pkg, name)
			}
		}
	}
	if checked < 50 {
		t.Errorf("got %d bound names, want the program's, more than 50", checked)
	}
}
