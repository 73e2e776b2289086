package load

import (
	"context"

	"ragbench/internal/load/sheet"
	"ragbench/internal/rag"
)

// loadXLSX reads the tables of a workbook, one document a row.
func loadXLSX(ctx context.Context, f *File, yield func(rag.Document) error) error {
	a, err := f.Archive()
	if err != nil {
		return err
	}
	book, err := sheet.Open(a)
	if err != nil {
		return err
	}
	for _, s := range book.Sheets() {
		t := table{f: f, encoding: "binary", sheet: s.Name, yield: yield}
		err := book.Rows(s, func(cells []string, row int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f.skipRow(t.row(cells, row))
		})
		if err != nil {
			return err
		}
		t.end()
	}
	return nil
}
