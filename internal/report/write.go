package report

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"ragbench/internal/spec"
)

// Formats are the names Write takes.
var Formats = []string{"table", "csv", "json", "md"}

// Write writes t in a format: table is aligned for a terminal, with no cell cut; csv is raw values; json is a list of
// objects whose keys are in the order of the columns; md is a Markdown table.
func (t Table) Write(w io.Writer, format string) error {
	switch format {
	case "table":
		return t.writeText(w)
	case "csv":
		return t.writeCSV(w)
	case "json":
		return t.writeJSON(w)
	case "md":
		return t.writeMarkdown(w)
	}
	return spec.Unknown("format", format, Formats)
}

func (t Table) writeText(w io.Writer) error {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = uniseg.StringWidth(c)
	}
	cells := make([][]string, len(t.Rows))
	for r, row := range t.Rows {
		cells[r] = make([]string, len(row))
		for i, v := range row {
			cells[r][i] = Cell(v)
			widths[i] = max(widths[i], uniseg.StringWidth(cells[r][i]))
		}
	}
	var b strings.Builder
	line := func(values []string, right func(int) bool) {
		for i, v := range values {
			pad := strings.Repeat(" ", widths[i]-uniseg.StringWidth(v))
			if i > 0 {
				b.WriteString("  ")
			}
			switch {
			case right(i):
				b.WriteString(pad + v)
			case i == len(values)-1:
				b.WriteString(v)
			default:
				b.WriteString(v + pad)
			}
		}
		b.WriteByte('\n')
	}
	line(t.Columns, t.isNumber)
	rules := make([]string, len(widths))
	for i, n := range widths {
		rules[i] = strings.Repeat("─", n)
	}
	line(rules, func(int) bool { return false })
	for _, row := range cells {
		line(row, t.isNumber)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Columns); err != nil {
		return err
	}
	record := make([]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, v := range row {
			record[i] = raw(v)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// raw is a value in CSV: every digit, nothing for NULL, BLOBs in base64.
func raw(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	default:
		return fmt.Sprint(v)
	}
}

func (t Table) writeJSON(w io.Writer) error {
	var b strings.Builder
	b.WriteString("[")
	for r, row := range t.Rows {
		if r > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {")
		for i, v := range row {
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				v = nil
			}
			key, err := json.Marshal(t.Columns[i])
			if err != nil {
				return err
			}
			value, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s: %s", key, value)
		}
		b.WriteString("}")
	}
	if len(t.Rows) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("]\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	line := func(values []string) {
		b.WriteString("| " + strings.Join(values, " | ") + " |\n")
	}
	line(t.Columns)
	rules := make([]string, len(t.Columns))
	for i := range rules {
		if rules[i] = "---"; t.isNumber(i) {
			rules[i] = "---:"
		}
	}
	line(rules)
	for _, row := range t.Rows {
		values := make([]string, len(row))
		for i, v := range row {
			values[i] = strings.ReplaceAll(Cell(v), "|", "\\|")
			if !utf8.ValidString(values[i]) {
				values[i] = strings.ToValidUTF8(values[i], "\uFFFD")
			}
		}
		line(values)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
