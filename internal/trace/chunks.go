package trace

import (
	"fmt"
	"strings"

	"ragbench/internal/rag"
)

// Chunks says what a retrieval step found: "N chunks from M docs: a, b, ..." with the first six documents.
func Chunks(hits []rag.Hit) string {
	if len(hits) == 0 {
		return "0 chunks"
	}
	var docs []string
	seen := map[string]bool{}
	for _, h := range hits {
		if !seen[h.Chunk.DocID] {
			seen[h.Chunk.DocID] = true
			docs = append(docs, h.Chunk.DocID)
		}
	}
	list := strings.Join(docs[:min(6, len(docs))], ", ")
	if len(docs) > 6 {
		list += ", ..."
	}
	return fmt.Sprintf("%d chunks from %d docs: %s", len(hits), len(docs), list)
}
