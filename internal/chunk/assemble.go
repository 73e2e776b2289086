package chunk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Assemble turns byte spans of d.Text into chunks: the shared base of all chunkers. Neither the starts nor the ends of
// spans may go back. Each cut moves forward to the next grapheme cluster boundary, outer whitespace is trimmed, and
// what is then empty or equal to the span before it is left out; so spans that tile the text give chunks that hold
// every character that is no space. The time is linear in the text and in the length of all spans.
func (c *Cutter) Assemble(ctx context.Context, d *rag.Document, spans []rag.Span) ([]rag.Chunk, error) {
	return c.assemble(ctx, d, bare(spans))
}

// section is a span with what its chunker knows of it.
type section struct {
	rag.Span
	heading  string            // what prefix_heading puts before the text; may be empty
	metadata map[string]string // stored with the chunk; may be nil, and may be shared
}

// sectioner is a chunker that knows more of its spans than where they are.
type sectioner interface {
	sections(ctx context.Context, d *rag.Document) ([]section, error)
}

func bare(spans []rag.Span) []section {
	out := make([]section, len(spans))
	for i, s := range spans {
		out[i].Span = s
	}
	return out
}

// assemble is Assemble for sections.
func (c *Cutter) assemble(ctx context.Context, d *rag.Document, sections []section) ([]rag.Chunk, error) {
	if !utf8.ValidString(d.Text) {
		return nil, errors.New("text is not valid UTF-8")
	}
	starts, ends := text.NewBoundaries(d.Text), text.NewBoundaries(d.Text)
	from, to := runeCounter{s: d.Text}, runeCounter{s: d.Text}
	title := c.title(d)
	pages, err := newPageFinder(d)
	if err != nil {
		return nil, err
	}
	var out []rag.Chunk
	var before, last rag.Span
	reached := 0 // where the span before ends, moved to a boundary
	for i, s := range sections {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s.Start < before.Start || s.End < before.End || s.End < s.Start || s.End > len(d.Text) {
			return nil, fmt.Errorf("span %d is [%d, %d) after [%d, %d) in %d bytes", i, s.Start, s.End, before.Start, before.End, len(d.Text))
		}
		cut := rag.Span{Start: starts.At(s.Start), End: ends.At(s.End)}
		if cut.Start > s.Start && s.Start > reached {
			// There is a gap before the span, and its cluster begins in the gap: a mark on a space, say. No span
			// before holds it, so this one must.
			cut.Start = reached + text.FloorBoundary(d.Text[reached:], s.Start-reached)
		}
		before, reached = s.Span, cut.End
		cut.Start, cut.End = text.TrimSpan(d.Text, cut.Start, cut.End)
		if cut.Start >= cut.End || len(out) > 0 && cut == last {
			continue
		}
		last = cut
		raw := d.Text[cut.Start:cut.End]
		ch := rag.Chunk{
			DocID: d.ID, DocRowID: d.RowID, Kind: c.recipe.Kind, Index: len(out),
			Start: from.at(cut.Start), End: to.at(cut.End), Text: raw, Metadata: s.metadata,
		}
		ch.Key = c.key(&ch)
		for _, prefix := range []string{s.heading, title} {
			if prefix != "" && prefix != raw {
				ch.Prefix += text.RuneCount(prefix) + 2
				ch.Text = prefix + "\n\n" + ch.Text
			}
		}
		ch.Tokens = c.tok.Count(ch.Text)
		pages.mark(&ch)
		out = append(out, ch)
	}
	return out, nil
}

// title is what prefix_title puts before each chunk of d. A chunk that is nothing but the title does not get it twice.
func (c *Cutter) title(d *rag.Document) string {
	if !c.recipe.PrefixTitle {
		return ""
	}
	return strings.TrimSpace(d.Title)
}

// key is the stable name of a chunk whose Text is still the raw text.
func (c *Cutter) key(ch *rag.Chunk) string {
	if k, ok := c.chunker.(interface{ keySuffix() string }); ok {
		return ch.DocID + "::chunk::" + k.keySuffix()
	}
	return Key(ch.DocID, ch.Index, ch.Start, ch.End, ch.Text)
}

// Key is the stable name of a chunk: {doc}::chunk::{index, at least 4 digits}::{10 hex digits of the SHA-256 of
// "start:end:raw text"}, with offsets in code points.
func Key(docID string, index, start, end int, raw string) string {
	n := strconv.Itoa(index)
	if len(n) < 4 {
		n = strings.Repeat("0", 4-len(n)) + n
	}
	return docID + "::chunk::" + n + "::" + text.StableHash(strconv.Itoa(start)+":"+strconv.Itoa(end)+":"+raw, 10)
}

// runeCounter turns byte offsets into code points, reading the text once as long as the offsets ascend.
type runeCounter struct {
	s          string
	pos, count int
}

func (r *runeCounter) at(off int) int {
	if off >= r.pos {
		r.count += utf8.RuneCountInString(r.s[r.pos:off])
	} else {
		r.count -= utf8.RuneCountInString(r.s[off:r.pos])
	}
	r.pos = off
	return r.count
}
