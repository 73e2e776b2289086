package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"
	"sync"

	"ragbench/internal/rag"
)

const (
	mockDims    = 384
	maxMockDims = 1 << 16
	keptHashes  = 1 << 18 // tokens whose hashes are kept
)

// hashingEmbedder is mock:hashing-embedding: every token ([A-Za-z0-9_]+, lower-cased) adds 1 or -1 to one of dims
// buckets, and the vector is scaled to length 1. With h the first 64 bits of the token's SHA-256, the bucket is h mod
// dims and the sign is + when h div dims is even. It is lexical, not semantic.
//
// A text without such a token, so any text that is in another script throughout, gets the zero vector. Zero vectors are
// refused where vectors are written and where they are searched for; the caller counts them.
type hashingEmbedder struct {
	id   Identity
	info rag.EmbedderInfo

	mu     sync.RWMutex
	hashes map[string]uint64
}

func openMockEmbedder(r Ref, env Env) (EmbedProvider, error) {
	if r.Model != "hashing-embedding" {
		return nil, unknownModel(r, "mock embedding model", []string{"hashing-embedding"})
	}
	if r.Dims == 0 {
		r.Dims = env.Embed.Dims
	}
	dims := r.Dims
	if dims == 0 {
		dims = mockDims
	}
	if dims == mockDims {
		r.Dims = 0
	}
	return &hashingEmbedder{
		id: Identity{Ref: r.String(), Mock: true, price: "hashing-embedding"},
		info: rag.EmbedderInfo{
			Provider: "mock", Model: "hashing-embedding", Revision: "1", Dims: dims, Normalised: true,
			Prefix: env.Embed.Prefix, QueryPref: env.Embed.QueryPrefix,
		},
		hashes: map[string]uint64{},
	}, nil
}

func (e *hashingEmbedder) Identity() Identity     { return e.id }
func (e *hashingEmbedder) Info() rag.EmbedderInfo { return e.info }
func (e *hashingEmbedder) Limits() (int, int)     { return 0, 0 }

func (e *hashingEmbedder) Params(req rag.EmbedRequest) []Param {
	return []Param{
		{"model", quoteJSON(e.info.Model)},
		{"dimensions", strconv.Itoa(e.info.Dims)},
		{"prefix", quoteJSON(prefixOf(e.info, req.Query))},
	}
}

// prefixOf returns what is put before each text of a request.
func prefixOf(info rag.EmbedderInfo, query bool) string {
	if query {
		return info.QueryPref
	}
	return info.Prefix
}

// SendEmbed implements EmbedProvider. A text is charged int(tokens × 1.3), at least 1.
func (e *hashingEmbedder) SendEmbed(ctx context.Context, req rag.EmbedRequest) (EmbedResult, error) {
	res := EmbedResult{
		Vectors:   make([][]float32, len(req.Texts)),
		Tokens:    make([]int, len(req.Texts)),
		Truncated: make([]bool, len(req.Texts)),
	}
	prefix := prefixOf(e.info, req.Query)
	dims := e.info.Dims
	slab := make([]float32, dims*len(req.Texts))
	buf := make([]byte, 0, 64)
	for i, text := range req.Texts {
		if i%1024 == 0 && ctx.Err() != nil {
			return EmbedResult{}, ctx.Err()
		}
		v := slab[i*dims : (i+1)*dims : (i+1)*dims]
		n := 0
		add := func(token []byte) {
			h := e.hash(token)
			if (h/uint64(dims))%2 == 0 {
				v[h%uint64(dims)]++
			} else {
				v[h%uint64(dims)]--
			}
			n++
		}
		buf = eachToken(prefix, buf, add)
		buf = eachToken(text, buf, add)
		normalise(v)
		res.Vectors[i] = v
		res.Tokens[i] = max(1, scaleWords(n))
		res.Usage.Prompt += res.Tokens[i]
	}
	return res, nil
}

// hash returns the integer of the first 16 hex digits of the token's SHA-256.
func (e *hashingEmbedder) hash(token []byte) uint64 {
	e.mu.RLock()
	h, ok := e.hashes[string(token)]
	e.mu.RUnlock()
	if ok {
		return h
	}
	sum := sha256.Sum256(token)
	h = binary.BigEndian.Uint64(sum[:8])
	e.mu.Lock()
	if len(e.hashes) < keptHashes {
		e.hashes[string(token)] = h
	}
	e.mu.Unlock()
	return h
}

// normalise scales v to Euclidean length 1; zero stays zero.
func normalise(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	norm := math.Sqrt(sum)
	for i, x := range v {
		if x != 0 {
			v[i] = float32(float64(x) / norm)
		}
	}
}
