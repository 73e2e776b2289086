package chunk

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text/tokens"
)

// Markdown makes one chunk a section, and splits those above Size tokens as Recursive does, with fences and tables kept
// whole where they fit.
type Markdown struct {
	Size, Overlap, MinSize int
	PrefixHeading          bool
	Tokenizer              tokens.Tokenizer
}

var (
	_ rag.Chunker = Markdown{}
	_ sectioner   = Markdown{}
)

// Spans returns the spans of the sections and of their parts.
func (c Markdown) Spans(ctx context.Context, d *rag.Document) ([]rag.Span, error) {
	return spansOf(c.sections(ctx, d))
}

// spansOf drops what a chunker knows of its spans.
func spansOf(sections []section, err error) ([]rag.Span, error) {
	spans := make([]rag.Span, len(sections))
	for i, s := range sections {
		spans[i] = s.Span
	}
	return spans, err
}

// mdSection is a heading with all up to the next one.
type mdSection struct {
	start, end int
	path       []string // titles of the headings it stands under, its own last
	headings   []string // its own, and those of the sections folded into it
}

// sections returns the spans with heading_path ("Guide > Returns"), section_index and, where sections were folded,
// merged_headings (a JSON array) as metadata.
func (c Markdown) sections(_ context.Context, d *rag.Document) ([]section, error) {
	r := newRuler(c.Tokenizer, d.Text)
	o := readOutline(d.Text)
	var out []section
	next := 0 // block
	for i, s := range c.fold(mdSections(len(d.Text), o.headings), r) {
		path := strings.Join(s.path, " > ")
		meta := map[string]string{"heading_path": path, "section_index": strconv.Itoa(i)}
		if len(s.headings) > 1 {
			b, err := json.Marshal(s.headings)
			if err != nil {
				return nil, fmt.Errorf("list the headings: %w", err)
			}
			meta["merged_headings"] = string(b)
		}
		prefix := ""
		if c.PrefixHeading {
			prefix = path
		}
		first := next
		for next < len(o.blocks) && o.blocks[next].start < s.end {
			next++
		}
		for _, span := range c.parts(d.Text, s, o.blocks[first:next], r) {
			out = append(out, section{Span: span, heading: prefix, metadata: meta})
		}
	}
	return out, nil
}

// mdSections tiles a text of n bytes: what stands before the first heading is a section without a path.
func mdSections(n int, headings []heading) []mdSection {
	out := []mdSection{{end: n}}
	var levels []int
	var path []string
	for _, h := range headings {
		if !h.top {
			continue
		}
		for len(levels) > 0 && levels[len(levels)-1] >= h.level {
			levels, path = levels[:len(levels)-1], path[:len(path)-1]
		}
		levels, path = append(levels, h.level), append(path, h.title)
		out[len(out)-1].end = h.start
		out = append(out, mdSection{start: h.start, end: n, path: append([]string(nil), path...), headings: []string{h.title}})
	}
	if out[0].end == 0 && len(out) > 1 {
		out = out[1:]
	}
	return out
}

// fold joins each section below MinSize tokens to the next while the sum is at most Size, and a small last one to the
// one before. The path of the first stays.
func (c Markdown) fold(sections []mdSection, r *ruler) []mdSection {
	out := sections[:1]
	join := func(into *mdSection, s mdSection) {
		into.end = s.end
		into.headings = append(into.headings, s.headings...)
	}
	for _, s := range sections[1:] {
		last := &out[len(out)-1]
		if r.count(last.start, last.end) < c.MinSize && r.count(last.start, s.end) <= c.Size {
			join(last, s)
			continue
		}
		out = append(out, s)
	}
	if n := len(out); n > 1 && r.count(out[n-1].start, out[n-1].end) < c.MinSize && r.count(out[n-2].start, out[n-1].end) <= c.Size {
		join(&out[n-2], out[n-1])
		out = out[:n-1]
	}
	return out
}

// parts returns the section as it is where it fits; else its blocks split and packed.
func (c Markdown) parts(s string, sec mdSection, blocks []block, r *ruler) []rag.Span {
	if r.count(sec.start, sec.end) <= c.Size {
		return []rag.Span{{Start: sec.start, End: sec.end}}
	}
	p := packer{size: c.Size, overlap: c.Overlap, ruler: r}
	x := splitter{text: s, size: c.Size, ruler: r}
	from := sec.start
	for i, b := range blocks {
		if !b.atom {
			continue
		}
		end := sec.end
		if i+1 < len(blocks) {
			end = blocks[i+1].start
		}
		x.splitAt(from, b.start, separators, p.add)
		if n := r.count(b.start, end); n <= c.Size {
			p.add(piece{start: b.start, end: end, tokens: n, atom: true})
		} else {
			x.split(b.start, end, separators[1:], p.add)
		}
		from = end
	}
	x.splitAt(from, sec.end, separators, p.add)
	return p.finish()
}
