package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// System is one entry of systems with every option and default filled in.
type System struct {
	Name      string // unique within the file
	Type      string // one of Known.Systems
	Line      int    // where the entry starts
	Chunker   ChunkerOptions
	Retrieval RetrievalOptions
	Models    Models
	TopK      *int           // chunks the generator reads, when the system or the section retrieval says so
	ContextK  int            // TopK, else evaluation.context_k
	Depth     int            // length of the ranking to ask for: at least evaluation.retrieval_depth and ContextK
	Options   map[string]any // all further options of the type by dotted path, with defaults: int, float64, bool, string, []any, map[string]any or nil

	takes  map[string]bool // keys of the shared retrieval options the type lists; nil means all
	models []string        // models the type depends on; nil means generator and embedding
}

// Canonical returns the configuration of s as JSON with sorted keys: every option its type takes, with the default
// where nothing was given, and nothing else. The name is not part of it, so systems that do the same are seen to.
func (s *System) Canonical() []byte {
	m := map[string]any{"type": s.Type, "context_k": s.ContextK}
	for _, name := range s.dependsOn() {
		if ref, ok := s.model(name); ok {
			put(m, "models."+name, ref)
		}
	}
	if s.Chunker.Type != "" {
		m["chunker"] = s.Chunker.canonical()
	}
	for _, o := range retrievalOptions() {
		if s.takes == nil || s.takes[o.name] {
			put(m, "retrieval."+o.name, o.field(&s.Retrieval))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.Options)) {
		put(m, path, s.Options[path])
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		panic(fmt.Sprintf("options of system %s: %v", s.Name, err)) // Load lets through what JSON can hold
	}
	return bytes.TrimSpace(out.Bytes())
}

// SHA256 returns the hash of Canonical in hexadecimal. It identifies what s does.
func (s *System) SHA256() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

// Uses lists the model references that s depends on, chat models apart from embedding models. A further option
// models.NAME is a chat model.
func (s *System) Uses() (chats, embeddings []string) {
	for _, name := range s.dependsOn() {
		switch ref, ok := s.model(name); {
		case !ok || ref == "":
		case name == "embedding":
			embeddings = append(embeddings, ref)
		default:
			chats = append(chats, ref)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.Options)) {
		if ref, ok := s.Options[path].(string); ok && inSection(path, "models") && ref != "" {
			chats = append(chats, ref)
		}
	}
	return chats, embeddings
}

func (s *System) dependsOn() []string {
	if s.models == nil {
		return []string{"generator", "embedding"}
	}
	return s.models
}

// model returns the reference of a model of the section models.
func (s *System) model(name string) (string, bool) {
	switch name {
	case "generator":
		return s.Models.Generator, true
	case "embedding":
		return s.Models.Embedding, true
	}
	return "", false
}

// canonical lists the options of a chunker; sizes only where it has them.
func (c ChunkerOptions) canonical() map[string]any {
	m := map[string]any{"type": c.Type, "prefix_title": c.PrefixTitle, "tokenizer": c.Tokenizer}
	if c.ChunkSize > 0 {
		m["chunk_size"], m["chunk_overlap"] = c.ChunkSize, c.ChunkOverlap
	}
	maps.Copy(m, c.Options)
	return m
}

// put stores v under a dotted path of nested maps, or under the whole path where a value is in the way.
func put(m map[string]any, path string, v any) {
	section, key, ok := strings.Cut(path, ".")
	if !ok {
		m[path] = v
		return
	}
	inner, ok := m[section].(map[string]any)
	if !ok {
		if m[section] != nil {
			m[path] = v
			return
		}
		inner = map[string]any{}
		m[section] = inner
	}
	put(inner, key, v)
}
