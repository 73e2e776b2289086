package sqlfile

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Query is an analysis: one statement in a file of its own, named after the file.
type Query struct {
	Name    string
	Summary string // the first comment line
	Params  []Param
	SQL     string // the whole file, so that it can be pasted into sqlite3
}

// Param is one ":name" of a query.
type Param struct {
	Name    string
	Default string // text as typed; the word null means NULL
	Doc     string
}

var (
	paramLine = regexp.MustCompile(`^-- param: ([a-z_][a-z0-9_]*) (\S+) (.+)$`)
	placement = regexp.MustCompile(`[^:a-zA-Z0-9_]:([a-z_][a-z0-9_]*)`)
	literal   = regexp.MustCompile(`'(?:[^']|'')*'|--[^\n]*`)
)

// ParseQuery reads one analysis file. Its first line is a comment that says in a sentence what it answers; the lines
// "-- param: NAME DEFAULT MEANING" declare every ":name" it uses. A second statement is refused.
func ParseQuery(fsys fs.FS, file string) (Query, error) {
	b, err := fs.ReadFile(fsys, file)
	if err != nil {
		return Query{}, fmt.Errorf("read query: %w", err)
	}
	text := strings.TrimSpace(string(b))
	q := Query{Name: strings.TrimSuffix(path.Base(file), ".sql"), SQL: text}
	lines := strings.Split(text, "\n")
	if !strings.HasPrefix(lines[0], "-- ") {
		return q, fmt.Errorf("%s:1: the first line must be a comment that sums the query up", file)
	}
	q.Summary = strings.TrimPrefix(lines[0], "-- ")
	declared := map[string]bool{}
	for i, line := range lines {
		if !strings.HasPrefix(line, "-- param:") {
			continue
		}
		m := paramLine.FindStringSubmatch(line)
		if m == nil {
			return q, fmt.Errorf("%s:%d: want \"-- param: name default meaning\", got %q", file, i+1, line)
		}
		q.Params = append(q.Params, Param{Name: m[1], Default: m[2], Doc: m[3]})
		declared[m[1]] = true
	}
	code := Code(text)
	if i := strings.IndexByte(code, ';'); i >= 0 && strings.TrimSpace(code[i+1:]) != "" {
		return q, fmt.Errorf("%s: holds more than one statement", file)
	}
	used := map[string]bool{}
	for _, m := range placement.FindAllStringSubmatch(code, -1) {
		used[m[1]] = true
		if !declared[m[1]] {
			return q, fmt.Errorf("%s: parameter :%s is not declared by a \"-- param:\" line", file, m[1])
		}
	}
	for _, p := range q.Params {
		if !used[p.Name] {
			return q, fmt.Errorf("%s: parameter %s is declared and not used", file, p.Name)
		}
	}
	return q, nil
}

// Code returns SQL without its string literals and line comments: what is left is what SQLite acts on.
func Code(text string) string { return literal.ReplaceAllString(text, "") }
