package tokens

import (
	"sync"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// o200k is the encoder of o200k_base. The vocabulary comes from the loader module; pieces and merges are found here,
// because the usual regular expression is slow and the usual merge is quadratic in the length of a piece.
type o200k struct {
	vocab
}

var _ Tokenizer = (*o200k)(nil)

// loadO200k reads the compiled-in vocabulary once; it takes some 100 ms and 25 MB.
var loadO200k = sync.OnceValues(func() (*o200k, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe("o200k_base.tiktoken")
	if err != nil {
		return nil, err
	}
	return &o200k{newVocab(ranks)}, nil
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
			n += len(m.split(text[i:end], &o.vocab))
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
			for _, s := range m.split(text[i:end], &o.vocab) {
				dst = append(dst, i+int(s))
			}
		}
		i = end
	}
	return dst
}

// vocab is the rank of every token. Tokens of two bytes, which every merge begins with, are in a table as well.
type vocab struct {
	ranks map[string]int
	pairs []int32 // by first byte * 256 + second; noRank where there is no such token
}

func newVocab(ranks map[string]int) vocab {
	v := vocab{ranks: ranks, pairs: make([]int32, 1<<16)}
	for i := range v.pairs {
		v.pairs[i] = noRank
	}
	for token, rank := range ranks {
		if len(token) == 2 {
			v.pairs[int(token[0])<<8|int(token[1])] = int32(rank)
		}
	}
	return v
}

// rank returns the rank of a token, or noRank.
func (v *vocab) rank(token string) int32 {
	if len(token) == 2 {
		return v.pairs[int(token[0])<<8|int(token[1])]
	}
	if r, ok := v.ranks[token]; ok {
		return int32(r)
	}
	return noRank
}
