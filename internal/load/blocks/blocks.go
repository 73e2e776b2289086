// Package blocks builds the text of a document that came with a layout: blocks stand apart by blank lines, and
// headings, list items and rows of tables are written as Markdown writes them.
package blocks

import (
	"strings"
	"unicode/utf8"
)

// Builder takes words and the ends of blocks in reading order. The zero value is ready.
type Builder struct {
	out     strings.Builder
	started bool   // the current block has text
	heading bool   // the current block is a heading: of one line
	space   bool   // a space is due before the next word
	gap     int    // line ends due before the next block
	prefix  string // what the next block starts with
}

// Text adds words to the block. Runs of white space, no-break spaces among them, become one space; soft hyphens go.
func (b *Builder) Text(s string) {
	for s != "" {
		r, w := utf8.DecodeRuneInString(s)
		if isSpace(r) {
			b.space = true
			s = s[w:]
			continue
		}
		end := strings.IndexFunc(s, isSpace)
		if end < 0 {
			end = len(s)
		}
		word := s[:end]
		if strings.Contains(word, "\u00ad") {
			word = strings.ReplaceAll(word, "\u00ad", "")
		}
		if word != "" {
			b.write(word)
		}
		s = s[end:]
	}
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v' || r == '\u00a0'
}

// Verbatim adds text whose white space counts, such as code.
func (b *Builder) Verbatim(s string) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\u00a0", " ")
	if !b.started {
		s = strings.TrimLeft(s, "\n")
	}
	if s != "" {
		b.write(s)
	}
}

func (b *Builder) write(s string) {
	switch {
	case !b.started:
		if b.out.Len() > 0 {
			b.out.WriteString("\n\n"[:max(b.gap, 1)])
		}
		b.out.WriteString(b.prefix)
		b.prefix, b.started, b.gap = "", true, 0
	case b.space:
		b.out.WriteByte(' ')
	}
	b.space = false
	b.out.WriteString(s)
}

// Para ends the block; a blank line comes before the next one.
func (b *Builder) Para() { b.end(2) }

// Line ends the block; the next one starts on the next line.
func (b *Builder) Line() { b.end(1) }

func (b *Builder) end(gap int) {
	b.started, b.space, b.heading = false, false, false
	b.gap = max(b.gap, gap)
}

// Break is a line break within a block; two in a row make a blank line.
func (b *Builder) Break() {
	switch {
	case b.heading:
		b.space = true
	case b.started:
		b.end(1)
	case b.gap == 1:
		b.gap = 2
	}
}

// Heading starts a heading of level 1 to 6. It ends with EndPrefixed.
func (b *Builder) Heading(level int) {
	b.Para()
	b.prefix = strings.Repeat("#", min(max(level, 1), 6)) + " "
	b.heading = true
}

// Item starts a list item, such as "-" at depth 0. It ends with EndPrefixed.
func (b *Builder) Item(depth int, marker string) {
	b.Line()
	b.prefix = strings.Repeat("  ", min(max(depth, 0), 20)) + marker + " "
}

// EndPrefixed ends a heading or an item. One without text leaves no trace.
func (b *Builder) EndPrefixed() {
	if b.heading {
		b.Para()
	} else {
		b.Line()
	}
	b.prefix = ""
}

// mostInCell is the length of a cell, in bytes, up to which it is put on the line of its row.
const mostInCell = 400

// Row adds a row of a table as "a | b". Where a cell is long, or holds a table, the cells become blocks one after the
// other: such a table is there for the layout.
func (b *Builder) Row(cells []string) {
	flat := make([]string, len(cells))
	blank, long := true, false
	for i, c := range cells {
		flat[i] = strings.Join(strings.Fields(c), " ")
		blank = blank && flat[i] == ""
		long = long || strings.Contains(c, "\n") && (len(c) > mostInCell || strings.Contains(c, " | "))
	}
	switch {
	case blank:
	case long:
		for _, c := range cells {
			b.Block(c)
		}
	default:
		b.Line()
		b.write(strings.TrimRight(strings.Join(flat, " | "), " "))
		b.Line()
	}
}

// Block adds a text that is laid out already as a block of its own.
func (b *Builder) Block(s string) {
	if s = strings.Trim(s, "\n"); s != "" {
		b.Para()
		b.write(s)
		b.Para()
	}
}

// Len is the number of bytes so far.
func (b *Builder) Len() int { return b.out.Len() }

// String returns the text, without white space at its end.
func (b *Builder) String() string { return strings.TrimRight(b.out.String(), " \n\t") }
