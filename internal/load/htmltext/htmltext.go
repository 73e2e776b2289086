// Package htmltext takes the visible text of HTML pages: what a browser shows, with the breaks between blocks, and
// nothing of scripts, styles, comments and markup.
package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ragbench/internal/load/blocks"
)

// Page is what a page shows.
type Page struct {
	Title string            // of its title element, else its first heading of level 1
	Text  string            // headings, items and table rows in Markdown's notation
	Meta  map[string]string // language, author, description, where the page states them
}

// Parse reads a page as browsers do. A page nested deeper than the parser allows is read without its structure: block
// breaks are kept, tables and hidden parts are not told apart.
func Parse(text string) *Page {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return loose(text)
	}
	w := &walker{page: &Page{}, out: []*blocks.Builder{{}}}
	w.walk(root)
	p := w.page
	p.Text = w.out[0].String()
	if p.Title == "" {
		p.Title = w.heading
	}
	return p
}

// walker goes through the tree without recursion.
type walker struct {
	page    *Page
	out     []*blocks.Builder // the page, and the cells that are open
	rows    []row             // the rows that are open
	lists   []list            // the lists that are open
	pre     int               // depth of elements whose white space counts
	heading string            // the first heading of level 1
}

type row struct{ cells []string }

type list struct {
	ordered bool
	next    int
}

func (w *walker) top() *blocks.Builder { return w.out[len(w.out)-1] }

// walk visits the nodes in document order.
func (w *walker) walk(root *html.Node) {
	for n, down := root, true; n != nil; {
		if down {
			if w.enter(n) && n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
		}
		w.leave(n)
		switch {
		case n == root:
			return
		case n.NextSibling != nil:
			n, down = n.NextSibling, true
		default:
			n, down = n.Parent, false
		}
	}
}

// unseen are elements that show nothing, or nothing that is text.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true,
	atom.Embed: true, atom.Svg: true, atom.Canvas: true, atom.Audio: true, atom.Video: true, atom.Datalist: true,
	atom.Noframes: true, atom.Noembed: true, atom.Select: true,
}

// hidden reports whether an element and what is in it is not shown.
func hidden(n *html.Node) bool {
	if n.Type == html.ElementNode && (unseen[n.DataAtom] || n.Data == "svg") {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return !strings.EqualFold(a.Val, "until-found")
		case "style":
			s := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// enter starts a node and reports whether its children are to be visited.
func (w *walker) enter(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		if w.pre > 0 {
			w.top().Verbatim(n.Data)
		} else {
			w.top().Text(n.Data)
		}
		return false
	case html.DocumentNode:
		return true
	case html.ElementNode:
	default:
		return false
	}
	if n.DataAtom == atom.Head {
		w.head(n)
		return false
	}
	if hidden(n) {
		return false
	}
	b := w.top()
	switch n.DataAtom {
	case atom.Html:
		w.meta("language", attr(n, "lang"))
	case atom.Title, atom.Meta, atom.Link: // misplaced in the body
		return false
	case atom.Br:
		b.Break()
	case atom.A, atom.Button, atom.Label:
		// Links side by side are those of a menu, which a style sheet sets apart.
		if p := n.PrevSibling; p != nil && p.Type == html.ElementNode && p.DataAtom == n.DataAtom {
			b.Text(" ")
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.Heading(int(n.Data[1] - '0'))
		if n.DataAtom == atom.H1 && w.heading == "" {
			w.heading = strings.Join(strings.Fields(textOf(n)), " ")
		}
	case atom.Pre, atom.Textarea, atom.Listing, atom.Xmp:
		b.Para()
		w.pre++
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.openList(n)
	case atom.Li:
		w.openItem()
	case atom.Tr:
		b.Line()
		w.rows = append(w.rows, row{})
	case atom.Td, atom.Th:
		if len(w.rows) > 0 {
			w.out = append(w.out, &blocks.Builder{})
		}
	default:
		if gap := blockGap(n.DataAtom); gap > 0 {
			w.end(gap)
		}
	}
	return true
}

// leave ends a node.
func (w *walker) leave(n *html.Node) {
	if n.Type != html.ElementNode || n.DataAtom == atom.Head || hidden(n) {
		return
	}
	b := w.top()
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.EndPrefixed()
	case atom.Pre, atom.Textarea, atom.Listing, atom.Xmp:
		w.pre--
		b.Para()
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.lists = w.lists[:len(w.lists)-1]
		if len(w.lists) == 0 {
			b.Para()
		}
	case atom.Li:
		b.EndPrefixed()
	case atom.Td, atom.Th:
		if len(w.rows) > 0 && len(w.out) > 1 {
			w.out = w.out[:len(w.out)-1]
			r := &w.rows[len(w.rows)-1]
			r.cells = append(r.cells, b.String())
		}
	case atom.Tr:
		r := w.rows[len(w.rows)-1]
		w.rows = w.rows[:len(w.rows)-1]
		b.Row(r.cells)
	default:
		if gap := blockGap(n.DataAtom); gap > 0 {
			w.end(gap)
		}
	}
}

func (w *walker) end(gap int) {
	if gap == 2 {
		w.top().Para()
	} else {
		w.top().Line()
	}
}

// openList starts a list; one that stands in another continues its block.
func (w *walker) openList(n *html.Node) {
	if len(w.lists) == 0 {
		w.top().Para()
	}
	l := list{ordered: n.DataAtom == atom.Ol, next: 1}
	if start, err := strconv.Atoi(attr(n, "start")); err == nil {
		l.next = start
	}
	w.lists = append(w.lists, l)
}

func (w *walker) openItem() {
	depth, marker := 0, "-"
	if n := len(w.lists); n > 0 {
		depth = n - 1
		if l := &w.lists[n-1]; l.ordered {
			marker = strconv.Itoa(l.next) + "."
			l.next++
		}
	}
	w.top().Item(depth, marker)
}

// blockGap is how many line ends stand before and after an element: 2 for blocks of text, 1 for other blocks, 0 for
// what stands in a line.
func blockGap(a atom.Atom) int {
	switch a {
	case atom.P, atom.Blockquote, atom.Table, atom.Dl, atom.Figure, atom.Hr, atom.Article, atom.Section, atom.Aside,
		atom.Header, atom.Footer, atom.Nav, atom.Main, atom.Details, atom.Form, atom.Fieldset, atom.Address, atom.Body,
		atom.Hgroup, atom.Search:
		return 2
	case atom.Div, atom.Dt, atom.Dd, atom.Caption, atom.Figcaption, atom.Summary, atom.Legend, atom.Center, atom.Thead,
		atom.Tbody, atom.Tfoot, atom.Dialog, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Tr, atom.Pre,
		atom.Ul, atom.Ol:
		return 1
	}
	return 0
}

// head reads title and meta elements.
func (w *walker) head(head *html.Node) {
	for n := head.FirstChild; n != nil; n = n.NextSibling {
		switch n.DataAtom {
		case atom.Title:
			if w.page.Title == "" {
				w.page.Title = strings.Join(strings.Fields(textOf(n)), " ")
			}
		case atom.Meta:
			switch name := strings.ToLower(attr(n, "name")); name {
			case "author", "description":
				w.meta(name, attr(n, "content"))
			}
		}
	}
}

func (w *walker) meta(name, value string) {
	if value = strings.Join(strings.Fields(value), " "); value == "" || w.page.Meta[name] != "" {
		return
	}
	if w.page.Meta == nil {
		w.page.Meta = map[string]string{}
	}
	w.page.Meta[name] = value
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// textOf joins the text below a node. Its depth is bounded by the parser.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.DataAtom == atom.Br {
			b.WriteByte(' ')
		}
		b.WriteString(textOf(c))
	}
	return b.String()
}
