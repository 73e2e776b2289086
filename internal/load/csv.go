package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/delimited"
	"ragbench/internal/rag"
)

// sniffSize is how many bytes of a table are looked at for its delimiter.
const sniffSize = 64 << 10

// loadCSV reads a table of delimited fields, one document a row.
func loadCSV(ctx context.Context, f *File, yield func(rag.Document) error) error {
	in, encoding, notes, err := charset.Guess(f)
	if err != nil {
		return err
	}
	for _, n := range notes {
		f.Warn(n.Code, "", n.Message)
	}
	br := bufio.NewReaderSize(in, sniffSize)
	head, err := br.Peek(sniffSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	prefer := byte(',')
	if strings.EqualFold(path.Ext(f.Path), ".tsv") {
		prefer = '\t'
	}
	comma, skip := delimited.Sniff(head, prefer)
	if _, err := br.Discard(skip); err != nil {
		return err
	}
	r := delimited.NewReader(br, comma, int(f.Max))
	t := table{f: f, encoding: encoding, yield: yield}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields, line, err := r.Next()
		if skip > 0 {
			line++ // the line that names the delimiter
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = t.row(f.utf8(fields, line), line)
		}
		var bad *delimited.RowError
		if errors.As(err, &bad) {
			err = &rowError{bad.Line, bad.Err}
		}
		if err := f.skipRow(err); err != nil {
			return err
		}
	}
	if r.OddQuotes > 0 {
		f.Warn("odd_quotes", "", fmt.Sprintf("%d rows have quotes within a field that is not quoted, the first in line %d", r.OddQuotes, r.OddLine))
	}
	t.end()
	return nil
}

// rowError is a row that cannot be a document.
type rowError struct {
	line int
	err  error
}

func (e *rowError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func (e *rowError) Unwrap() error { return e.err }

// skipRow reports a bad row and passes over it where the walk is to go on.
func (f *File) skipRow(err error) error {
	var bad *rowError
	if f.Skip && errors.As(err, &bad) {
		f.Warn("skipped_row", fmt.Sprintf("%s:%d", f.Path, bad.line), bad.err.Error())
		return nil
	}
	return err
}

// utf8 reads fields that are no UTF-8, in a table whose beginning was, as windows-1252.
func (f *File) utf8(fields []string, line int) []string {
	for i, s := range fields {
		if !utf8.ValidString(s) {
			f.Warn("encoding_fallback", fmt.Sprintf("%s:%d", f.Path, line), "not valid UTF-8; read as windows-1252, which is a guess")
			out, err := charmap.Windows1252.NewDecoder().String(s)
			if err != nil {
				out = strings.ToValidUTF8(s, "\ufffd")
			}
			fields[i] = out
		}
	}
	return fields
}
