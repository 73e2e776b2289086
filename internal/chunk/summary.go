package chunk

import (
	"slices"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Summary adds up what a chunker makes of documents. The zero value is ready for use.
type Summary struct {
	Documents  int
	Blank      int // documents without any chunk
	Characters int // code points of the documents that are no space
	Covered    int // those of them that are in a chunk
	Held       int // code points that are no space of all chunks, prefixes apart: more than Covered where chunks overlap

	tokens []int // of each chunk, in order
	sorted []int
}

// Add counts one document and its chunks.
func (s *Summary) Add(d *rag.Document, chunks []rag.Chunk) {
	s.Documents++
	s.Characters += solid(d.Text)
	if len(chunks) == 0 {
		s.Blank++
	}
	end := 0
	for _, c := range chunks {
		s.tokens = append(s.tokens, c.Tokens)
		from := text.ByteOffset(c.Text, c.Prefix)
		held, repeated := solid(c.Text[from:]), 0
		if c.Start < end {
			repeated = solid(c.Text[from:text.Advance(c.Text, from, min(end, c.End)-c.Start)])
		}
		s.Held += held
		s.Covered += held - repeated
		end = max(end, c.End)
	}
	s.sorted = nil
}

// Chunks is the number of chunks.
func (s *Summary) Chunks() int { return len(s.tokens) }

// Tokens returns the tokens of the chunk at quantile q, from 0 for the smallest to 1 for the largest, and 0 where there
// are none. Of an even number the median is the lower of the two in the middle.
func (s *Summary) Tokens(q float64) int {
	if len(s.tokens) == 0 {
		return 0
	}
	if s.sorted == nil {
		s.sorted = slices.Sorted(slices.Values(s.tokens))
	}
	return s.sorted[int(q*float64(len(s.sorted)-1))]
}

// Coverage is the share of the documents' characters that are in a chunk, spaces apart: 1 for every chunker here.
func (s *Summary) Coverage() float64 { return share(s.Covered, s.Characters) }

// Overlap is the share of the chunks' characters, spaces apart, that repeat what an earlier chunk holds.
func (s *Summary) Overlap() float64 { return share(s.Held-s.Covered, s.Held) }

// solid counts the code points of s that are no space.
func solid(s string) (n int) {
	for _, r := range s {
		if !isSpaceRune(r) {
			n++
		}
	}
	return n
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
