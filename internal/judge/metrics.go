package judge

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ragbench/internal/score"
	"ragbench/internal/spec"
)

// Metrics describes the scores that come from the run's judge, in reading order: one number an answer, the mean over the
// judge's samples.
var Metrics = spec.Table[score.Def]{
	{Name: "answer_score", Title: "Answer score", Doc: "Unweighted mean of the judge's axes, from 0 to 5.",
		New: score.Def{Formula: "mean of the five axes", Whole: true}},
	{Name: "correctness", Title: "Correctness", Doc: "Agreement with the reference answer, from 0 to 5.", New: score.Def{Formula: "judge", Whole: true}},
	{Name: "faithfulness", Title: "Faithfulness", Doc: "Support of the answer by the passages the generator read, from 0 to 5.", New: score.Def{Formula: "judge", Whole: true}},
	{Name: "completeness", Title: "Completeness", Doc: "How much of what was asked is answered, from 0 to 5.", New: score.Def{Formula: "judge", Whole: true}},
	{Name: "relevance", Title: "Relevance", Doc: "How directly the answer addresses the question, from 0 to 5.", New: score.Def{Formula: "judge", Whole: true}},
	{Name: "citation_quality", Title: "Citation quality", Doc: "Whether citations stand with the statements and support them, from 0 to 5.", New: score.Def{Formula: "judge", Whole: true}},
	{Name: "answer_score_variance", Title: "Variance of the answer score", Doc: "Population variance of the answer score over the judge's samples; 0 for one sample.",
		New: score.Def{Formula: "E[x²] − E[x]²", Whole: true}},
	{Name: "supported", Title: "Supported", Doc: "1 when more than half of the samples find the answer supported by its passages.", New: score.Def{Formula: "mean > 1/2", Whole: true}},
	{Name: "hallucinated", Title: "Hallucinated", Doc: "1 when at least half of the samples find a statement without support that matters.", New: score.Def{Formula: "mean ≥ 1/2", Whole: true}},
}

// Main returns the judge whose scores are the run's, empty for none.
func Main(ctx context.Context, tx *sql.Tx, runID int64) (string, error) {
	var name string
	err := tx.QueryRowContext(ctx, statements.SQL("main_judge"), sql.Named("run_id", runID)).Scan(&name)
	if err != nil {
		return "", fmt.Errorf("read the judge of run %d: %w", runID, err)
	}
	return name, nil
}

// Use makes the judgments of a judge the run's scores, in place of those of another. A score that it does not give is
// NULL with a reason.
func Use(ctx context.Context, tx *sql.Tx, runID int64, judge string) error {
	names, err := json.Marshal(Metrics.Names())
	if err != nil {
		return err
	}
	run, list := sql.Named("run_id", runID), sql.Named("names", string(names))
	if _, err := tx.ExecContext(ctx, statements.SQL("clear_scores"), run, list); err != nil {
		return fmt.Errorf("clear the judged scores of run %d: %w", runID, err)
	}
	if _, err := tx.ExecContext(ctx, statements.SQL("fill_scores"), run, list, sql.Named("judge", judge)); err != nil {
		return fmt.Errorf("score run %d by its judge: %w", runID, err)
	}
	if _, err := tx.ExecContext(ctx, statements.SQL("set_main_judge"), run, sql.Named("judge", judge)); err != nil {
		return fmt.Errorf("set the judge of run %d: %w", runID, err)
	}
	return nil
}

// Own is a system whose answers a judge may favour.
type Own struct {
	System    string
	Generator string
	Same      bool // the very model; else one of the same provider
}

// OwnModels lists the systems of a run that a judge may favour because their generator is the judge itself or a model of
// its provider (Panickssery et al. 2024).
func OwnModels(ctx context.Context, tx *sql.Tx, runID int64, judge string) ([]Own, error) {
	rows, err := tx.QueryContext(ctx, statements.SQL("own_models"), sql.Named("run_id", runID), sql.Named("judge", judge))
	if err != nil {
		return nil, fmt.Errorf("compare the judge with the generators: %w", err)
	}
	defer rows.Close()
	var list []Own
	for rows.Next() {
		var o Own
		if err := rows.Scan(&o.System, &o.Generator); err != nil {
			return nil, fmt.Errorf("compare the judge with the generators: %w", err)
		}
		o.Same = o.Generator == judge
		list = append(list, o)
	}
	return list, rows.Err()
}
