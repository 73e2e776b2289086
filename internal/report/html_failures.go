package report

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// failureTable counts what went wrong by kind and system, and shows the first of them.
type failureTable struct {
	Systems []string
	Kinds   []failureKind
	List    []failure
	Total   int64
}

// failureKind is a row of counts, in the order of Systems.
type failureKind struct {
	Name, Doc string
	Counts    []int64
}

// failure is one that happened.
type failure struct {
	Kind, System, QID, Detail string
}

// failureDocs says what the kinds mean.
var failureDocs = map[string]string{
	"error":                 "the cell failed; it has no answer",
	"missing":               "the question was not asked yet",
	"empty":                 "the answer has no text",
	"finish_length":         "the model was cut off at its limit of tokens",
	"finish_content_filter": "the provider withheld the reply",
	"step_error":            "a step failed and the system answered in spite of it",
}

func (p *page) readFailures(ctx context.Context, r reader, systems []systemInfo) error {
	f := &p.Failures
	place := map[int64]int{}
	for i, s := range systems {
		f.Systems = append(f.Systems, s.Name)
		place[s.ID] = i
	}
	err := r.rows(ctx, "failure_counts", nil, func(rows *sql.Rows) error {
		var kind string
		var id, n int64
		if err := rows.Scan(&kind, &id, &n); err != nil {
			return err
		}
		at := slices.IndexFunc(f.Kinds, func(k failureKind) bool { return k.Name == kind })
		if at < 0 {
			at = len(f.Kinds)
			doc := failureDocs[kind]
			if rest, ok := strings.CutPrefix(kind, "finish_"); ok && doc == "" {
				doc = "the model stopped with the reason " + rest
			}
			f.Kinds = append(f.Kinds, failureKind{Name: kind, Doc: doc, Counts: make([]int64, len(systems))})
		}
		f.Kinds[at].Counts[place[id]] += n
		f.Total += n
		return nil
	})
	if err != nil {
		return err
	}
	return r.rows(ctx, "failures", nil, func(rows *sql.Rows) error {
		var x failure
		var detail sql.NullString
		if err := rows.Scan(&x.Kind, &x.System, &x.QID, &detail); err != nil {
			return err
		}
		x.Detail = shown(clip(detail.String, previewChars))
		f.List = append(f.List, x)
		return nil
	})
}
