package cli

import (
	"context"
	"database/sql"

	"ragbench/internal/config"
	"ragbench/internal/score"
)

// measure turns the answers of a run into numbers.
func (a *app) measure(ctx context.Context, f *file, c *config.Config, runID int64) error {
	return f.Write(ctx, func(tx *sql.Tx) error {
		if _, err := score.Run(ctx, tx, runID); err != nil {
			return err
		}
		_, err := score.Answers(ctx, tx, runID)
		return err
	})
}
