package chunk

import "bytes"

// deepest is how many block quotes and lists may be nested. Text has a few; what has a million is not text, and the
// parser's time grows with depth.
const deepest = 32

// readable returns a copy of s, byte for byte in place, that the Markdown parser reads as it should: CR alone ends lines
// like LF, front matter is blank, and nesting has an end. front is the length of the front matter.
func readable(s string) (source []byte, front int) {
	source = []byte(s)
	for i, c := range source {
		if c == '\r' && (i+1 == len(source) || source[i+1] != '\n') {
			source[i] = '\n'
		}
	}
	front = frontMatter(source)
	for i, c := range source[:front] {
		if c != '\n' && c != '\r' {
			source[i] = ' '
		}
	}
	for line := range bytes.Lines(source[front:]) {
		flatten(line)
	}
	return source, front
}

// frontMatter returns the length of the block of metadata between lines of --- or +++ that s begins with, or 0.
func frontMatter(s []byte) int {
	var fence []byte
	at := 0
	for line := range bytes.Lines(s) {
		at += len(line)
		bare := bytes.TrimRight(line, " \t\r\n")
		switch {
		case fence == nil:
			if string(bare) != "---" && string(bare) != "+++" {
				return 0
			}
			fence = bare
		case bytes.Equal(bare, fence) || fence[0] == '-' && string(bare) == "...":
			return at
		}
	}
	return 0
}

// flatten overwrites the marks of quotes and lists at the start of a line, and its indentation, beyond the deepest
// nesting allowed, and so turns the rest of the line into plain text.
func flatten(line []byte) {
	depth := 0
	for i, c := range line {
		next := byte('\n')
		if i+1 < len(line) {
			next = line[i+1]
		}
		spaced := next == ' ' || next == '\t'
		switch {
		case c == '>', spaced && (c == '-' || c == '*' || c == '+' || c == '.' || c == ')'):
			depth++
		case c == ' ' && i < 4*deepest, '0' <= c && c <= '9', c == '.', c == ')':
		case c == ' ' || c == '\t':
			if i >= 4*deepest {
				line[i] = 'x'
			}
		default:
			return
		}
		if depth > deepest && line[i] != ' ' && line[i] != '\t' {
			line[i] = 'x'
		}
	}
}
