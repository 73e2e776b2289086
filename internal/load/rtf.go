package load

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"ragbench/internal/load/blocks"
	"ragbench/internal/load/container"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadRTF reads a Rich Text file (specification 1.9.1).
func loadRTF(_ context.Context, f *File, yield func(rag.Document) error) error {
	b, err := f.Bytes()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(b), `{\rtf`) {
		return fmt.Errorf("%w: it does not begin as Rich Text does", container.ErrBroken)
	}
	r := rtf{in: string(b), page: "windows-1252", groups: []group{{skip: 1}}}
	r.read()
	return yield(f.packed(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(r.title.String()), Text: r.out.String()}, ""))
}

// group is what holds between two braces.
type group struct {
	quiet bool // nothing in it is shown
	title bool // it holds the title
	skip  int  // how many characters stand for one in Unicode
}

// rtf reads control words and characters.
type rtf struct {
	in     string
	at     int
	page   string // of characters given in bytes
	groups []group
	bytes  []byte   // characters not decoded yet
	units  []uint16 // UTF-16 units not decoded yet
	drop   int      // characters still to be passed over
	out    blocks.Builder
	title  strings.Builder
	cells  []string
	cell   *blocks.Builder
}

// quietGroups are destinations that hold no text of the document.
var quietGroups = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "listtable": true,
	"listoverridetable": true, "revtbl": true, "rsidtbl": true, "generator": true, "themedata": true, "datastore": true,
	"latentstyles": true, "xmlnstbl": true, "fldinst": true, "filetbl": true, "bkmkstart": true, "bkmkend": true, "annotation": true,
}

func (r *rtf) top() *group { return &r.groups[len(r.groups)-1] }

func (r *rtf) read() {
	for r.at < len(r.in) {
		c := r.in[r.at]
		r.at++
		switch c {
		case '{':
			r.flush()
			if len(r.groups) < 1<<16 {
				r.groups = append(r.groups, *r.top())
			}
		case '}':
			r.flush()
			if len(r.groups) > 1 {
				r.groups = r.groups[:len(r.groups)-1]
			}
		case '\\':
			r.control()
		case '\r', '\n':
		default:
			r.char(c)
		}
	}
	r.flush()
}

// control reads what follows a backslash.
func (r *rtf) control() {
	if r.at >= len(r.in) {
		return
	}
	c := r.in[r.at]
	if !letter7(c) {
		r.at++
		switch c {
		case '\'':
			if n, err := strconv.ParseUint(r.in[r.at:min(r.at+2, len(r.in))], 16, 8); err == nil {
				r.char(byte(n))
			}
			r.at = min(r.at+2, len(r.in))
		case '~':
			r.char(' ')
		case '_':
			r.char('-')
		case '*':
			r.top().quiet = true
		case '\r', '\n':
			r.word("par", 0, false)
		case '\\', '{', '}':
			r.char(c)
		}
		return
	}
	from := r.at
	for r.at < len(r.in) && letter7(r.in[r.at]) {
		r.at++
	}
	word, from := r.in[from:r.at], r.at
	if r.at < len(r.in) && r.in[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.in) && r.in[r.at] >= '0' && r.in[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(r.in[from:r.at])
	if r.at < len(r.in) && r.in[r.at] == ' ' {
		r.at++
	}
	r.word(word, n, err == nil)
}

func letter7(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// word takes a control word and its number.
func (r *rtf) word(word string, n int, has bool) {
	if word != "u" {
		r.flush()
	}
	b := r.target()
	switch word {
	case "par", "sect", "page":
		if !r.top().quiet {
			b.Para()
		}
	case "line":
		b.Break()
	case "tab":
		r.char(' ')
	case "emdash":
		r.unit('—')
	case "endash":
		r.unit('–')
	case "lquote":
		r.unit('‘')
	case "rquote":
		r.unit('’')
	case "ldblquote":
		r.unit('“')
	case "rdblquote":
		r.unit('”')
	case "bullet":
		r.unit('•')
	case "u":
		r.decodeBytes()
		r.unit(rune(uint16(n)))
		r.drop = r.top().skip
	case "uc":
		r.top().skip = max(n, 0)
	case "ansicpg":
		r.page = "windows-" + strconv.Itoa(n)
	case "mac":
		r.page = "macintosh"
	case "bin":
		if has && n > 0 {
			r.at = min(r.at+n, len(r.in))
		}
	case "trowd", "intbl":
		if r.cell == nil {
			r.cells, r.cell = nil, &blocks.Builder{}
		}
	case "cell":
		if r.cell != nil {
			r.cells, r.cell = append(r.cells, r.cell.String()), &blocks.Builder{}
		}
	case "row":
		r.cell = nil
		r.out.Row(r.cells)
		r.cells = nil
	case "title":
		r.top().title = true
	default:
		if quietGroups[word] {
			r.top().quiet = true
		}
	}
}

// target is where text goes: the document, or the cell of a table.
func (r *rtf) target() *blocks.Builder {
	if r.cell != nil {
		return r.cell
	}
	return &r.out
}

// char takes a character of the code page.
func (r *rtf) char(c byte) {
	if r.drop > 0 {
		r.drop--
		return
	}
	r.decodeUnits()
	r.bytes = append(r.bytes, c)
}

func (r *rtf) unit(u rune) {
	r.decodeBytes()
	r.units = append(r.units, uint16(u))
}

// flush writes the characters that wait to be decoded.
func (r *rtf) flush() {
	r.drop = 0
	r.decodeBytes()
	r.decodeUnits()
}

func (r *rtf) decodeBytes() {
	if len(r.bytes) == 0 {
		return
	}
	s, err := container.Charset(r.page, r.bytes)
	if err != nil {
		s, err = container.Charset("windows-1252", r.bytes)
	}
	r.bytes = r.bytes[:0]
	if err == nil {
		r.text(s)
	}
}

func (r *rtf) decodeUnits() {
	if len(r.units) > 0 {
		s := string(utf16.Decode(r.units))
		r.units = r.units[:0]
		r.text(s)
	}
}

func (r *rtf) text(s string) {
	switch g := r.top(); {
	case g.title:
		r.title.WriteString(s)
	case !g.quiet:
		r.target().Text(s)
	}
}
