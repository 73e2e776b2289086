package chunk

import (
	"context"
	"hash/fnv"
	"strings"
)

// testModels embeds a text as the hashed counts of its words, so that texts that share words are near. A text without
// words has a zero vector.
var testModels = Models{Embedder: "test", Embed: func(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := make([]float32, 32)
		for _, w := range strings.Fields(strings.ToLower(s)) {
			if w = strings.Trim(w, ".,!?#"); w != "" {
				h := fnv.New32a()
				h.Write([]byte(w))
				v[h.Sum32()%32]++
			}
		}
		out[i] = v
	}
	return out, nil
}}
