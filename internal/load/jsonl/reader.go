// Package jsonl reads files of one JSON object a line: corpora, questions and labels. Lines may be of any length up to
// a limit, errors name the file and the line, and a bad line does not end the reading.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"ragbench/internal/load/charset"
	"ragbench/internal/rag"
)

// Reader reads rows.
type Reader struct {
	name     string
	encoding string
	br       *bufio.Reader
	max      int
	line     int
	buf      []byte
	notes    []rag.Warning
	counted  []counted
}

// counted is a kind of change made to values of the file.
type counted struct {
	code, what   string
	times, first int
}

// RowError is a line that cannot be used. Reading may go on behind it.
type RowError struct {
	File string
	Line int // from 1
	Err  error
}

// Error returns file:line: cause.
func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// NewReader returns a Reader of r, which errors and warnings call name. A line longer than maxRow bytes is a RowError.
// The encoding is found by charset.Stream.
func NewReader(r io.Reader, name string, maxRow int) (*Reader, error) {
	in, enc, notes, err := charset.Stream(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	jr := &Reader{name: name, encoding: enc, br: bufio.NewReaderSize(in, 64<<10), max: maxRow}
	for _, n := range notes {
		jr.notes = append(jr.notes, rag.Warning{Code: n.Code, Subject: name, Message: n.Message})
	}
	return jr, nil
}

// Encoding names the encoding of the file, such as utf-8.
func (r *Reader) Encoding() string { return r.encoding }

// Next returns the next row; blank lines are passed over. At the end the error is io.EOF.
func (r *Reader) Next() (*Row, error) {
	for {
		line, err := r.readLine()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !utf8.Valid(line) {
			r.count("encoding_fallback", "not valid UTF-8; read as windows-1252, which is a guess, in")
			if line, err = charmap.Windows1252.NewDecoder().Bytes(line); err != nil {
				return nil, r.Errorf("decode as windows-1252: %w", err)
			}
		}
		return r.row(line)
	}
}

// row reads one object.
func (r *Reader) row(raw []byte) (*Row, error) {
	row := &Row{Line: r.line, number: r.line, reader: r, raw: raw}
	if err := json.Unmarshal(raw, &row.fields); err != nil {
		return nil, r.Errorf("not a JSON object: %s", plainJSONError(err))
	}
	if row.fields == nil {
		return nil, r.Errorf("not a JSON object: null")
	}
	return row, nil
}

// Rows returns a Reader without a stream: Row makes its rows, Warnings says what was noticed in them.
func Rows(name string) *Reader { return &Reader{name: name} }

// Row makes a row of an object that was read elsewhere: the one of that number, which begins in the given line.
func (r *Reader) Row(raw []byte, number, line int) (*Row, error) {
	r.line = line
	row, err := r.row(raw)
	if err == nil {
		row.number = number
	}
	return row, err
}

// readLine returns the next line without its end; it is valid until the next call. A line over the limit is read to
// its end, so that the following line can be read.
func (r *Reader) readLine() ([]byte, error) {
	r.buf = r.buf[:0]
	r.line++
	for size := 0; ; {
		part, err := r.br.ReadSlice('\n')
		size += len(part)
		if size <= r.max+1 {
			r.buf = append(r.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && size == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read %s: line %d: %w", r.name, r.line, err)
		case size > r.max+1:
			return nil, r.Errorf("line of more than %d bytes", r.max)
		}
		return r.buf, nil
	}
}

// Errorf makes a RowError at the line read last.
func (r *Reader) Errorf(format string, args ...any) error {
	return &RowError{File: r.name, Line: r.line, Err: fmt.Errorf(format, args...)}
}

// Warnings returns what was noticed so far, one warning a kind with a count, in order of first sight.
func (r *Reader) Warnings() []rag.Warning {
	out := append([]rag.Warning(nil), r.notes...)
	for _, c := range r.counted {
		out = append(out, rag.Warning{
			Code: c.code, Subject: r.name,
			Message: fmt.Sprintf("%s %d lines or values, the first in line %d", c.what, c.times, c.first),
		})
	}
	return out
}

func (r *Reader) count(code, what string) {
	for i := range r.counted {
		if r.counted[i].code == code {
			r.counted[i].times++
			return
		}
	}
	r.counted = append(r.counted, counted{code: code, what: what, times: 1, first: r.line})
}

// plainJSONError drops the parts of a decoder's message that speak of Go types.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return "got " + wrong.Value
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
