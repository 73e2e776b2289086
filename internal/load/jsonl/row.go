package jsonl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Row is one object. A field may have several names, of which the first present one counts; null counts as absent.
// Fields that were asked for are used up; Rest returns the others.
type Row struct {
	Line   int // from 1
	number int
	reader *Reader
	fields map[string]json.RawMessage
	raw    []byte // the whole object; valid until the next row is read
}

// Number tells the row apart from the others of its file: its line, or its place among the rows of a list, from 1.
func (r *Row) Number() int { return r.number }

// Has reports whether a field is there, not null and not used up.
func (r *Row) Has(names ...string) bool {
	for _, name := range names {
		if raw, ok := r.fields[name]; ok && string(raw) != "null" {
			return true
		}
	}
	return false
}

// Columns returns the fields not used up in the order of the file, values as Rest gives them. It must be called before
// the next row is read.
func (r *Row) Columns() (names, values []string) {
	rest := r.Rest()
	d := json.NewDecoder(bytes.NewReader(r.raw))
	if _, err := d.Token(); err != nil {
		return nil, nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		name := r.clean(key.(string))
		if v, ok := rest[name]; ok {
			names, values = append(names, name), append(values, v)
			delete(rest, name) // of a repeated field the last value counts, at the first place
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			break
		}
	}
	return names, values
}

// take returns the first present field of names and uses it up.
func (r *Row) take(names []string) (json.RawMessage, string) {
	for _, name := range names {
		raw, ok := r.fields[name]
		if !ok {
			continue
		}
		delete(r.fields, name)
		if string(raw) != "null" {
			return raw, name
		}
	}
	return nil, ""
}

// String returns a string field; a number or a boolean counts as the text it is written as. Absent is "" and false.
func (r *Row) String(names ...string) (string, bool, error) {
	raw, name := r.take(names)
	if raw == nil {
		return "", false, nil
	}
	s, ok := r.scalar(raw)
	if !ok {
		return "", false, r.reader.Errorf("%s must be a string, got %s", name, brief(raw))
	}
	return s, true, nil
}

// Int returns a whole number; 2.0 and "2" count as 2.
func (r *Row) Int(names ...string) (int, bool, error) {
	raw, name := r.take(names)
	if raw == nil {
		return 0, false, nil
	}
	if s, ok := r.scalar(raw); ok {
		if n, ok := WholeNumber(s); ok {
			return n, true, nil
		}
	}
	return 0, false, r.reader.Errorf("%s must be a whole number, got %s", name, brief(raw))
}

// WholeNumber reads s as an integer; a decimal fraction of zeros is allowed.
func WholeNumber(s string) (int, bool) {
	if whole, frac, ok := strings.Cut(s, "."); ok && frac != "" && strings.Trim(frac, "0") == "" {
		s = whole
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// Bool returns true or false, also from "true", "false", 1 and 0 and their usual spellings.
func (r *Row) Bool(names ...string) (value, ok bool, err error) {
	raw, name := r.take(names)
	if raw == nil {
		return false, false, nil
	}
	if s, isScalar := r.scalar(raw); isScalar {
		if b, err := strconv.ParseBool(strings.ToLower(s)); err == nil {
			return b, true, nil
		}
	}
	return false, false, r.reader.Errorf("%s must be true or false, got %s", name, brief(raw))
}

// Strings returns a list of strings; a single string counts as a list of one, and "" as none.
func (r *Row) Strings(names ...string) ([]string, error) {
	raw, name := r.take(names)
	if raw == nil {
		return nil, nil
	}
	if s, ok := r.scalar(raw); ok {
		if s == "" {
			return nil, nil
		}
		return []string{s}, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, r.reader.Errorf("%s must be a list of strings, got %s", name, brief(raw))
	}
	var out []string
	for _, e := range list {
		s, ok := r.scalar(e)
		if !ok {
			return nil, r.reader.Errorf("%s must be a list of strings, one of them is %s", name, brief(e))
		}
		out = append(out, s)
	}
	return out, nil
}

// Rows returns a list of objects as rows of the same line.
func (r *Row) Rows(names ...string) ([]*Row, error) {
	raw, name := r.take(names)
	if raw == nil {
		return nil, nil
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, r.reader.Errorf("%s must be a list of objects, got %s", name, brief(raw))
	}
	var out []*Row
	for _, fields := range list {
		out = append(out, &Row{Line: r.Line, reader: r.reader, fields: fields})
	}
	return out, nil
}

// Rest returns the fields not used up: strings as they are, other values as compact JSON. Null, {} and [] are left out.
func (r *Row) Rest() map[string]string {
	var out map[string]string
	for _, name := range slices.Sorted(maps.Keys(r.fields)) { // in order, so that what is noticed first is the same each time
		raw := r.fields[name]
		s, ok := r.scalar(raw)
		if !ok {
			var b bytes.Buffer
			if err := json.Compact(&b, raw); err != nil {
				b.Reset()
				b.Write(raw)
			}
			if s = b.String(); s == "{}" || s == "[]" || s == "null" {
				continue
			}
		}
		if out == nil {
			out = make(map[string]string, len(r.fields))
		}
		out[r.clean(name)] = s
	}
	return out
}

// Errorf makes a RowError at the row.
func (r *Row) Errorf(format string, args ...any) error {
	e := r.reader.Errorf(format, args...).(*RowError)
	e.Line = r.Line
	return e
}

// scalar returns the text of a string, number or boolean.
func (r *Row) scalar(raw json.RawMessage) (string, bool) {
	switch raw[0] {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", false
		}
		if lostSurrogate(raw, s) {
			r.reader.count("replaced_characters", "half a surrogate pair became U+FFFD in")
		}
		return r.clean(s), true
	case '{', '[', 'n':
		return "", false
	}
	return string(raw), true
}

// clean removes NUL, which no column of text may hold.
func (r *Row) clean(s string) string {
	if !strings.Contains(s, "\x00") {
		return s
	}
	r.reader.count("nul_removed", "NUL characters removed from")
	return strings.ReplaceAll(s, "\x00", "")
}

// lostSurrogate reports whether decoding raw to s met half a surrogate pair, for which the decoder puts U+FFFD.
func lostSurrogate(raw json.RawMessage, s string) bool {
	if !bytes.Contains(raw, []byte(`\u`)) || !strings.Contains(s, "\ufffd") {
		return false
	}
	given := bytes.Count(raw, []byte("\ufffd")) + bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
	return strings.Count(s, "\ufffd") > given
}

// brief shows a value in a message.
func brief(raw json.RawMessage) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(slices.Clone(raw[:most])), "") + "..."
}
