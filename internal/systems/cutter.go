package systems

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"ragbench/internal/chunk"
	"ragbench/internal/config"
	"ragbench/internal/rag"
)

// newCutter makes what cuts documents as the options say. A chunker that embeds is given the system's embedding model,
// whose identity is then part of the recipe.
func (e *Env) newCutter(o config.ChunkerOptions) (*chunk.Cutter, error) {
	options := maps.Clone(o.Options)
	if options == nil {
		options = map[string]any{}
	}
	options["prefix_title"], options["tokenizer"] = o.PrefixTitle, o.Tokenizer
	if o.ChunkSize > 0 {
		options["chunk_size"] = o.ChunkSize
	}
	if o.ChunkOverlap > 0 || o.ChunkSize > 0 && chunk.Overlaps(o.Type) {
		options["chunk_overlap"] = o.ChunkOverlap
	}
	recipe, err := chunk.Parse(o.Type, options)
	if err != nil {
		return nil, err
	}
	var m chunk.Models
	if e.Embedder != nil {
		info := e.Embedder.Info()
		m.Embedder = fmt.Sprintf("%s:%s revision %q prefix %q", info.Provider, info.Model, info.Revision, info.Prefix)
		m.Embed = func(context.Context, []string) ([][]float32, error) {
			return nil, errors.New("embed to cut: the cutter is not bound to a document")
		}
	}
	return chunk.New(recipe, m)
}

// cut is one document cut, with the embedding calls that took and the tokens they are charged for.
type cut struct {
	chunks []rag.Chunk
	calls  []rag.Call
	tokens int
}

// cutOne cuts one document.
func (e *Env) cutOne(ctx context.Context, cutter *chunk.Cutter, d *rag.Document) (done cut, err error) {
	if cutter.Embeds() {
		cutter = cutter.With(func(ctx context.Context, texts []string) ([][]float32, error) {
			reply, err := e.Embedder.Embed(ctx, rag.EmbedRequest{Texts: texts})
			done.calls = append(done.calls, reply.Call)
			for _, n := range reply.Tokens {
				done.tokens += n
			}
			return reply.Vectors, err
		})
	}
	done.chunks, err = cutter.Cut(ctx, d)
	return done, err
}
