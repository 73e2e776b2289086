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
	chunker rag.Chunker
	tok     tokens.Tokenizer
}

// New returns a Cutter for r, or the error of Recipe.Validate.
func New(r Recipe) (*Cutter, error) {
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
	return &Cutter{recipe: r, chunker: e.New(r, tok), tok: tok}, nil
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
	spans, err := c.chunker.Spans(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("chunk document %s: %w", d.ID, err)
	}
	chunks, err := c.Assemble(ctx, d, spans)
	if err != nil {
		return nil, fmt.Errorf("chunk document %s: %w", d.ID, err)
	}
	return chunks, nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
