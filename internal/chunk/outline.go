package chunk

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	mdtext "github.com/yuin/goldmark/text"

	"ragbench/internal/text"
)

// outline is the block structure of a Markdown text (CommonMark with tables), in byte offsets of the text.
type outline struct {
	blocks   []block
	openings []opening
	headings []heading
}

// block is a block that is in no other: a section is made of whole ones.
type block struct {
	start int  // of its first line
	atom  bool // a fence, indented code, a table or front matter: not cut where it fits
}

// heading is a heading of a text.
type heading struct {
	start, end int // its lines, the last line end included
	level      int // 1 to 6
	title      string
	top        bool // in no other block: it opens a section
}

// opening is a block of a kind that a chunklet likes to begin with.
type opening struct {
	start      int // of its first line
	preference float64
}

// readOutline parses s.
func readOutline(s string) outline {
	source, front := readable(s)
	var o outline
	if front > 0 {
		o.blocks = append(o.blocks, block{start: 0, atom: true})
	}
	lines := lineStarts{s: source}
	// Without parsers for what is inside blocks, the text of blocks is left alone.
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(mdtext.NewReader(source))
	for n := root.FirstChild(); n != nil; n = following(n, root) {
		if n.Type() != ast.TypeBlock || n.Pos() < 0 {
			continue
		}
		start := lines.of(n.Pos())
		top := n.Parent() == root
		if top {
			o.blocks = append(o.blocks, block{start: start, atom: isAtom(source, n)})
		}
		if p := preference(n); p > 0 {
			o.openings = append(o.openings, opening{start, p})
		}
		if h, ok := n.(*ast.Heading); ok {
			o.headings = append(o.headings, heading{
				start: start, end: headingEnd(source, h), level: h.Level, title: headingTitle(source, h), top: top,
			})
		}
	}
	return o
}

// following is the node after n in reading order, or nil after the last below root.
func following(n, root ast.Node) ast.Node {
	if c := n.FirstChild(); c != nil {
		return c
	}
	for ; n != root; n = n.Parent() {
		if next := n.NextSibling(); next != nil {
			return next
		}
	}
	return nil
}

// isAtom reports whether a block is not to be cut: code, or a paragraph that holds a table. Tables are found here, since
// the parser's extension makes as many cells as rows times columns, written or not.
func isAtom(source []byte, n ast.Node) bool {
	switch n.Kind() {
	case ast.KindFencedCodeBlock, ast.KindCodeBlock:
		return true
	case ast.KindParagraph:
		lines := n.Lines()
		for i := 1; i < lines.Len(); i++ {
			row, above := lines.At(i), lines.At(i-1)
			if isDelimiterRow(row.Value(source)) && bytes.IndexByte(above.Value(source), '|') >= 0 {
				return true
			}
		}
	}
	return false
}

// isDelimiterRow reports whether a line is one like |---|:-:|, which is under the head of a table.
func isDelimiterRow(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.IndexByte(line, '|') >= 0 && bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, "|:- \t")) == 0
}

// preference is how much a chunklet likes to begin with n (RAGLite, markdown_chunklet_boundaries).
func preference(n ast.Node) float64 {
	switch n.Kind() {
	case ast.KindHeading:
		return 1
	case ast.KindBlockquote:
		return 0.75
	case ast.KindParagraph, ast.KindTextBlock:
		return 0.5
	case ast.KindList:
		return 0.25
	}
	return 0
}

// headingEnd is the end of the last line of h: of the line under it where it is underlined.
func headingEnd(source []byte, h *ast.Heading) int {
	at := h.Pos()
	if lines := h.Lines(); lines.Len() > 0 {
		at = max(at, lines.At(lines.Len()-1).Stop-1)
	}
	end := nextLine(source, at)
	if source[h.Pos()] != '#' {
		end = nextLine(source, end)
	}
	return end
}

// nextLine is the start of the line after the one that at is on, or the end of the text.
func nextLine(source []byte, at int) int {
	if at >= len(source) {
		return len(source)
	}
	if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(source)
}

// longestTitle is in code points: a title is put before every chunk under it.
const longestTitle = 200

// headingTitle is the text of h in one line.
func headingTitle(source []byte, h *ast.Heading) string {
	return text.Truncate(string(h.Lines().Value(source)), longestTitle)
}

// lineStarts finds the start of the line of ascending offsets, reading the text once.
type lineStarts struct {
	s         []byte
	at, start int
}

func (l *lineStarts) of(off int) int {
	if off < l.at {
		l.at, l.start = 0, 0
	}
	if i := bytes.LastIndexByte(l.s[l.at:off], '\n'); i >= 0 {
		l.start = l.at + i + 1
	}
	l.at = off
	return l.start
}
