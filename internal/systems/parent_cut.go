package systems

import (
	"context"
	"encoding/json"
	"fmt"

	"ragbench/internal/chunk"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// parentCut is how documents become parents and parents children.
type parentCut struct {
	parents, children *chunk.Cutter
}

// newParentCut reads the sizes, all in words.
func newParentCut(e *Env) (c parentCut, err error) {
	for _, level := range []struct {
		prefix string
		kind   rag.Kind
		dst    **chunk.Cutter
	}{{"chunker.parent_", rag.KindParent, &c.parents}, {"chunker.child_", rag.KindChild, &c.children}} {
		r := chunk.Recipe{Chunker: "word", Kind: level.kind}
		if r.Size, err = e.wholeOption(level.prefix+"chunk_size", 1); err != nil {
			return c, err
		}
		if r.Overlap, err = e.wholeOption(level.prefix+"chunk_overlap", 0); err != nil {
			return c, err
		}
		if r.Overlap >= r.Size {
			return c, fmt.Errorf("%[1]schunk_overlap (%[2]d) must be below %[1]schunk_size (%[3]d)", level.prefix, r.Overlap, r.Size)
		}
		if *level.dst, err = chunk.New(r, chunk.Models{}); err != nil {
			return c, fmt.Errorf("%s parts: %w", level.kind, err)
		}
	}
	return c, nil
}

// Ingest makes two indexes, the children's with a vector a child. Parents have none and are never found themselves.
func (s *parentDoc) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	recipe, err := json.Marshal(s.cut.parents.Recipe())
	if err != nil {
		return rep, err
	}
	parents, err := unitIndex{"parents", string(recipe), func(ctx context.Context, w *store.ChunkWriter) error {
		return s.cutUnits(ctx, c.DatasetID, w, func(ctx context.Context, d rag.Document) ([]rag.Chunk, error) { return s.cut.parents.Cut(ctx, &d) })
	}}.build(ctx, &s.Env, c, &rep)
	if err != nil {
		return rep, err
	}
	if recipe, err = json.Marshal(map[string]chunk.Recipe{"children": s.cut.children.Recipe(), "parents": s.cut.parents.Recipe()}); err != nil {
		return rep, err
	}
	children, err := unitIndex{"children", string(recipe), func(ctx context.Context, w *store.ChunkWriter) error {
		return s.cutChildren(ctx, parents, w)
	}}.build(ctx, &s.Env, c, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, children, &rep)
	return rep, err
}

// cutChildren cuts every parent of an index and numbers the children of a document through.
func (s *parentDoc) cutChildren(ctx context.Context, parents int64, w *store.ChunkWriter) error {
	source := func(ctx context.Context, yield func(rag.Chunk) error) error { return s.eachParent(ctx, parents, yield) }
	var document int64
	position := 0
	return inOrder(ctx, s.IngestWorkers, source, s.cut.childrenOf, func(parent rag.Chunk, children []rag.Chunk) error {
		if parent.DocRowID != document {
			document, position = parent.DocRowID, 0
		}
		for i := range children {
			children[i].Index = position
			position++
			if _, err := w.Add(&children[i], parent.RowID); err != nil {
				return err
			}
		}
		return nil
	})
}

// childrenOf cuts one parent. Offsets are those of the document; a key is the parent's, with the child's as in a document.
// A parent that is no longer than a child is its own child, whose tokens are known.
func (c parentCut) childrenOf(ctx context.Context, parent rag.Chunk) ([]rag.Chunk, error) {
	d := rag.Document{ID: parent.DocID, RowID: parent.DocRowID, Text: parent.Text}
	r := c.children.Recipe()
	spans, err := chunk.Word{Size: r.Size, Overlap: r.Overlap}.Spans(ctx, &d)
	if err != nil {
		return nil, err
	}
	if len(spans) == 1 && spans[0] == (rag.Span{Start: 0, End: len(parent.Text)}) {
		child := parent
		child.RowID, child.Kind = 0, r.Kind
		child.Key = chunk.Key(parent.Key, 0, child.Start, child.End, child.Text)
		return []rag.Chunk{child}, nil
	}
	children, err := c.children.Assemble(ctx, &d, spans)
	if err != nil {
		return nil, fmt.Errorf("cut parent %s: %w", parent.Key, err)
	}
	for i := range children {
		child := &children[i]
		child.Start += parent.Start
		child.End += parent.Start
		child.Key = chunk.Key(parent.Key, i, child.Start, child.End, child.Text)
	}
	return children, nil
}
