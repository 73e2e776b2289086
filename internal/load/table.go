package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/rag"
)

// table turns the rows of a table into documents. The first row names the columns. A row above it with one cell filled
// of several is the table's caption.
type table struct {
	f        *File
	encoding string
	sheet    string // "" where the file is one table
	yield    func(rag.Document) error

	caption []string
	names   []string
	ragged  int // rows of another length than the first
	odd     int // the line of the first of them
}

// mostCaptions is how many rows above the names of the columns may be captions.
const mostCaptions = 5

// row takes the next row.
func (t *table) row(fields []string, line int) error {
	count := filled(fields)
	switch {
	case t.names != nil:
	case count == 0:
		return nil
	case count == 1 && len(fields) > 1 && len(t.caption) < mostCaptions:
		t.caption = append(t.caption, strings.TrimSpace(strings.Join(fields, "")))
		return nil
	default:
		t.names = columnNames(fields)
		return nil
	}
	for len(fields) > len(t.names) && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1] // padding
	}
	if len(fields) != len(t.names) && t.sheet == "" {
		if t.ragged++; t.ragged == 1 {
			t.odd = line
		}
	}
	if count == 0 {
		return nil
	}
	names := t.names
	for i := len(names); i < len(fields); i++ {
		names = append(names[:i:i], fmt.Sprintf("column %d", i+1))
	}
	place := strconv.Itoa(line)
	if t.sheet != "" {
		place = t.sheet + ":" + place
	}
	t.f.line = line
	d, err := t.f.record(names[:len(fields)], fields, place)
	if err != nil {
		return &rowError{line, err}
	}
	if len(t.caption) > 0 {
		if d.Metadata == nil {
			d.Metadata = map[string]string{}
		}
		d.Metadata["caption"] = strings.Join(t.caption, "\n")
	}
	d.Encoding = t.encoding
	return t.yield(d)
}

// end reports what was odd about the rows.
func (t *table) end() {
	if t.ragged > 0 {
		t.f.Warn("ragged_rows", "", fmt.Sprintf("%d rows have more or fewer fields than the %d columns, the first in line %d", t.ragged, len(t.names), t.odd))
	}
}

// filled counts the fields that are not blank.
func filled(fields []string) (n int) {
	for _, s := range fields {
		if strings.TrimSpace(s) != "" {
			n++
		}
	}
	return n
}

// columnNames makes names of a row: each its own, none empty.
func columnNames(fields []string) []string {
	for len(fields) > 1 && strings.TrimSpace(fields[len(fields)-1]) == "" {
		fields = fields[:len(fields)-1]
	}
	var names []string
	for i, s := range fields {
		name := strings.Join(strings.Fields(strings.TrimPrefix(s, "\ufeff")), " ")
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		for n, base := 2, name; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s (%d)", base, n)
		}
		names = append(names, name)
	}
	return names
}
