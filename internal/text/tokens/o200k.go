package tokens

import (
	"sync"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// o200k is the encoder of o200k_base. The vocabulary comes from the loader module; pieces and merges are found here,
// because the usual regular expression is slow and the usual merge is quadratic in the length of a piece.
type o200k struct {
	ranks map[string]int
}

var _ Tokenizer = (*o200k)(nil)

// loadO200k reads the compiled-in vocabulary once; it takes some 100 ms and 25 MB.
var loadO200k = sync.OnceValues(func() (*o200k, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe("o200k_base.tiktoken")
	if err != nil {
		return nil, err
	}
	return &o200k{ranks: ranks}, nil
})

// Name returns "o200k_base".
func (o *o200k) Name() string { return "o200k_base" }

// Count returns the number of tokens of text.
func (o *o200k) Count(text string) int {
	n := 0
	var m merger
	for i := 0; i < len(text); {
		end := pieceEnd(text, i)
		if _, ok := o.ranks[text[i:end]]; ok {
			n++
		} else {
			n += len(m.split(text[i:end], o.ranks))
		}
		i = end
	}
	return n
}

// Starts appends the byte offset of every token of text; the tokens tile it.
func (o *o200k) Starts(dst []int, text string) []int {
	var m merger
	for i := 0; i < len(text); {
		end := pieceEnd(text, i)
		if _, ok := o.ranks[text[i:end]]; ok {
			dst = append(dst, i)
		} else {
			for _, s := range m.split(text[i:end], o.ranks) {
				dst = append(dst, i+int(s))
			}
		}
		i = end
	}
	return dst
}
