package htmltext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ragbench/internal/load/blocks"
)

// loose reads a page as a run of tags. It needs no memory for their nesting.
func loose(text string) *Page {
	p := &Page{}
	var b blocks.Builder
	var skip, title bool // within an element that shows nothing; within the title
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: a string gives no other error
			p.Text = b.String()
			return p
		case html.TextToken:
			s := string(z.Text())
			switch {
			case skip:
			case title:
				p.Title = strings.Join(strings.Fields(html.UnescapeString(s)), " ")
			default:
				b.Text(html.UnescapeString(s))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			skip, title = raw(a), a == atom.Title
			if a == atom.Br {
				b.Break()
			}
			end(&b, a)
		case html.EndTagToken:
			name, _ := z.TagName()
			skip, title = false, false
			end(&b, atom.Lookup(name))
		}
	}
}

// raw reports whether the tokenizer returns all of an element's content as one text that is not shown.
func raw(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript:
		return true
	}
	return false
}

func end(b *blocks.Builder, a atom.Atom) {
	switch blockGap(a) {
	case 2:
		b.Para()
	case 1:
		b.Line()
	}
}
