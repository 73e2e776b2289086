package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ragbench/internal/rag"
)

// RunInput describes a run to start or to go on with.
type RunInput struct {
	Name           string
	Label          string // tried first; a number is added when the file has it
	DatasetID      int64
	Mode           string
	Config         string // verbatim
	ConfigSHA256   string // of everything that decides the results
	Seed           int64
	KValues        []int
	PrimaryK       int
	RetrievalDepth int
	ContextK       int
	NDCGGain       string
	CodeVersion    string
	Now            string
	Systems        []SystemInput
	Questions      int
}

// SystemInput describes a system of a run.
type SystemInput struct {
	Name, Type   string
	Config       string // JSON
	ConfigSHA256 string
	SQL          string
}

// Run is a run with the ids of its rows.
type Run struct {
	ID          int64
	Label       string
	Resumed     bool
	SystemIDs   []int64 // in the order of the input
	FirstAnswer int64   // answer id of the first system and the first question
}

// StartRun makes the rows of a run, or finds those of an unfinished run of the same configuration, dataset and mode.
func (db *DB) StartRun(ctx context.Context, in RunInput) (Run, error) {
	var run Run
	err := db.Write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, runSQL.SQL("unfinished_run"), sql.Named("config_sha256", in.ConfigSHA256), sql.Named("dataset_id", in.DatasetID), sql.Named("mode", in.Mode)).Scan(&run.ID)
		switch {
		case err == nil:
			run.Resumed = true
			return resumeRun(ctx, tx, &run)
		case errors.Is(err, sql.ErrNoRows):
			return newRun(ctx, tx, in, &run)
		}
		return err
	})
	if err != nil {
		return run, fmt.Errorf("start run %s: %w", in.Name, err)
	}
	return run, nil
}

// newRun inserts a run, its systems and the reservation of its answers' ids.
func newRun(ctx context.Context, tx *sql.Tx, in RunInput, run *Run) error {
	ks, err := json.Marshal(in.KValues)
	if err != nil {
		return err
	}
	run.Label = in.Label
	for n := 2; ; n++ {
		var taken int
		if err := tx.QueryRowContext(ctx, runSQL.SQL("label_taken"), sql.Named("label", run.Label)).Scan(&taken); err != nil {
			return err
		}
		if taken == 0 {
			break
		}
		run.Label = fmt.Sprintf("%s_%d", in.Label, n)
	}
	err = tx.QueryRowContext(ctx, runSQL.SQL("put_run"), sql.Named("name", in.Name), sql.Named("label", run.Label), sql.Named("dataset_id", in.DatasetID),
		sql.Named("mode", in.Mode), sql.Named("config", in.Config), sql.Named("config_sha256", in.ConfigSHA256), sql.Named("seed", in.Seed),
		sql.Named("k_values", string(ks)), sql.Named("primary_k", in.PrimaryK), sql.Named("retrieval_depth", in.RetrievalDepth),
		sql.Named("context_k", in.ContextK), sql.Named("ndcg_gain", in.NDCGGain), sql.Named("code_version", in.CodeVersion),
		sql.Named("started_at", in.Now)).Scan(&run.ID)
	if err != nil {
		return err
	}
	for i, s := range in.Systems {
		var id int64
		err := tx.QueryRowContext(ctx, runSQL.SQL("put_system"), sql.Named("run_id", run.ID), sql.Named("position", i), sql.Named("name", s.Name),
			sql.Named("type", s.Type), sql.Named("config", s.Config), sql.Named("config_sha256", s.ConfigSHA256), sql.Named("sql", s.SQL)).Scan(&id)
		if err != nil {
			return fmt.Errorf("system %s: %w", s.Name, err)
		}
		run.SystemIDs = append(run.SystemIDs, id)
	}
	if err := tx.QueryRowContext(ctx, runSQL.SQL("next_answer")).Scan(&run.FirstAnswer); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, runSQL.SQL("reserve_answers"), sql.Named("run_id", run.ID), sql.Named("first", run.FirstAnswer),
		sql.Named("last", run.FirstAnswer+int64(len(in.Systems)*in.Questions)-1), sql.Named("questions", in.Questions))
	return err
}

// resumeRun reads back the ids of an unfinished run and marks it running again.
func resumeRun(ctx context.Context, tx *sql.Tx, run *Run) error {
	if err := tx.QueryRowContext(ctx, runSQL.SQL("first_answer"), sql.Named("run_id", run.ID)).Scan(&run.FirstAnswer); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, runSQL.SQL("systems"), sql.Named("run_id", run.ID))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var name, digest string
		if err := rows.Scan(&id, &name, &digest); err != nil {
			return err
		}
		run.SystemIDs = append(run.SystemIDs, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return setStatus(ctx, tx, run.ID, "running", "")
}

// SetRunStatus ends a run as done, stopped or failed, at a time in ISO-8601.
func (db *DB) SetRunStatus(ctx context.Context, runID int64, status, now string) error {
	err := db.Write(ctx, func(tx *sql.Tx) error { return setStatus(ctx, tx, runID, status, now) })
	if err != nil {
		return fmt.Errorf("set status of run %d: %w", runID, err)
	}
	return nil
}

func setStatus(ctx context.Context, tx *sql.Tx, runID int64, status, now string) error {
	_, err := tx.ExecContext(ctx, runSQL.SQL("set_status"), sql.Named("run_id", runID), sql.Named("status", status), sql.Named("finished_at", nullable(now)))
	return err
}

// Cell names one (system, question) pair by row ids.
type Cell struct{ SystemID, QuestionID int64 }

// GoodCells returns the cells of a run that have a good answer.
func (db *DB) GoodCells(ctx context.Context, runID int64) (map[Cell]bool, error) {
	rows, err := db.reader.QueryContext(ctx, runSQL.SQL("good_cells"), sql.Named("run_id", runID))
	if err != nil {
		return nil, fmt.Errorf("read finished cells: %w", err)
	}
	defer rows.Close()
	good := map[Cell]bool{}
	for rows.Next() {
		var c Cell
		if err := rows.Scan(&c.SystemID, &c.QuestionID); err != nil {
			return nil, fmt.Errorf("read finished cells: %w", err)
		}
		good[c] = true
	}
	return good, rows.Err()
}

// PutIngestion records what ingestion made for a system and what that costs.
func (db *DB) PutIngestion(ctx context.Context, systemID int64, r rag.IngestReport, wallMS float64) error {
	var warnings []string
	for _, w := range r.Warnings {
		warnings = append(warnings, w.Message)
	}
	err := db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, runSQL.SQL("put_ingestion"), sql.Named("system_id", systemID), sql.Named("num_chunks", r.Chunks),
			sql.Named("num_vectors", r.Vectors), sql.Named("built", listJSON(r.Built)), sql.Named("reused", listJSON(r.Reused)),
			sql.Named("wall_ms", wallMS), sql.Named("embedding_tokens", r.Usage.EmbeddingTokens),
			sql.Named("llm_tokens", r.Usage.PromptTokens+r.Usage.CompletionTokens), sql.Named("output_tokens", r.Usage.CompletionTokens), sql.Named("cost_usd", dollars(r.Usage.Total())), sql.Named("warnings", listJSON(warnings)))
		return err
	})
	if err != nil {
		return fmt.Errorf("record ingestion: %w", err)
	}
	return nil
}

// dollars is a cost as stored: NULL when unknown.
func dollars(c rag.Cost) any {
	if c.Unknown {
		return nil
	}
	return c.USD
}
