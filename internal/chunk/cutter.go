package chunk

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ragbench/internal/rag"
	"ragbench/internal/text/tokens"
)

// Cutter cuts documents by one recipe. It keeps no state between documents and is safe for concurrent use.
type Cutter struct {
	recipe  Recipe
	build   Build
	chunker rag.Chunker
	tok     tokens.Tokenizer
}

// Models is what chunkers that need a model are given. The zero value does for the others.
type Models struct {
	// Embedder names the vector space. It becomes part of the recipe of a chunker that embeds, since it decides the cuts.
	Embedder string
	// Embed returns one vector a text, all of one length, for at most 96 texts that are not blank.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
}

// New returns a Cutter for r, or the error of Recipe.Validate, or an error when the chunker needs a model that m lacks.
func New(r Recipe, m Models) (*Cutter, error) {
	r = r.filled()
	if err := r.Validate(); err != nil {
		return nil, err
	}
	tok, err := tokens.New(r.Tokenizer)
	if err != nil {
		return nil, err
	}
	e, err := All.Find("chunker", r.Chunker)
	if err != nil {
		return nil, err
	}
	c := &Cutter{recipe: r, build: e.New, chunker: e.New(r, tok, m), tok: tok}
	c.recipe.Embedder = ""
	if c.Embeds() {
		if m.Embed == nil || m.Embedder == "" {
			return nil, fmt.Errorf("chunker %s cuts by meaning and needs an embedding model", r.Chunker)
		}
		c.recipe.Embedder = m.Embedder
	}
	return c, nil
}

// Embeds reports whether cutting calls the embedding model, so that it costs what its calls cost.
func (c *Cutter) Embeds() bool {
	_, ok := c.chunker.(interface{ embeds() })
	return ok
}

// With returns a Cutter by the same recipe that embeds with f, so that the calls for one document can be told from those
// for another. f must be of the same vector space.
func (c *Cutter) With(f func(ctx context.Context, texts []string) ([][]float32, error)) *Cutter {
	own := *c
	own.chunker = c.build(c.recipe, c.tok, Models{Embedder: c.recipe.Embedder, Embed: f})
	return &own
}

// Recipe returns the recipe with its defaults filled in.
func (c *Cutter) Recipe() Recipe { return c.recipe }

// Tokenizer returns what counts the tokens of each chunk.
func (c *Cutter) Tokenizer() tokens.Tokenizer { return c.tok }

// Cut returns the chunks of d in document order, none for an empty or blank document. The chunks share d's text: they
// copy it only to put a title before it.
func (c *Cutter) Cut(ctx context.Context, d *rag.Document) ([]rag.Chunk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sections, err := c.sections(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("chunk document %s: %w", d.ID, err)
	}
	chunks, err := c.assemble(ctx, d, sections)
	if err != nil {
		return nil, fmt.Errorf("chunk document %s: %w", d.ID, err)
	}
	return chunks, nil
}

// sections asks the chunker for its spans, with what it knows of them.
func (c *Cutter) sections(ctx context.Context, d *rag.Document) ([]section, error) {
	if s, ok := c.chunker.(sectioner); ok {
		return s.sections(ctx, d)
	}
	spans, err := c.chunker.Spans(ctx, d)
	return bare(spans), err
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
