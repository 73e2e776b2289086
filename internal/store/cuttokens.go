package store

import (
	"context"
	"database/sql"
	"fmt"
)

// SetCutTokens records how many tokens were embedded to cut the documents of an index, so that a system that finds the
// index made is charged what it would have cost alone.
func SetCutTokens(ctx context.Context, tx *sql.Tx, indexID int64, tokens int) error {
	if tokens == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, indexSQL.SQL("set_cut_tokens"), sql.Named("index_id", indexID), sql.Named("tokens", tokens)); err != nil {
		return fmt.Errorf("record the tokens of cutting: %w", err)
	}
	return nil
}

// CutTokens returns what SetCutTokens recorded, 0 for nothing.
func CutTokens(ctx context.Context, tx *sql.Tx, indexID int64) (tokens int, err error) {
	if err := tx.QueryRowContext(ctx, indexSQL.SQL("cut_tokens"), sql.Named("index_id", indexID)).Scan(&tokens); err != nil {
		return 0, fmt.Errorf("read the tokens of cutting: %w", err)
	}
	return tokens, nil
}
