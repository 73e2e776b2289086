package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/rag"
)

// StoredRun is what a run was made with.
type StoredRun struct {
	ID        int64
	Name      string
	Mode      string
	Config    string // YAML, verbatim
	DatasetID int64
	Metadata  map[string]json.RawMessage
}

// RunConfig returns what a run was made with; rag.ErrNotFound when there is none of that number.
func (db *DB) RunConfig(ctx context.Context, runID int64) (StoredRun, error) {
	r := StoredRun{ID: runID}
	var meta string
	err := db.reader.QueryRowContext(ctx, runSQL.SQL("run_config"), sql.Named("run_id", runID)).Scan(&r.Name, &r.Mode, &r.Config, &r.DatasetID, &meta)
	if errors.Is(err, sql.ErrNoRows) {
		err = rag.ErrNotFound
	}
	if err == nil {
		err = json.Unmarshal([]byte(meta), &r.Metadata)
	}
	if err != nil {
		return r, fmt.Errorf("read run %d: %w", runID, err)
	}
	return r, nil
}

// Note keeps a value in the metadata of a run, in place of an earlier one.
func (db *DB) Note(ctx context.Context, runID int64, key string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("note %s of run %d: %w", key, runID, err)
	}
	err = db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, runSQL.SQL("note"), sql.Named("path", "$."+key), sql.Named("value", string(b)), sql.Named("run_id", runID))
		return err
	})
	if err != nil {
		return fmt.Errorf("note %s of run %d: %w", key, runID, err)
	}
	return nil
}

// Probe is a question that was asked again by itself, to see what a person would wait.
type Probe struct {
	Cell    Cell
	Latency time.Duration
	Calls   int
	Cost    rag.Cost
}

// PutProbe records a probe in place of an earlier one.
func (db *DB) PutProbe(ctx context.Context, p Probe) error {
	err := db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, runSQL.SQL("put_probe"), sql.Named("system_id", p.Cell.SystemID), sql.Named("question_id", p.Cell.QuestionID),
			sql.Named("latency_ms", millis(p.Latency)), sql.Named("num_calls", p.Calls), sql.Named("cost_usd", dollars(p.Cost)))
		return err
	})
	if err != nil {
		return fmt.Errorf("record latency probe: %w", err)
	}
	return nil
}
