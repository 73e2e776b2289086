// Package delimited reads tables of delimited fields (RFC 4180): CSV and its kin. It is lenient where files are: any
// line end, quotes within bare fields, rows of any length; and it says where.
package delimited

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// RowError is a row that cannot be read. After one that is too long reading goes on; an open quote ends it.
type RowError struct {
	Line int // where the row begins, from 1
	Err  error
}

// Error returns "line n: cause".
func (e *RowError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// Reader reads rows.
type Reader struct {
	br    *bufio.Reader
	comma byte
	max   int
	line  int // of the next byte
	size  int // of the current row
	buf   []byte
	ends  []int

	// OddQuotes is the number of rows with a quote within a bare field, or text after a closing quote; OddLine is the
	// line of the first.
	OddQuotes, OddLine int
}

// NewReader reads rows of at most max bytes whose fields stand apart by comma; 0 means one field a row.
func NewReader(r io.Reader, comma byte, max int) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 64<<10), comma: comma, max: max, line: 1}
}

// Next returns the fields of the next row and the line it begins in. Blank lines are passed over. At the end the error
// is io.EOF.
func (r *Reader) Next() (fields []string, line int, err error) {
	for {
		line = r.line
		if err = r.row(); err != nil {
			return nil, line, err
		}
		if len(r.ends) > 1 || len(r.buf) > 0 {
			break
		}
	}
	all := string(r.buf)
	fields = make([]string, len(r.ends))
	from := 0
	for i, end := range r.ends {
		fields[i] = all[from:end]
		from = end
	}
	return fields, line, nil
}

// row reads one row into buf and ends.
func (r *Reader) row() error {
	start := r.line
	r.buf, r.ends, r.size = r.buf[:0], r.ends[:0], 0
	odd := false
	for first := true; ; first = false {
		more, err := r.field(&odd)
		switch {
		case errors.Is(err, io.EOF) && first && len(r.buf) == 0 && r.size == 0:
			return io.EOF
		case errors.Is(err, io.ErrUnexpectedEOF):
			return &RowError{start, errors.New("the quote opened in this row is not closed")}
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		if r.size <= r.max {
			r.ends = append(r.ends, len(r.buf))
		}
		if !more {
			break
		}
	}
	if odd && r.size <= r.max {
		if r.OddQuotes++; r.OddQuotes == 1 {
			r.OddLine = start
		}
	}
	if r.size > r.max {
		return &RowError{start, fmt.Errorf("row of more than %d bytes", r.max)}
	}
	return nil
}

// field appends one field and reports whether another follows in the row. The error is io.EOF at the end of the input,
// io.ErrUnexpectedEOF within quotes.
func (r *Reader) field(odd *bool) (more bool, err error) {
	c, err := r.next()
	if err != nil {
		return false, err
	}
	if c == '"' {
		if err := r.quoted(); err != nil {
			return false, err
		}
		if c, err = r.next(); err != nil {
			return false, err
		}
	}
	for quoted := false; ; {
		switch {
		case c == r.comma && c != 0:
			return true, nil
		case c == '\n':
			return false, nil
		}
		quoted = quoted || c == '"'
		r.add(c)
		if quoted {
			*odd = true
		}
		if c, err = r.next(); err != nil {
			return false, err
		}
	}
}

// quoted appends up to the closing quote. Line ends within quotes stay as they are.
func (r *Reader) quoted() error {
	for {
		c, err := r.br.ReadByte()
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		r.size++
		if c == '\n' {
			r.line++
		}
		if c != '"' {
			r.add(c)
			continue
		}
		after, err := r.br.Peek(1)
		if err != nil || after[0] != '"' {
			return nil
		}
		r.add('"')
		if _, err := r.br.Discard(1); err != nil {
			return err
		}
		r.size++
	}
}

// next returns the next byte outside quotes; every line end is '\n'.
func (r *Reader) next() (byte, error) {
	c, err := r.br.ReadByte()
	if err != nil {
		return 0, err
	}
	r.size++
	if c == '\r' {
		if after, err := r.br.Peek(1); err == nil && after[0] == '\n' {
			if _, err := r.br.ReadByte(); err != nil {
				return 0, err
			}
		}
		c = '\n'
	}
	if c == '\n' {
		r.line++
	}
	return c, nil
}

// add appends a byte of a field, as long as the row is within its limit.
func (r *Reader) add(c byte) {
	if r.size <= r.max {
		r.buf = append(r.buf, c)
	}
}
