package chunk

import (
	"context"
	"unicode"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// Word slides a window of Size words.
type Word struct {
	Size, Overlap int
}

var _ rag.Chunker = Word{}

// longWord is the greatest number of code points that count as one word: without a limit, a file that has no spaces
// would be one chunk.
const longWord = 128

// Spans returns the windows, each from the start of its first word to the end of its last. No list of words is kept:
// window j begins at word j*step and ends at word j*step+Size-1.
func (w Word) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	var spans []rag.Span
	step := w.Size - w.Overlap
	n, closed, lastEnd := 0, 0, 0
	eachWord(d.Text, func(start, end int) {
		if n%step == 0 {
			spans = append(spans, rag.Span{Start: start})
		}
		if n == closed*step+w.Size-1 {
			spans[closed].End = end
			closed++
		}
		n, lastEnd = n+1, end
	})
	// What is still open reaches the end of the text; unless a window ended there, the first of those holds the others.
	if closed < len(spans) && (closed == 0 || spans[closed-1].End < lastEnd) {
		spans[closed].End = lastEnd
		closed++
	}
	return spans[:closed], nil
}

// eachWord calls yield with the words of s in order: runs of characters that are no space, except that a character of a
// script without spaces is a word, with the marks on it, and that a run ends after longWord code points.
func eachWord(s string, yield func(start, end int)) {
	start, n, alone := -1, 0, false
	for i, r := range s {
		if start >= 0 {
			mark := alone && unicode.Is(unicode.M, r)
			if isSpaceRune(r) || unspaced(r) || alone && !mark || n == longWord && !mark {
				yield(start, i)
				start = -1
			}
		}
		if start < 0 {
			if isSpaceRune(r) {
				continue
			}
			start, n, alone = i, 0, unspaced(r)
		}
		n++
	}
	if start >= 0 {
		yield(start, len(s))
	}
}

// unspaced reports whether r is a character, but no mark, of a script that puts no spaces between words: Thai, Lao,
// Myanmar, Khmer, kana and Han.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00, 0x1000 <= r && r < 0x10A0, 0x1780 <= r && r < 0x1800:
		return !unicode.Is(unicode.M, r)
	}
	return 0x2E80 <= r && r < 0xA000 || 0xF900 <= r && r < 0xFB00 || 0xFF66 <= r && r < 0xFFA0 || 0x20000 <= r && r < 0x40000
}

func isSpaceRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r)
}
