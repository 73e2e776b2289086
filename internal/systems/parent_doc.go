package systems

import (
	"context"
	"database/sql"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var parentDocSQL = statements("parent_doc", "retrieve", "parent_texts")

var parentDocEntry = spec.Entry[Kind]{
	Name:  "parent_doc",
	Title: "small chunks found, large ones read",
	Doc: "Small chunks match precisely, large ones answer completely. Documents are cut into parents by words, each parent into children; " +
		"only children are embedded. The hits of a search are grouped by parent, and the parents are the ranking, each with the " +
		"keys of the children that matched. Depth counts in parents: children are searched until they cover as many parents as are " +
		"wanted. The generator reads the first top_k_parents.",
	Options: options([]spec.Option{
		{Name: "chunker.parent_chunk_size", Default: "1000", Doc: "Length of a parent in words."},
		{Name: "chunker.parent_chunk_overlap", Default: "150", Doc: "Words of a parent that repeat in the next; less than its length."},
		{Name: "chunker.child_chunk_size", Default: "250", Doc: "Length of a child in words."},
		{Name: "chunker.child_chunk_overlap", Default: "50", Doc: "Words of a child that repeat in the next of its parent; less than its length."},
	}, dense, []spec.Option{
		{Name: "retrieval.top_k_children", Default: "8", Doc: "Children searched; at least twice the parents wanted, and more until those are found."},
		{Name: "retrieval.top_k_parents", Default: "4", Doc: "Parents the generator reads."},
		{Name: "retrieval.parent_score_aggregation", Default: "max", Doc: "max trusts the best child, sum rewards many, mean rewards consistent ones."},
	}, generation),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newParentDoc(e) },
		Diagram: `flowchart TD
    D["Document"] --> PC["Cut into parents (large, words)"]
    PC --> CC["Cut each parent into children (small, words)<br/>each child remembers its parent"]
    CC --> E{{"Embed children"}} --> VI[("Child vectors")]
    Q["Question"] --> CS("child_vector_search<br/>top_k_children")
    VI --> CS
    CS --> AG["Group the hits by parent;<br/>parent score = max / sum / mean of its children's scores"]
    AG --> R["Parents are the retrieved chunks<br/>(with the keys of the matched children)"]`,
		Ingestion: "Parents, children, and one embedding a child.",
		Cost:      "one query embedding",
		Latency:   "one embedding call and one exact scan of the children, rarely two",
		Trace:     []string{"retrieve:child_vector_search", "generate:answer"},
		Required:  []string{"retrieve:child_vector_search", "generate:answer"},
		Strengths: "The context around the answer is intact.",
		WatchOut:  "Parents cost more prompt tokens, and a big parent can bury the sentence that answers.",
	},
}

// parentDoc searches children and ranks parents.
type parentDoc struct {
	Env
	cut         parentCut
	children    int // searched at least
	parents     int // read
	aggregation string
	vectors     int64
}

var _ rag.System = (*parentDoc)(nil)

func newParentDoc(e Env) (s *parentDoc, err error) {
	s = &parentDoc{Env: e}
	if s.cut, err = newParentCut(&e); err != nil {
		return nil, err
	}
	if s.children, err = e.wholeOption("retrieval.top_k_children", 1); err != nil {
		return nil, err
	}
	if s.parents, err = e.wholeOption("retrieval.top_k_parents", 1); err != nil {
		return nil, err
	}
	s.aggregation, err = e.textOption("retrieval.parent_score_aggregation", "max", "sum", "mean")
	return s, err
}

func (s *parentDoc) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (r rag.Ranking, err error) {
	step, end := tr.Step(rag.StepRetrieve, "child_vector_search", q.Text)
	defer end()
	wanted := max(depth, s.parents)
	vectors, err := s.embedQueries(ctx, []string{q.Text}, step)
	var found lists
	for pool := max(s.children, 2*wanted); err == nil; pool *= 2 {
		found, err = s.query(ctx, parentDocSQL.SQL("retrieve"), named("vectors", s.vectors), named("query_vector", vectors[0]),
			named("children", pool), named("parents", wanted), named("aggregation", s.aggregation))
		if len(found.legs[rag.LegFinal]) >= wanted || len(found.legs["child_vector"]) < pool {
			break
		}
	}
	if err != nil {
		step.Error = err.Error()
		return r, err
	}
	r = found.ranking()
	r.Context = append([]rag.Hit{}, r.Hits[:min(s.parents, len(r.Hits))]...)
	step.Output = trace.Chunks(found.legs["child_vector"])
	note(step, "children", len(found.legs["child_vector"]))
	note(step, "parents", len(r.Hits))
	note(step, "aggregation", s.aggregation)
	return r, nil
}

// eachParent calls f with the parents of an index: row, key, document, span, text and tokens.
func (s *parentDoc) eachParent(ctx context.Context, index int64, f func(rag.Chunk) error) error {
	return s.DB.Read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, parentDocSQL.SQL("parent_texts"), named("index", index))
		if err != nil {
			return fmt.Errorf("read the parents: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var p rag.Chunk
			if err := rows.Scan(&p.RowID, &p.Key, &p.DocRowID, &p.DocID, &p.Start, &p.End, &p.Text, &p.Tokens); err != nil {
				return fmt.Errorf("read the parents: %w", err)
			}
			if err := f(p); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read the parents: %w", err)
		}
		return nil
	})
}

func (s *parentDoc) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
