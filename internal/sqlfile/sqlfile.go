// Package sqlfile reads SQL files: named statements under "-- name:" lines (the grammar of sqlc), and analysis files of
// one statement with a summary line and "-- param:" lines. SQL stays in files, where it can be read, run and compared.
package sqlfile

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Statement is one named statement.
type Statement struct {
	Name string
	Kind string // one, many, exec or script: how the caller runs it
	Doc  string // the comment lines between the header and the SQL
	SQL  string // without the header and without a trailing semicolon
	File string
	Line int // line of the header, from 1
}

// Set holds the statements of a file by name.
type Set map[string]Statement

var header = regexp.MustCompile(`^-- name: ([A-Za-z_][A-Za-z0-9_]*) :(one|many|exec|script)\s*$`)

// Parse reads the named statements of a file. Lines before the first header are the file's own comment. A malformed
// header, a repeated name and an empty statement are errors that name the line.
func Parse(fsys fs.FS, file string) (Set, error) {
	b, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("read SQL: %w", err)
	}
	set := Set{}
	var cur *Statement
	var body []string
	finish := func() error {
		if cur == nil {
			return nil
		}
		doc, sql := splitDoc(body)
		cur.Doc, cur.SQL = doc, strings.TrimSuffix(sql, ";")
		if cur.SQL == "" {
			return fmt.Errorf("%s:%d: %s: empty statement", file, cur.Line, cur.Name)
		}
		set[cur.Name] = *cur
		return nil
	}
	for i, line := range strings.Split(string(b), "\n") {
		if !strings.HasPrefix(line, "-- name:") {
			body = append(body, line)
			continue
		}
		m := header.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: want \"-- name: identifier :one|many|exec|script\", got %q", file, i+1, line)
		}
		if err := finish(); err != nil {
			return nil, err
		}
		if _, dup := set[m[1]]; dup {
			return nil, fmt.Errorf("%s:%d: statement %s appears twice", file, i+1, m[1])
		}
		cur, body = &Statement{Name: m[1], Kind: m[2], File: file, Line: i + 1}, nil
	}
	if err := finish(); err != nil {
		return nil, err
	}
	return set, nil
}

// Load parses a file and checks that it holds exactly the statements want, so that SQL and Go cannot drift apart.
func Load(fsys fs.FS, file string, want ...string) (Set, error) {
	set, err := Parse(fsys, file)
	if err != nil {
		return nil, err
	}
	for _, name := range want {
		if _, ok := set[name]; !ok {
			return nil, fmt.Errorf("%s: statement %s is missing", file, name)
		}
	}
	for name, st := range set {
		if !slices.Contains(want, name) {
			return nil, fmt.Errorf("%s:%d: statement %s is used by nothing", file, st.Line, name)
		}
	}
	return set, nil
}

// MustLoad is Load for embedded files, whose faults are programming errors; it panics.
func MustLoad(fsys fs.FS, file string, want ...string) Set {
	set, err := Load(fsys, file, want...)
	if err != nil {
		panic(err)
	}
	return set
}

// SQL returns the text of a statement; an unknown name is a programming error and panics.
func (s Set) SQL(name string) string {
	st, ok := s[name]
	if !ok {
		panic("sqlfile: no statement " + name)
	}
	return st.SQL
}

// splitDoc separates the leading comment lines from the statement.
func splitDoc(lines []string) (doc, sql string) {
	i := 0
	var docs []string
	for i < len(lines) && (strings.HasPrefix(lines[i], "--") || strings.TrimSpace(lines[i]) == "") {
		if t := strings.TrimSpace(strings.TrimPrefix(lines[i], "--")); t != "" {
			docs = append(docs, t)
		}
		i++
	}
	return strings.Join(docs, " "), strings.TrimSpace(strings.Join(lines[i:], "\n"))
}
