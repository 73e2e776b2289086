// Package trec reads and writes the files of the TREC evaluations: run files (qid Q0 docid rank score tag) and judgment
// files or qrels (qid 0 docid grade). A run file becomes a system of a run, so that any peer's ranking is scored like
// ours; a system's ranking becomes a run file that trec_eval scores like ours.
//
// Order is trec_eval's: score descending, then document id descending bytewise; the rank column is ignored. Scores are
// compared as float64, as trec_eval 10 does; trec_eval 9 kept them as float32, so files written here are in strictly
// descending order under either.
package trec

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxLine bounds one line of a file, in bytes.
const maxLine = 1 << 20

// line is one line with content: its fields and where it stands.
type line struct {
	fields []string
	number int // from 1
}

// scan calls fn for each line of r that holds fields. Comments (# first), blank lines, a byte order mark and CR before LF
// are passed over; gzip is recognised by its first bytes. Errors name the file and the line.
func scan(r io.Reader, name string, fn func(line) error) error {
	br := bufio.NewReader(r)
	if head, _ := br.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		zr, err := gzip.NewReader(br)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer zr.Close()
		br = bufio.NewReader(zr)
	}
	sc := bufio.NewScanner(br)
	sc.Buffer(nil, maxLine)
	number := 0
	for sc.Scan() {
		number++
		text := sc.Text()
		if number == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		fields := strings.Fields(text)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := fn(line{fields, number}); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: the line is longer than %d bytes", name, number+1, maxLine)
	} else if err != nil {
		return fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	return nil
}

// read opens the file at path and hands it to parse.
func read[T any](path string, parse func(io.Reader, string) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var zero T
		return zero, fmt.Errorf("read TREC file: %w", err)
	}
	defer f.Close()
	return parse(f, path)
}
