package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problem is one thing wrong in a file. Line and Column count from 1; Line 0 means that no line is to blame.
type Problem struct {
	Line, Column int
	Message      string
}

// Error holds every problem of a file, sorted by line. There is at least one.
type Error struct {
	File     string
	Problems []Problem
}

// Error has one line a problem, each as file:line: message.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		if p.Line == 0 {
			lines[i] = fmt.Sprintf("%s: %s", e.File, p.Message)
		} else {
			lines[i] = fmt.Sprintf("%s:%d: %s", e.File, p.Line, p.Message)
		}
	}
	return strings.Join(lines, "\n")
}

// Ignored is a key that was read, kept and has no effect.
type Ignored struct {
	Line   int
	Key    string // dotted path in the file
	Reason string // why, as the end of a sentence
}

// String returns the warning to show for i, without the file's name.
func (i Ignored) String() string {
	return fmt.Sprintf("line %d: %s is ignored: %s", i.Line, i.Key, i.Reason)
}

// reader collects what is to be said about the nodes it reads.
type reader struct {
	problems []Problem
	ignored  []Ignored
	merged   int // mappings read because another merges them
}

// fail records a problem at n, which may be nil.
func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	p := Problem{Message: fmt.Sprintf(format, args...)}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	r.problems = append(r.problems, p)
}

// ignore records that key, at n, has no effect.
func (r *reader) ignore(n *yaml.Node, key, reason string) {
	r.ignored = append(r.ignored, Ignored{Line: n.Line, Key: key, Reason: reason})
}

// err returns all problems as one error, or nil. A problem of a shared section is found once for each system that uses
// the section and is reported once.
func (r *reader) err(file string) error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return &Error{File: file, Problems: slices.Compact(r.problems)}
}
