package systems

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/chunk"
	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

// ragliteChunking is the group chunking with RAGLite's own chunker as the default, where there is one.
var ragliteChunking = []spec.Option{
	{Name: "chunker", Default: ragliteChunker(), Doc: "How documents are cut, where the file has no chunker of its own at the top: RAGLite's chunks are a semantic partition of chunklets."},
}

// ragliteChunker is the name of RAGLite's chunker, or the default one while there is none.
func ragliteChunker() string {
	for _, name := range []string{"raglite", "chunklet"} {
		if slices.Contains(chunk.All.Names(), name) {
			return name
		}
	}
	return chunk.Default
}

// noFilter lets every document through.
const noFilter = "{}"

// filterJSON reads a filter on metadata, {field: value or [value, ...]}, nil for none, as JSON {field: ["value", ...]}.
func filterJSON(v any) (string, error) {
	if v == nil {
		return noFilter, nil
	}
	fields, ok := v.(map[string]any)
	if !ok {
		return "", fmt.Errorf("want fields with values, such as {topic: physics}, got %v", v)
	}
	out := map[string][]string{}
	for field, value := range fields {
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		out[field] = []string{}
		for _, item := range values {
			switch x := item.(type) {
			case string:
				out[field] = append(out[field], x)
			case bool, int:
				out[field] = append(out[field], fmt.Sprint(x))
			case float64:
				out[field] = append(out[field], strconv.FormatFloat(x, 'g', -1, 64))
			default:
				return "", fmt.Errorf("%s: want a text, a number, true or false, or a list of these, got %v", field, item)
			}
		}
	}
	b, err := json.Marshal(out) // keys sorted
	return string(b), err
}

// jsonIDs writes ids as a JSON array.
func jsonIDs(ids []int64) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.FormatInt(id, 10)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// spanMetadata is what a hit says of its span.
func spanMetadata(span int, score float64, first, last int, title string) map[string]string {
	place := fmt.Sprintf("%04d", first)
	if last > first {
		place += fmt.Sprintf("-%04d", last)
	}
	return map[string]string{"span": strconv.Itoa(span), "span_score": strconv.FormatFloat(score, 'g', -1, 64), "span_place": place, "title": title}
}

// spanBlocks joins the shares of each span to one block under the title of its document.
func spanBlocks(read []rag.Hit) (blocks []prompt.Block, docs map[string]bool) {
	docs = map[string]bool{}
	last := ""
	for _, h := range read {
		docs[h.Chunk.DocID] = true
		if h.Metadata["span"] == last && last != "" {
			blocks[len(blocks)-1].Text += h.Chunk.Text
			continue
		}
		last = h.Metadata["span"]
		body := h.Chunk.Text
		if title := h.Metadata["title"]; title != "" && !strings.HasPrefix(body, title) {
			body = title + "\n\n" + body
		}
		blocks = append(blocks, prompt.Block{DocID: h.Chunk.DocID, Place: h.Metadata["span_place"], Text: body})
	}
	return blocks, docs
}

// Answer puts the spans in front of the prompt.
func (s *raglite) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	blocks, docs := spanBlocks(r.Context)
	return s.generate(ctx, q, prompt.SpanAnswer(q.Text, blocks), docs, tr)
}
