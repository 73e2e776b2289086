package trec

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"ragbench/internal/rag"
)

// Export writes the rankings of a system as a run file: documents at their first place, questions in the order of the
// dataset, the system's name as the tag with its spaces as "_". The order is ours, whatever a reader makes of ties: where
// a score is not below the one before it, the next lower float32 is written instead. A question without hits has no line,
// and neither has a failed one; trec_eval -c counts both as 0, where our means leave a failed one out. Of repeats the
// first is written. An id that the format cannot hold is refused.
func Export(ctx context.Context, q Querier, w io.Writer, runID int64, system string) error {
	if err := export(ctx, q, w, runID, system); err != nil {
		return fmt.Errorf("export run %d, system %q: %w", runID, system, err)
	}
	return nil
}

func export(ctx context.Context, q Querier, w io.Writer, runID int64, system string) error {
	var id int64
	err := one(ctx, q, "find_system", &id, sql.Named("run_id", runID), sql.Named("name", system))
	if errors.Is(err, sql.ErrNoRows) {
		return rag.ErrNotFound
	}
	if err != nil {
		return err
	}
	tag := cmp.Or(strings.Join(strings.Fields(system), "_"), "run")
	out := bufio.NewWriter(w)
	before, last := math.Inf(1), ""
	err = each(ctx, q, "ranking", func(rows *sql.Rows) error {
		var qid, doc string
		var rank int
		var score float64
		if err := rows.Scan(&qid, &doc, &rank, &score); err != nil {
			return err
		}
		if err := errors.Join(checkID("question", qid), checkID("document", doc)); err != nil {
			return err
		}
		if rank == 1 || qid != last {
			before, last = math.Inf(1), qid
		}
		score, ok := below(before, score)
		if !ok {
			return fmt.Errorf("question %s: no score is left below %g for document %s", qid, before, doc)
		}
		before = score
		_, err := fmt.Fprintf(out, "%s Q0 %s %d %s %s\n", qid, doc, rank, strconv.FormatFloat(score, 'g', -1, 64), tag)
		return err
	}, sql.Named("system_id", id))
	if err != nil {
		return err
	}
	return out.Flush()
}

// below returns score when it is below before, both as float64 and as float32, and else the next float32 below before.
// It reports false when there is none.
func below(before, score float64) (float64, bool) {
	if float32(score) >= float32(before) {
		score = float64(math.Nextafter32(float32(before), float32(math.Inf(-1))))
	}
	return score, !math.IsInf(score, 0) && !math.IsNaN(score)
}

// ExportQrels writes the judgments of a dataset as "qid 0 docid grade". The file has one number a document: where a
// label is relevant without a positive grade, or not relevant with one, trec_eval cannot see it.
func ExportQrels(ctx context.Context, q Querier, w io.Writer, datasetID int64) error {
	out := bufio.NewWriter(w)
	err := each(ctx, q, "judgments", func(rows *sql.Rows) error {
		var qid, doc string
		var grade int
		if err := rows.Scan(&qid, &doc, &grade); err != nil {
			return err
		}
		if err := errors.Join(checkID("question", qid), checkID("document", doc)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s 0 %s %d\n", qid, doc, grade)
		return err
	}, sql.Named("dataset_id", datasetID))
	if err != nil {
		return fmt.Errorf("export qrels of dataset %d: %w", datasetID, err)
	}
	return out.Flush()
}

// checkID refuses an id that a column of white-space separated text cannot hold.
func checkID(kind, id string) error {
	if strings.ContainsFunc(id, unicode.IsSpace) {
		return fmt.Errorf("%s id %q holds a space, which TREC files cannot", kind, id)
	}
	if kind == "question" && strings.HasPrefix(id, "#") {
		return fmt.Errorf("%s id %q begins like a comment, which TREC files cannot hold", kind, id)
	}
	return nil
}
