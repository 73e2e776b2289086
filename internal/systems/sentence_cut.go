package systems

import (
	"context"
	"fmt"

	"ragbench/internal/chunk"
	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/text"
)

// sentencesRecipe is the recipe of an index of all sentences. Its revision is raised when text.Sentences cuts otherwise.
const sentencesRecipe = `{"units":"sentences","revision":1}`

// newSentenceCutter makes what turns the spans of sentences into chunks of kind sentence, with offsets and keys. Of the
// recipe only the kind matters: the cutter is given its spans.
func newSentenceCutter() (*chunk.Cutter, error) {
	return chunk.New(chunk.Recipe{Chunker: "word", Size: 1, Kind: rag.KindSentence}, chunk.Models{})
}

// Ingest makes an index of the sentences that are not blank, each with a vector.
func (s *sentenceWindow) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	s.index, err = unitIndex{"sentences", sentencesRecipe, func(ctx context.Context, w *store.ChunkWriter) error {
		return s.cutUnits(ctx, c.DatasetID, w, s.cut)
	}}.build(ctx, &s.Env, c, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, s.index, &rep)
	return rep, err
}

// cut returns the sentences of a document.
func (s *sentenceWindow) cut(ctx context.Context, d rag.Document) ([]rag.Chunk, error) {
	var spans []rag.Span
	for _, span := range text.Sentences(d.Text) {
		spans = append(spans, rag.Span{Start: span[0], End: span[1]})
	}
	chunks, err := s.sentences.Assemble(ctx, &d, spans)
	if err != nil {
		return nil, fmt.Errorf("cut document %s into sentences: %w", d.ID, err)
	}
	return chunks, nil
}
