package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/container"
	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// recordLists are the fields of an object whose lists of objects are its rows.
var recordLists = []string{"records", "documents", "docs", "rows", "data", "items", "results", "entries"}

// errTruncated marks a file that ends within a value.
var errTruncated = fmt.Errorf("%w: it ends within a value", container.ErrBroken)

// jsonFile reads a JSON file a row at a time: a list of objects, an object with such a list, or objects one after the
// other. A single object without a list is one document.
type jsonFile struct {
	f        *File
	in       *lineReader
	d        *json.Decoder
	rows     *jsonl.Reader
	encoding string
	yield    func(rag.Document) error
	number   int
}

// loadJSON reads a JSON file.
func loadJSON(ctx context.Context, f *File, yield func(rag.Document) error) error {
	in, encoding, notes, err := charset.Guess(f)
	if err != nil {
		return err
	}
	for _, n := range notes {
		f.Warn(n.Code, "", n.Message)
	}
	lines := &lineReader{r: in, max: f.Max, line: 1}
	j := &jsonFile{f: f, in: lines, d: json.NewDecoder(lines), rows: jsonl.Rows(f.Path), encoding: encoding, yield: yield}
	j.d.UseNumber()
	defer func() {
		for _, w := range j.rows.Warnings() {
			f.walk.warn.add(w)
		}
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.in.passed(j.d.InputOffset())
		t, err := j.d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return j.fail(err)
		}
		switch t {
		case json.Delim('['):
			err = j.list(ctx)
		case json.Delim('{'):
			err = j.object(ctx)
		default:
			err = fmt.Errorf("line %d: the file holds %v and no object", j.in.line, t)
		}
		if err != nil {
			return err
		}
	}
}

// fail says what is wrong and where.
func (j *jsonFile) fail(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: %w", j.in.last(), errTruncated)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		j.in.passed(syntax.Offset)
		return fmt.Errorf("line %d: %w: %v", j.in.line, container.ErrBroken, err)
	}
	return fmt.Errorf("line %d: %w", j.in.line, err)
}

// list reads the elements of a list up to its end.
func (j *jsonFile) list(ctx context.Context) error {
	for j.d.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var raw json.RawMessage
		j.in.passed(j.d.InputOffset())
		if err := j.d.Decode(&raw); err != nil {
			return j.fail(err)
		}
		// The first line of the value: what stands before it is a comma and white space.
		j.in.passed(j.d.InputOffset() - int64(len(raw)))
		if err := j.f.skipRow(j.row(raw)); err != nil {
			return err
		}
	}
	if _, err := j.d.Token(); err != nil {
		return j.fail(err)
	}
	return nil
}

// row makes a document of an object.
func (j *jsonFile) row(raw json.RawMessage) error {
	j.number++
	line := j.in.line
	if int64(len(raw)) > j.f.Max {
		return &rowError{line, fmt.Errorf("object of more than %d bytes", j.f.Max)}
	}
	row, err := j.rows.Row(raw, j.number, line)
	var d rag.Document
	if err == nil {
		d, err = j.f.object(row)
	}
	var bad *jsonl.RowError
	if errors.As(err, &bad) {
		return &rowError{bad.Line, bad.Err}
	}
	if err != nil {
		return err
	}
	j.f.line = line
	d.Encoding = j.encoding
	return j.yield(d)
}

// object reads the fields of an object. A list of objects under one of the names of recordLists is its rows, and the
// fields beside it are left out; without one the object is a document.
func (j *jsonFile) object(ctx context.Context) error {
	var whole bytes.Buffer
	whole.WriteByte('{')
	listed, others := false, 0
	for j.d.More() {
		key, err := j.d.Token()
		if err != nil {
			return j.fail(err)
		}
		name := key.(string)
		isList, raw, err := j.value(ctx, slices.Contains(recordLists, strings.ToLower(name)))
		if err != nil {
			return err
		}
		if isList {
			listed = true
			continue
		}
		others++
		if listed {
			continue
		}
		if int64(whole.Len()+len(raw)) > j.f.Max {
			return &rowError{j.in.line, fmt.Errorf("object of more than %d bytes", j.f.Max)}
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if whole.Len() > 1 {
			whole.WriteByte(',')
		}
		whole.Write(quoted)
		whole.WriteByte(':')
		whole.Write(raw)
	}
	if _, err := j.d.Token(); err != nil {
		return j.fail(err)
	}
	if listed {
		if others > 0 {
			j.f.Warn("fields_left_out", "", fmt.Sprintf("%d fields beside the list of records are not read", others))
		}
		return nil
	}
	whole.WriteByte('}')
	return j.f.skipRow(j.single(whole.Bytes()))
}

// value reads the value of a field. A list of objects is read as rows where rows says so.
func (j *jsonFile) value(ctx context.Context, rows bool) (isList bool, raw json.RawMessage, err error) {
	if !rows {
		if err := j.d.Decode(&raw); err != nil {
			return false, nil, j.fail(err)
		}
		return false, raw, nil
	}
	t, err := j.d.Token()
	if err != nil {
		return false, nil, j.fail(err)
	}
	if delim, ok := t.(json.Delim); ok {
		return j.composite(ctx, delim)
	}
	raw, err = json.Marshal(t)
	return false, raw, err
}

// composite reads a list or an object whose first sign is read already.
func (j *jsonFile) composite(ctx context.Context, open json.Delim) (isList bool, raw json.RawMessage, err error) {
	var whole bytes.Buffer
	whole.WriteString(open.String())
	for first := true; j.d.More(); first = false {
		if !first {
			whole.WriteByte(',')
		}
		if open == '{' {
			key, err := j.d.Token()
			if err != nil {
				return false, nil, j.fail(err)
			}
			quoted, err := json.Marshal(key)
			if err != nil {
				return false, nil, err
			}
			whole.Write(append(quoted, ':'))
		}
		var element json.RawMessage
		if err := j.d.Decode(&element); err != nil {
			return false, nil, j.fail(err)
		}
		if first && open == '[' && element[0] == '{' {
			j.in.passed(j.d.InputOffset() - int64(len(element)))
			if err := j.f.skipRow(j.row(element)); err != nil {
				return false, nil, err
			}
			return true, nil, j.list(ctx)
		}
		whole.Write(element)
	}
	end, err := j.d.Token()
	if err != nil {
		return false, nil, j.fail(err)
	}
	whole.WriteString(end.(json.Delim).String())
	return false, whole.Bytes(), nil
}

// single makes a document of the only object of a file.
func (j *jsonFile) single(raw []byte) error {
	j.number++
	row, err := j.rows.Row(raw, j.number, 1)
	if err != nil {
		return err
	}
	hadTitle := row.Has("title")
	d, err := j.f.object(row)
	var bad *jsonl.RowError
	if errors.As(err, &bad) {
		return &rowError{bad.Line, bad.Err}
	}
	if err != nil {
		return err
	}
	if !hadTitle {
		d.Title = titleOf(j.f.Path)
	}
	if d.ID == j.f.rowID("1") && j.number == 1 {
		d.ID = text.DocumentID(j.f.Path)
	}
	d.Encoding = j.encoding
	return j.yield(d)
}
