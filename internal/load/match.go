package load

import (
	"fmt"
	"regexp"
	"strings"
)

// matcher decides which paths the patterns of Options let through. A pattern is a glob: * and ? stop at a slash, **
// does not, [a-z] is a set. A pattern without a slash matches a name at any depth; one that matches a folder covers
// what is in it.
type matcher struct {
	include, exclude []*regexp.Regexp
}

func newMatcher(o Options) (m matcher, err error) {
	if m.include, err = globs(o.Include); err != nil {
		return m, fmt.Errorf("include: %w", err)
	}
	if m.exclude, err = globs(o.Exclude); err != nil {
		return m, fmt.Errorf("exclude: %w", err)
	}
	return m, nil
}

func (m matcher) wants(path string) bool {
	return (len(m.include) == 0 || anyMatch(m.include, path)) && !anyMatch(m.exclude, path)
}

func anyMatch(res []*regexp.Regexp, path string) bool {
	for _, re := range res {
		if re.MatchString(path) {
			return true
		}
	}
	return false
}

func globs(patterns []string) (res []*regexp.Regexp, err error) {
	for _, p := range patterns {
		re, err := glob(p)
		if err != nil {
			return nil, err
		}
		res = append(res, re)
	}
	return res, nil
}

// glob compiles one pattern. The result also matches any path below a match.
func glob(pattern string) (*regexp.Regexp, error) {
	p := strings.Trim(pattern, "/")
	if p == "" {
		return nil, fmt.Errorf("pattern %q is empty", pattern)
	}
	var b strings.Builder
	b.WriteString("^")
	if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		b.WriteString("(?:.*/)?")
	}
	for i := 0; i < len(p); {
		switch {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 3
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(".*")
			i += 2
		case p[i] == '*':
			b.WriteString("[^/]*")
			i++
		case p[i] == '?':
			b.WriteString("[^/]")
			i++
		case p[i] == '[':
			end := strings.IndexByte(p[i:], ']')
			if end < 2 {
				return nil, fmt.Errorf("pattern %q has a [ without its ]", pattern)
			}
			b.WriteString(strings.Replace(p[i:i+end+1], "[!", "[^", 1))
			i += end + 1
		default:
			next := i + 1
			for next < len(p) && !strings.ContainsRune("*?[", rune(p[next])) {
				next++
			}
			b.WriteString(regexp.QuoteMeta(p[i:next]))
			i = next
		}
	}
	b.WriteString("(?:/.*)?$")
	re, err := regexp.Compile("(?s)" + b.String())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re, nil
}
