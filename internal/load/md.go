package load

import (
	"context"
	"regexp"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadMarkdown reads a Markdown file as one document. The text is the file with its markup and front matter, so that
// offsets can be checked against the file; only title and metadata are taken from it.
func loadMarkdown(_ context.Context, f *File, yield func(rag.Document) error) error {
	body, encoding, err := f.Text()
	if err != nil {
		return err
	}
	fields, rest := frontMatter(body)
	title := fields["title"]
	delete(fields, "title")
	if title == "" {
		title = firstHeading(rest)
	}
	if title == "" {
		title = titleOf(f.Path)
	}
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: title, Text: body, Encoding: encoding, Metadata: fields})
}

var field = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):\s+(\S.*)$`)

// frontMatter returns the fields of a block between --- lines at the start of s, and what follows it. Only fields of
// one line with a plain or quoted value are read; lists and nested values stay in the text. A block that does not end
// is text.
func frontMatter(s string) (map[string]string, string) {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return nil, s
	}
	var fields map[string]string
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t")
		rest = after
		if line == "---" || line == "..." {
			return fields, rest
		}
		m := field.FindStringSubmatch(line)
		if m == nil || strings.ContainsAny(m[2][:1], "[{|>&*!#") {
			continue
		}
		if fields == nil {
			fields = map[string]string{}
		}
		fields[m[1]] = unquote(strings.TrimSpace(m[2]))
	}
	return nil, s
}

// unquote strips one pair of equal quotes.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// firstHeading returns the text of the first heading of level 1 outside code fences (CommonMark 0.31, sections 4.2, 4.3
// and 4.5), or "".
func firstHeading(s string) string {
	fence, before := "", ""
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		body := strings.TrimLeft(line, " ")
		if len(line)-len(body) > 3 { // indented code, or the continuation of a paragraph
			before = ""
			continue
		}
		mark := fenceMark(body)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == body {
				fence = ""
			}
			before = ""
			continue
		case mark != "":
			fence, before = mark, ""
			continue
		case body == "#":
		case strings.HasPrefix(body, "# "), strings.HasPrefix(body, "#\t"):
			if title := closedHeading(body[1:]); title != "" {
				return title
			}
		case before != "" && strings.Trim(body, "=") == "" && body != "":
			return before
		}
		before = ""
		if body != "" && !strings.HasPrefix(body, "#") {
			before = body
		}
	}
	return ""
}

// fenceMark returns the run of at least three backticks or tildes that line starts with.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// closedHeading trims a heading's text and the #s that may close it.
func closedHeading(s string) string {
	s = strings.TrimSpace(s)
	if t := strings.TrimRight(s, "#"); t != s && (t == "" || strings.HasSuffix(t, " ") || strings.HasSuffix(t, "\t")) {
		s = strings.TrimSpace(t)
	}
	return s
}
