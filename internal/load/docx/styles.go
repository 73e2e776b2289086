package docx

import (
	"encoding/xml"
	"regexp"
	"strconv"

	"ragbench/internal/load/container"
)

// style is what a paragraph style says of the role of its paragraphs.
type style struct {
	level  int // of a heading, from 1; 0 is no heading
	list   string
	depth  int
	basis  string
	stated bool // level is stated here
}

// numbering is a list: how its levels are marked.
type numbering struct{ formats map[int]string }

var headingName = regexp.MustCompile(`(?i)^heading ([1-9])$`)

// readStyles reads the paragraph styles by id.
func readStyles(a *container.Archive, names []string) (map[string]style, error) {
	out := map[string]style{}
	for _, name := range names {
		var id string
		var now style
		err := container.Each(a, name, func(_ *xml.Decoder, e xml.StartElement) error {
			switch e.Name.Local {
			case "style":
				id, now = container.Attr(e, "styleId"), style{}
			case "name":
				if m := headingName.FindStringSubmatch(container.Attr(e, "val")); m != nil {
					now.level, now.stated = int(m[1][0]-'0'), true
				} else if v := container.Attr(e, "val"); v == "Title" || v == "title" {
					now.level, now.stated = 1, true
				}
			case "basedOn":
				now.basis = container.Attr(e, "val")
			case "outlineLvl":
				if n, err := strconv.Atoi(container.Attr(e, "val")); err == nil && !now.stated {
					now.level, now.stated = n+1, true
					if n > 8 { // 9 is body text
						now.level = 0
					}
				}
			case "numId":
				now.list = container.Attr(e, "val")
			case "ilvl":
				now.depth, _ = strconv.Atoi(container.Attr(e, "val")) // 0 is the level of what says none
			default:
				return nil
			}
			if id != "" {
				out[id] = now
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// styleOf follows the styles that a style is based on.
func (r *reader) styleOf(id string) style {
	s := r.styles[id]
	for range 10 {
		if s.basis == "" || s.stated && s.list != "" {
			break
		}
		basis := r.styles[s.basis]
		if !s.stated {
			s.level, s.stated = basis.level, basis.stated
		}
		if s.list == "" {
			s.list, s.depth = basis.list, basis.depth
		}
		s.basis = basis.basis
	}
	return s
}

// readNumbering reads the lists by their ids.
func readNumbering(a *container.Archive, names []string) (map[string]numbering, error) {
	abstract := map[string]numbering{}
	out := map[string]numbering{}
	for _, name := range names {
		var in, num string
		var level int
		err := container.Each(a, name, func(_ *xml.Decoder, e xml.StartElement) error {
			switch e.Name.Local {
			case "abstractNum":
				in = container.Attr(e, "abstractNumId")
				abstract[in] = numbering{map[int]string{}}
			case "lvl":
				level, _ = strconv.Atoi(container.Attr(e, "ilvl")) // a level without a number is the first
			case "numFmt":
				if n, ok := abstract[in]; ok && in != "" {
					n.formats[level] = container.Attr(e, "val")
				}
			case "num":
				num, in = container.Attr(e, "numId"), ""
			case "abstractNumId":
				out[num] = abstract[container.Attr(e, "val")]
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// marker counts an item of a list and returns what stands before it: "-", "3." or "" for none.
func (r *reader) marker(list string, depth int) string {
	n, ok := r.numbers[list]
	if !ok {
		return "-"
	}
	switch n.formats[depth] {
	case "none":
		return ""
	case "bullet", "":
		return "-"
	}
	counts := r.counts[list]
	for len(counts) <= depth {
		counts = append(counts, 0)
	}
	counts = counts[:depth+1]
	counts[depth]++
	r.counts[list] = counts
	return strconv.Itoa(counts[depth]) + "."
}
