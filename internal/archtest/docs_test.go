package archtest

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestPackageComments wants one comment a package that says what it is.
func TestPackageComments(t *testing.T) {
	files, names := packages(t)
	for _, pkg := range names {
		var comments int
		for _, s := range files[pkg] {
			if s.file.Doc == nil {
				continue
			}
			comments++
			want := "Package " + s.file.Name.Name + " "
			if s.file.Name.Name == "main" {
				want = "Command "
			}
			if got := s.file.Doc.Text(); !strings.HasPrefix(got, want) {
				t.Errorf("%s: the package comment starts with %q, want %q", s.name, firstWords(got), want)
			}
		}
		if comments != 1 {
			t.Errorf("package %s has %d package comments, want 1", pkg, comments)
		}
	}
}

// TestExportedNamesAreDocumented wants a comment on every exported name that starts with the name. The names of a
// parenthesised group may share one. Methods count when their type is exported.
func TestExportedNamesAreDocumented(t *testing.T) {
	files, names := packages(t)
	for _, pkg := range names {
		for _, s := range files[pkg] {
			for _, d := range s.file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if exportedFunc(d) {
						documented(t, s, d.Name, d.Doc)
					}
				case *ast.GenDecl:
					documentedGroup(t, s, d)
				}
			}
		}
	}
}

func exportedFunc(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return d.Name.IsExported()
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported() && d.Name.IsExported()
		default:
			return false
		}
	}
}

// documentedGroup looks at a declaration of types, constants or variables.
func documentedGroup(t *testing.T, s *source, d *ast.GenDecl) {
	t.Helper()
	group := d.Lparen.IsValid()
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !spec.Name.IsExported() {
				continue
			}
			if spec.Doc == nil && !group {
				spec.Doc = d.Doc
			}
			documented(t, s, spec.Name, spec.Doc)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				switch {
				case !name.IsExported() || group && (d.Doc != nil || spec.Comment != nil):
				case spec.Doc == nil && !group && d.Tok != token.IMPORT:
					documented(t, s, name, d.Doc)
				default:
					documented(t, s, name, spec.Doc)
				}
			}
		}
	}
}

// documented wants doc to start with the name.
func documented(t *testing.T, s *source, name *ast.Ident, doc *ast.CommentGroup) {
	t.Helper()
	if doc == nil {
		t.Errorf("%s: %s has no comment", s.where(name), name.Name)
		return
	}
	text := doc.Text()
	rest, ok := strings.CutPrefix(text, name.Name)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], " ,.:;'\n") {
		t.Errorf("%s: the comment of %s starts with %q, want its name", s.where(name), name.Name, firstWords(text))
	}
}

func firstWords(text string) string {
	return strings.Join(strings.Fields(text)[:min(4, len(strings.Fields(text)))], " ")
}
