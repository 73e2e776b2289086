package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/text"
	"ragbench/internal/text/tokens"
)

// sentencesPerPart is how many sentences a part of a chunk has: RAGLite's cost of a chunklet is least at three statements.
const sentencesPerPart = 3

// partsRecipe is the recipe of the parts of another index's chunks.
type partsRecipe struct {
	Parts    int             `json:"sentences_per_part"`
	Revision int             `json:"revision"`
	Of       json.RawMessage `json:"of"`
}

// buildParts returns the vector index of the parts of the chunks. A part is a row of an index of its own that names its
// chunk; a chunk of one part has none, as its own vector is the same.
func (s *raglite) buildParts(ctx context.Context, c rag.Corpus, rep *rag.IngestReport) (int64, error) {
	chunks, vectors := rep.Chunks, rep.Vectors
	index, err := s.partIndex(ctx, rep)
	if err != nil {
		return 0, fmt.Errorf("build the parts of the chunks: %w", err)
	}
	id, err := s.buildVectors(ctx, index, rep)
	rep.Chunks, rep.Vectors = chunks, vectors // the report counts chunks and theirs
	return id, err
}

// partIndex finds or makes the index of the parts.
func (s *raglite) partIndex(ctx context.Context, rep *rag.IngestReport) (id int64, err error) {
	var key, recipe, tokenizer, corpus string
	err = s.DB.Read(ctx, func(tx *sql.Tx) error {
		var of string
		if _, of, tokenizer, corpus, err = s.recipe(ctx, tx); err != nil {
			return err
		}
		b, err := json.Marshal(partsRecipe{sentencesPerPart, 1, json.RawMessage(of)})
		if err != nil {
			return err
		}
		recipe = string(b)
		key = store.IndexKey(corpus, recipe)
		id, _, err = store.FindIndex(ctx, tx, key)
		return err
	})
	if !errors.Is(err, rag.ErrNotFound) {
		if err == nil {
			rep.Reused = append(rep.Reused, "parts "+key)
		}
		return id, err
	}
	count, err := tokens.New(tokenizer)
	if err != nil {
		return 0, err
	}
	start := s.Now()
	var doc int64
	position := 0 // within the document
	err = s.DB.Write(ctx, func(tx *sql.Tx) error {
		w, err := store.NewIndex(ctx, tx, key, corpus, recipe, tokenizer, s.Now().UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
		err = s.DB.Read(ctx, func(read *sql.Tx) error {
			return s.eachChunk(ctx, read, func(c rag.Chunk) error {
				if c.DocRowID != doc {
					doc, position = c.DocRowID, 0
				}
				for _, p := range partsOf(c) {
					p.Tokens, p.Index = count.Count(p.Text), position
					position++
					if _, err := w.Add(&p, 0); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
		id = w.IndexID
		return w.Finish(ms(s.Now().Sub(start)))
	})
	rep.Built = append(rep.Built, "parts "+key)
	return id, err
}

// partsOf cuts a chunk into parts of three sentences, the last with what remains; none for a chunk of one part. Offsets
// are those of the document, and the parts tile the chunk but for white space at their ends.
func partsOf(c rag.Chunk) (parts []rag.Chunk) {
	sentences := text.Sentences(c.Text)
	if len(sentences) <= sentencesPerPart {
		return nil
	}
	for i := 0; i < len(sentences); i += sentencesPerPart {
		last := min(i+sentencesPerPart, len(sentences)) - 1
		from, to := text.TrimSpan(c.Text, sentences[i][0], sentences[last][1])
		if from >= to {
			continue
		}
		start := c.Start + text.RuneCount(c.Text[:from])
		parts = append(parts, rag.Chunk{
			Key: fmt.Sprintf("%s::part%d", c.Key, len(parts)), DocID: c.DocID, DocRowID: c.DocRowID, Kind: rag.KindChild,
			Start: start, End: start + text.RuneCount(c.Text[from:to]), Text: c.Text[from:to], Metadata: map[string]string{"chunk": c.Key},
		})
	}
	return parts
}
