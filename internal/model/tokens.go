package model

import (
	"sync"
	"unicode"

	"ragbench/internal/rag"
)

// wordByte tells the bytes of [A-Za-z0-9_], the only ones that tokens of the mock models are made of.
var wordByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	return t
}()

// eachToken calls f with every run of [A-Za-z0-9_] in s, lower-cased. The slice is valid during the call only. A text
// in another script has no tokens, and accented letters part words.
func eachToken(s string, buf []byte, f func(token []byte)) []byte {
	for i := 0; i < len(s); {
		if !wordByte[s[i]] {
			i++
			continue
		}
		buf = buf[:0]
		for ; i < len(s) && wordByte[s[i]]; i++ {
			c := s[i]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			buf = append(buf, c)
		}
		f(buf)
	}
	return buf
}

// WordEstimate counts tokens as int(words × 1.3), at least 1, where no tokenizer is at hand.
type WordEstimate struct{}

var _ rag.TokenCounter = WordEstimate{}

// Name implements rag.TokenCounter.
func (WordEstimate) Name() string { return "words*1.3" }

// Count implements rag.TokenCounter.
func (WordEstimate) Count(text string) int { return max(1, scaleWords(countWords(text))) }

func scaleWords(n int) int { return n * 13 / 10 }

func countWords(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		space := r <= ' ' || r >= 0x80 && unicode.IsSpace(r)
		if !space && !inWord {
			n++
		}
		inWord = !space
	}
	return n
}

// counter counts the tokens of prompts. Counts of long parts are kept, since the same passages come again and again.
type counter struct {
	rag.TokenCounter
	mu   sync.RWMutex
	kept map[string]int
}

const (
	keptParts   = 1 << 14 // parts whose counts are kept
	keptPartMin = 64      // bytes from which a count is worth keeping
)

func newCounter(c rag.TokenCounter) *counter {
	if c == nil {
		c = WordEstimate{}
	}
	return &counter{TokenCounter: c, kept: map[string]int{}}
}

func (c *counter) part(s string) int {
	if len(s) < keptPartMin {
		return c.Count(s)
	}
	c.mu.RLock()
	n, ok := c.kept[s]
	c.mu.RUnlock()
	if ok {
		return n
	}
	n = c.Count(s)
	c.mu.Lock()
	if len(c.kept) < keptParts {
		c.kept[s] = n
	}
	c.mu.Unlock()
	return n
}

// messages counts a prompt part by part.
func (c *counter) messages(ms []rag.Message) int {
	n := 0
	for _, m := range ms {
		for _, p := range m.Parts {
			n += c.part(p)
		}
	}
	return max(1, n)
}
