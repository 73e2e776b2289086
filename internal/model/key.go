package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
	"strconv"

	"ragbench/internal/rag"
)

// Key is the SHA-256 of everything that decides a reply: kind, provider and model, base URL, all parameters that are
// sent, messages or texts, tools, schema, repeat index. Each part goes in behind its length, so that ["ab","c"] and
// ["a","bc"] differ; a parameter that is not sent is absent, so that it differs from its default.
type Key [sha256.Size]byte

// keyVersion changes when the layout of keys does.
const keyVersion = "ragbench call 1"

type keyHash struct {
	h    hash.Hash
	num8 [8]byte
	buf  []byte // a string on its way into h
}

func newKeyHash(kind string, id Identity, params []Param, repeat int) keyHash {
	k := keyHash{h: sha256.New()}
	k.str(keyVersion)
	k.str(kind)
	k.str(id.Ref)
	k.str(id.BaseURL)
	k.num(len(params))
	for _, p := range params {
		k.str(p.Name)
		k.str(p.JSON)
	}
	k.num(repeat)
	return k
}

func (k *keyHash) num(n int) {
	binary.BigEndian.PutUint64(k.num8[:], uint64(n))
	k.h.Write(k.num8[:])
}

func (k *keyHash) raw(s string) {
	k.buf = append(k.buf[:0], s...)
	k.h.Write(k.buf)
}

func (k *keyHash) str(s string) {
	k.num(len(s))
	k.raw(s)
}

func (k *keyHash) sum() (key Key) {
	k.h.Sum(key[:0])
	return key
}

// chatKey is the key of a chat request. How a message is cut into parts does not matter, as it is sent whole.
func chatKey(id Identity, params []Param, req *rag.ChatRequest) Key {
	k := newKeyHash("chat", id, params, req.Repeat)
	k.num(len(req.Messages))
	for _, m := range req.Messages {
		k.str(m.Role)
		n := 0
		for _, p := range m.Parts {
			n += len(p)
		}
		k.num(n)
		for _, p := range m.Parts {
			k.raw(p)
		}
		k.str(m.CallID)
		k.calls(m.Calls)
	}
	return k.sum()
}

func (k *keyHash) calls(list []rag.ToolCall) {
	k.num(len(list))
	for _, c := range list {
		k.str(c.ID)
		k.str(c.Name)
		k.str(c.Arguments)
	}
}

func embedKey(id Identity, params []Param, req *rag.EmbedRequest) Key {
	k := newKeyHash("embedding", id, params, 0)
	k.num(len(req.Texts))
	for _, t := range req.Texts {
		k.str(t)
	}
	return k.sum()
}

func decideKey(id Identity, input string, ps []rag.Predicate) Key {
	k := newKeyHash("decision", id, nil, 0)
	k.str(input)
	k.num(len(ps))
	for _, p := range ps {
		k.str(p.Name)
		k.str(p.Instructions)
	}
	return k.sum()
}

// occurrence is the key under which the n-th different reply to one request is kept, from 1: a sampled request may be
// made again without a repeat index, and neither reply may be lost or taken for the other.
func (key Key) occurrence(n int) (out Key) {
	k := keyHash{h: sha256.New()}
	k.str(keyVersion + " occurrence")
	k.h.Write(key[:])
	k.num(n)
	return k.sum()
}

// requestJSON writes the parameters, and fields of our own beside them, as one object.
func requestJSON(params []Param, extra ...Param) string {
	b := make([]byte, 0, 128)
	b = append(b, '{')
	for i, list := range [2][]Param{params, extra} {
		for j, p := range list {
			if j > 0 || i > 0 && len(params) > 0 {
				b = append(b, ',')
			}
			b = append(b, '"')
			b = append(b, p.Name...)
			b = append(b, '"', ':')
			b = append(b, p.JSON...)
		}
	}
	return string(append(b, '}'))
}

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			b, err := json.Marshal(s)
			if err != nil {
				panic(err) // unreachable: a string always has a JSON form
			}
			return string(b)
		}
	}
	return `"` + s + `"`
}

func intParam(name string, n int) Param { return Param{name, strconv.Itoa(n)} }
