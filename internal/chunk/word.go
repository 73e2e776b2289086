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

// Spans returns the windows, each from the start of its first word to the end of its last.
func (w Word) Spans(_ context.Context, d *rag.Document) ([]rag.Span, error) {
	words := splitWords(d.Text)
	var spans []rag.Span
	windows(len(words), w.Size, w.Overlap, func(first, last int) {
		spans = append(spans, rag.Span{Start: words[first].Start, End: words[last-1].End})
	})
	return spans, nil
}

// splitWords returns the words of s: runs of characters that are no space, except that a character of a script without
// spaces is a word, with the marks on it, and that a run ends after longWord code points.
func splitWords(s string) []rag.Span {
	words := make([]rag.Span, 0, len(s)/6+1)
	start, n := -1, 0
	end := func(at int) {
		if start >= 0 {
			words = append(words, rag.Span{Start: start, End: at})
		}
		start, n = -1, 0
	}
	alone := false
	for i, r := range s {
		switch {
		case isSpaceRune(r):
			end(i)
			continue
		case unspaced(r):
			end(i)
			alone = true
		case alone && start >= 0 && unicode.Is(unicode.M, r):
		case alone || n == longWord:
			end(i)
			alone = false
		}
		if start < 0 {
			start = i
		}
		n++
	}
	end(len(s))
	return words
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
