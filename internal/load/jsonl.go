package load

import (
	"context"
	"errors"
	"fmt"
	"io"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadJSONL reads one document a row. A row whose text is blank but which has a title becomes a document of its title:
// otherwise it could never be found.
func loadJSONL(ctx context.Context, f *File, yield func(rag.Document) error) error {
	r, err := jsonl.NewReader(f, f.Path, int(f.Max))
	if err != nil {
		return err
	}
	defer func() {
		for _, w := range r.Warnings() {
			f.warn.add(w)
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
			d, err = documentOf(f, row)
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
		if text.Blank(d.Text) && !text.Blank(d.Title) {
			d.Text = d.Title
			f.Warn("title_as_text", d.ID, "the document has no text; its title is used as its text")
		}
		if err := yield(d); err != nil {
			return err
		}
	}
}

// documentOf reads the fields of a row.
func documentOf(f *File, row *jsonl.Row) (rag.Document, error) {
	id, _, err := row.String("id", "_id", "doc_id")
	if err != nil {
		return rag.Document{}, err
	}
	if id == "" {
		id = "doc_" + text.StableHash(text.Slug(fmt.Sprintf("%s:%d", f.Path, row.Line)), 10)
	}
	title, hasTitle, err := row.String("title")
	if err != nil {
		return rag.Document{}, err
	}
	body, hasText, err := row.String("text", "content", "body")
	if err != nil {
		return rag.Document{}, err
	}
	if !hasText && !hasTitle {
		return rag.Document{}, row.Errorf("row %s has no text, content or body", id)
	}
	return rag.Document{ID: id, Title: title, Text: body, Metadata: row.Rest()}, nil
}
