package score

import (
	"context"
	"database/sql"
	"fmt"

	"ragbench/internal/spec"
	"ragbench/internal/sqlfile"
)

var spanSQL = sqlfile.MustLoad(files, "span.sql", "fill_spans")

// SpanMetrics describes the metrics on passages, in reading order. They need evidence with offsets; a question without
// gets no value. Found is the labelled characters among the first k chunks, each counted once; wanted is all labelled
// characters, and retrieved the lengths of the chunks, where text in two of them counts twice.
var SpanMetrics = spec.Table[Def]{
	{
		Name:  "span_recall",
		Title: "Span recall",
		Doc:   "Share of the labelled passages, in characters, that the first k chunks hold.",
		Cite:  "Smith and Troynikov 2024, Evaluating Chunking Strategies for Retrieval, in characters instead of tokens",
		New:   Def{Formula: "found(k) / wanted", AtK: true},
	},
	{
		Name:  "span_precision",
		Title: "Span precision",
		Doc:   "Share of the text of the first k chunks that is labelled.",
		Cite:  "Smith and Troynikov 2024, Evaluating Chunking Strategies for Retrieval, in characters instead of tokens",
		New:   Def{Formula: "found(k) / retrieved(k)", AtK: true},
	},
	{
		Name:  "span_iou",
		Title: "Span IoU",
		Doc:   "Intersection over union of the labelled passages and the first k chunks: low for chunks that miss passages, for those that hold much else, and for those that repeat text.",
		Cite:  "Smith and Troynikov 2024, Evaluating Chunking Strategies for Retrieval, in characters instead of tokens",
		New:   Def{Formula: "found(k) / (retrieved(k) + wanted - found(k))", AtK: true},
	},
}

// Spans fills scores with the span metrics of every answer of the run whose question has evidence with offsets, at each k
// of runs.k_values, and returns the number of values. Run again, it writes the same.
func Spans(ctx context.Context, tx *sql.Tx, runID int64) (int, error) {
	res, err := tx.ExecContext(ctx, spanSQL.SQL("fill_spans"), sql.Named("run_id", runID))
	if err != nil {
		return 0, fmt.Errorf("score the spans of run %d: %w", runID, err)
	}
	n, err := res.RowsAffected()
	return int(n), err
}
