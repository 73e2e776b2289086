// Package ignore reads lists of files to pass over in the grammar of gitignore(5).
package ignore

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// rule is one pattern of a list.
type rule struct {
	re      *regexp.Regexp // of the path below the list's folder
	dirOnly bool
	again   bool // a pattern after "!": the path is wanted again
}

// List is one file of patterns. It speaks of the paths below its folder.
type List struct {
	folder string // "" is the root
	rules  []rule
}

// Read reads a list that lies in folder, a path with forward slashes ("" or "." for the root).
func Read(r io.Reader, folder string) (*List, error) {
	if folder == "." {
		folder = ""
	}
	l := &List{folder: folder}
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		ru, ok, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if ok {
			l.rules = append(l.rules, ru)
		}
	}
	return l, in.Err()
}

// parse reads one line; ok is false for one that holds no pattern.
func parse(line string) (ru rule, ok bool, err error) {
	p := trimEnd(strings.TrimSuffix(line, "\r"))
	if p == "" || p[0] == '#' {
		return ru, false, nil
	}
	if p[0] == '!' {
		ru.again, p = true, p[1:]
	}
	if strings.HasSuffix(p, "/") {
		ru.dirOnly, p = true, strings.TrimSuffix(p, "/")
	}
	anchored := strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return ru, false, nil
	}
	expr := translate(p)
	if !anchored {
		expr = "(?:.*/)?" + expr
	}
	ru.re, err = regexp.Compile("(?s)^" + expr + "$")
	if err != nil {
		return ru, false, fmt.Errorf("pattern %q: %w", line, err)
	}
	return ru, true, nil
}

// trimEnd takes off trailing spaces that no backslash holds.
func trimEnd(s string) string {
	for strings.HasSuffix(s, " ") {
		body := strings.TrimSuffix(s, " ")
		if n := len(body) - len(strings.TrimRight(body, `\`)); n%2 == 1 {
			return s
		}
		s = body
	}
	return s
}

// translate writes a pattern as a regular expression.
func translate(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); {
		atStart := i == 0 || p[i-1] == '/'
		switch c := p[i]; {
		case atStart && strings.HasPrefix(p[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 3
		case atStart && p[i:] == "**":
			b.WriteString(".*")
			i += 2
		case c == '*':
			for i < len(p) && p[i] == '*' {
				i++
			}
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
			i++
		case c == '[':
			set, n := class(p[i:])
			b.WriteString(set)
			i += n
		case c == '\\' && i+1 < len(p):
			next := i + 1 + len(firstRune(p[i+1:]))
			b.WriteString(regexp.QuoteMeta(p[i+1 : next]))
			i = next
		default:
			r := firstRune(p[i:])
			b.WriteString(regexp.QuoteMeta(r))
			i += len(r)
		}
	}
	return b.String()
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// class translates a set such as [a-z] or [!0-9] and returns its length. A bracket that is not closed matches nothing,
// as it does for git.
func class(p string) (expr string, n int) {
	i := 1
	var b strings.Builder
	b.WriteByte('[')
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		b.WriteString("^/")
		i++
	}
	for first := true; i < len(p); first = false {
		switch c := p[i]; {
		case c == ']' && !first:
			b.WriteByte(']')
			return b.String(), i + 1
		case strings.HasPrefix(p[i:], "[:") && strings.Contains(p[i+2:], ":]"):
			end := i + 2 + strings.Index(p[i+2:], ":]") + 2
			b.WriteString(p[i:end])
			i = end
		case c == '\\' && i+1 < len(p):
			r := firstRune(p[i+1:])
			b.WriteString(regexp.QuoteMeta(r))
			i += 1 + len(r)
		case c == '-':
			b.WriteByte('-')
			i++
		default:
			r := firstRune(p[i:])
			b.WriteString(`\x{` + fmt.Sprintf("%x", []rune(r)[0]) + `}`)
			i += len(r)
		}
	}
	return `[^\x{0}-\x{10ffff}]`, len(p)
}

// Lists are the lists that apply in a folder, from the root downwards.
type Lists []*List

// Match reports whether a path is to be passed over: what the last pattern that fits says, a list nearer to the file
// before one further up. A folder that is passed over is not to be entered, so nothing in it can be wanted again.
func (ls Lists) Match(p string, dir bool) bool {
	p = path.Clean(p)
	for i := len(ls) - 1; i >= 0; i-- {
		rel, ok := below(p, ls[i].folder)
		if !ok {
			continue
		}
		for j := len(ls[i].rules) - 1; j >= 0; j-- {
			ru := ls[i].rules[j]
			if ru.dirOnly && !dir {
				continue
			}
			if ru.re.MatchString(rel) {
				return !ru.again
			}
		}
	}
	return false
}

// below is p as seen from folder.
func below(p, folder string) (string, bool) {
	if folder == "" {
		return p, true
	}
	return strings.CutPrefix(p, folder+"/")
}
