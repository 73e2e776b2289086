package load

import (
	"context"
	"fmt"

	"ragbench/internal/load/docx"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// loadDocx reads a Word document.
func loadDocx(_ context.Context, f *File, yield func(rag.Document) error) error {
	a, err := f.Archive()
	if err != nil {
		return err
	}
	d, err := docx.Read(a)
	if err != nil {
		return err
	}
	if d.Comments > 0 {
		f.Warn("comments_left_out", "", fmt.Sprintf("%d comments of reviewers are not part of the text", d.Comments))
	}
	title := d.Title
	if title == "" {
		title = firstHeading(d.Text)
	}
	return yield(f.packed(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: d.Text}, d.Author))
}

// packed completes a document that came out of a packed or binary file.
func (f *File) packed(d rag.Document, author string) rag.Document {
	d.Encoding = "binary"
	d.Text = f.withoutNUL(d.Text, "")
	if author != "" {
		d.Metadata = map[string]string{"author": author}
	}
	return d
}
