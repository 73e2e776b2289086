package trec

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ragbench/internal/rag"
)

// ensureRun returns the run to add to: the one named, which must be over the dataset, or a new one.
func ensureRun(ctx context.Context, tx *sql.Tx, run *Run, to Target) (int64, error) {
	if to.RunID != 0 {
		var dataset int64
		err := one(ctx, tx, "run_dataset", &dataset, sql.Named("run_id", to.RunID))
		if errors.Is(err, sql.ErrNoRows) {
			return 0, fmt.Errorf("run %d: %w", to.RunID, rag.ErrNotFound)
		}
		if err == nil && dataset != to.DatasetID {
			err = fmt.Errorf("run %d is over dataset %d, not %d", to.RunID, dataset, to.DatasetID)
		}
		return to.RunID, err
	}
	var n int
	if err := one(ctx, tx, "dataset_exists", &n, sql.Named("dataset_id", to.DatasetID)); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, fmt.Errorf("dataset %d: %w", to.DatasetID, rag.ErrNotFound)
	}
	if to.RunName == "" {
		to.RunName = to.System
	}
	ks := slices.Compact(slices.Sorted(slices.Values(to.KValues)))
	if len(ks) == 0 {
		ks = []int{1, 3, 5, 10}
	}
	if ks[0] < 1 {
		return 0, fmt.Errorf("a cut-off must be at least 1, got %d", ks[0])
	}
	primary := to.PrimaryK
	switch {
	case primary == 0 && slices.Contains(ks, 5):
		primary = 5
	case primary == 0:
		primary = ks[len(ks)/2]
	case !slices.Contains(ks, primary):
		return 0, fmt.Errorf("primary k %d is not among the cut-offs %v", primary, ks)
	}
	depth := ks[len(ks)-1]
	for _, q := range run.Queries {
		depth = max(depth, len(q.Docs))
	}
	label, err := freeLabel(ctx, tx, to.RunName+"_"+to.Now.UTC().Format("20060102_150405"))
	if err != nil {
		return 0, err
	}
	kValues, err := json.Marshal(ks)
	if err != nil {
		return 0, err
	}
	var id int64
	err = one(ctx, tx, "add_run", &id,
		sql.Named("name", to.RunName), sql.Named("label", label), sql.Named("dataset_id", to.DatasetID),
		sql.Named("config_sha256", hash("")), sql.Named("k_values", string(kValues)), sql.Named("primary_k", primary),
		sql.Named("depth", depth), sql.Named("code_version", to.CodeVersion),
		sql.Named("now", to.Now.UTC().Format(time.RFC3339)))
	return id, err
}

// freeLabel returns label, or label_2 and so on when it is taken.
func freeLabel(ctx context.Context, tx *sql.Tx, label string) (string, error) {
	for try, i := label, 2; ; try, i = fmt.Sprintf("%s_%d", label, i), i+1 {
		var taken int
		if err := one(ctx, tx, "label_taken", &taken, sql.Named("label", try)); err != nil {
			return "", err
		}
		if taken == 0 {
			return try, nil
		}
	}
}
