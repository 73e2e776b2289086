// Package score turns ranked lists and labels into numbers. The retrieval metrics are SQL: score.sql fills the table
// scores for a run, the view retrieval_metrics defines the same values one answer at a time. Both are checked against
// trec_eval's own output.
//
// Retrieval is scored on documents, each at its first place (hits.doc_rank). Three kinds of value are missing, which is
// NULL with a reason and never 0: those of a cell that failed ("error"), of a system that retrieves nothing by design
// ("nothing retrieved"), and of an answerable question without labels ("no labels"). An unanswerable question without
// labels scores 0 and stays in the means; a ranking without hits scores 0 as trec_eval -c has it. A question with
// judgments of which none is positive scores 0.
package score

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/sqlfile"
)

//go:embed *.sql
var files embed.FS

var statements = sqlfile.MustLoad(files, "score.sql", "run_exists", "count_pending", "clear", "fill")

// Run fills scores with the retrieval metrics of every answer of the run that lacks them, at each k of runs.k_values and
// over the whole ranking, and returns the number of answers scored. Run again, it finds nothing to do. The error of an
// unknown run wraps rag.ErrNotFound.
func Run(ctx context.Context, tx *sql.Tx, runID int64) (int, error) {
	run := sql.Named("run_id", runID)
	var runs, pending int
	if err := tx.QueryRowContext(ctx, statements.SQL("run_exists"), run).Scan(&runs); err != nil {
		return 0, fmt.Errorf("score run %d: %w", runID, err)
	}
	if runs == 0 {
		return 0, fmt.Errorf("score run %d: %w", runID, rag.ErrNotFound)
	}
	if err := tx.QueryRowContext(ctx, statements.SQL("count_pending"), run).Scan(&pending); err != nil {
		return 0, fmt.Errorf("score run %d: %w", runID, err)
	}
	if pending == 0 {
		return 0, nil
	}
	if _, err := tx.ExecContext(ctx, statements.SQL("fill"), run); err != nil {
		return 0, fmt.Errorf("score run %d: %w", runID, err)
	}
	return pending, nil
}

// Again takes the retrieval metrics of the run out and computes them anew, for labels or rankings that have changed.
// Other scores stay. It returns the number of answers scored.
func Again(ctx context.Context, tx *sql.Tx, runID int64) (int, error) {
	names, err := json.Marshal(Metrics.Names())
	if err != nil {
		return 0, fmt.Errorf("score run %d: %w", runID, err)
	}
	_, err = tx.ExecContext(ctx, statements.SQL("clear"), sql.Named("run_id", runID), sql.Named("names", string(names)))
	if err != nil {
		return 0, fmt.Errorf("clear the scores of run %d: %w", runID, err)
	}
	return Run(ctx, tx, runID)
}
