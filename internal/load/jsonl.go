package load

import (
	"context"
	"errors"
	"fmt"
	"io"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
)

// loadJSONL reads one document a row.
func loadJSONL(ctx context.Context, f *File, yield func(rag.Document) error) error {
	r, err := jsonl.NewReader(f, f.Path, int(f.Max))
	if err != nil {
		return err
	}
	defer func() {
		for _, w := range r.Warnings() {
			f.walk.warn.add(w)
		}
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var d rag.Document
		if err == nil {
			d, err = f.object(row)
		}
		var bad *jsonl.RowError
		if errors.As(err, &bad) && f.Skip {
			f.Warn("skipped_row", fmt.Sprintf("%s:%d", f.Path, bad.Line), bad.Err.Error())
			continue
		}
		if err != nil {
			return err
		}
		f.line = row.Line
		d.Encoding = r.Encoding()
		if err := yield(d); err != nil {
			return err
		}
	}
}
