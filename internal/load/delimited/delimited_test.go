package delimited

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type row struct {
	Line   int
	Fields []string
}

func readAll(t *testing.T, in string, comma byte, max int) (rows []row, errs []string) {
	t.Helper()
	r := NewReader(strings.NewReader(in), comma, max)
	for {
		fields, line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, errs
		}
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		rows = append(rows, row{line, fields})
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []row
		errs     []string
	}{
		{"empty", "", nil, nil},
		{"blank lines", "\n\r\n\r", nil, nil},
		{"no end of line", "a,b", []row{{1, []string{"a", "b"}}}, nil},
		{"line ends", "a\r\nb\rc\nd", []row{{1, []string{"a"}}, {2, []string{"b"}}, {3, []string{"c"}}, {4, []string{"d"}}}, nil},
		{"empty fields", "a,,\n,\n", []row{{1, []string{"a", "", ""}}, {2, []string{"", ""}}}, nil},
		{"quotes", "\"a,\"\"b\"\"\",\"\"\n\"x\ny\",z\nlast\n", []row{{1, []string{`a,"b"`, ""}}, {2, []string{"x\ny", "z"}}, {4, []string{"last"}}}, nil},
		{"inches", "5\" pipe,\"a\"b,c\n", []row{{1, []string{`5" pipe`, "ab", "c"}}}, nil},
		{"quoted end", "a,\"b\"", []row{{1, []string{"a", "b"}}}, nil},
		{"trailing comma at the end", "a,", []row{{1, []string{"a", ""}}}, nil},
		{"open quote", "a,b\nc,\"d\ne,f\n", []row{{1, []string{"a", "b"}}}, []string{"line 2: the quote opened in this row is not closed"}},
		{"too long", "a,b\n" + strings.Repeat("x", 50) + "\nc,d\n", []row{{1, []string{"a", "b"}}, {3, []string{"c", "d"}}}, []string{"line 2: row of more than 30 bytes"}},
		{"too long in quotes", "\"" + strings.Repeat("x\n", 50) + "\"\nc,d\n", []row{{52, []string{"c", "d"}}}, []string{"line 1: row of more than 30 bytes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows, errs := readAll(t, tt.in, ',', 30)
			if diff := cmp.Diff(tt.want, rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.errs, errs); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOddQuotes(t *testing.T) {
	if rows, _ := readAll(t, "a,\x00b\n", 0, 30); len(rows) != 1 || len(rows[0].Fields) != 1 {
		t.Errorf("without a delimiter: %v, want one field", rows)
	}
	r := NewReader(strings.NewReader("a,b\n5\" pipe,c\nx,6\"\n"), ',', 100)
	for {
		if _, _, err := r.Next(); err != nil {
			break
		}
	}
	if r.OddQuotes != 2 || r.OddLine != 2 {
		t.Errorf("odd quotes = %d, the first in line %d; want 2, line 2", r.OddQuotes, r.OddLine)
	}
}

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		in     string
		prefer byte
		want   byte
		skip   int
	}{
		{"a,b\n1,2\n", ',', ',', 0},
		{"a;b;c\n1,5;2;3\n", ',', ';', 0},
		{"a\tb\n1, 2\t3\n", ',', '\t', 0},
		{"a|b\r\nc|d", ',', '|', 0},
		{"a,b\n1,2\n", '\t', ',', 0},
		{"one\ntwo\n", '\t', 0, 0},
		{"Lorem, ipsum\ndolor sit\namet\nadipiscing, elit\nlabore\n", ',', 0, 0},
		{"\"a;b;c\",d\n\"e;f\",g\n", ',', ',', 0},
		{"sep=;\r\na;b\r\n", ',', ';', 7},
		{"", ',', 0, 0},
	} {
		if got, skip := Sniff([]byte(tt.in), tt.prefer); got != tt.want || skip != tt.skip {
			t.Errorf("Sniff(%q) = %q, %d; want %q, %d", tt.in, got, skip, tt.want, tt.skip)
		}
	}
}

// TestSpectrum reads the tables of csv-spectrum and compares them with the JSON that comes with them. Where only the
// JSON is here, the table is written from it first, each field in quotes and lines ended by CR LF.
func TestSpectrum(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "data", "loader-files")
	stated, err := filepath.Glob(filepath.Join(root, "json", "csv-spectrum__json_*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(stated) == 0 {
		t.Skip("the files of csv-spectrum are not here")
	}
	given := 0
	for _, name := range stated {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want []map[string]string
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		stem := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "csv-spectrum__json_"), ".json")
		table, err := os.ReadFile(filepath.Join(root, "csv", "csv-spectrum__csvs_"+stem+".csv"))
		switch {
		case errors.Is(err, os.ErrNotExist):
			table = []byte(written(want))
		case err != nil:
			t.Fatal(err)
		default:
			given++
		}
		if diff := cmp.Diff(want, objects(t, string(table))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", stem, diff)
		}
	}
	if given < 3 {
		t.Errorf("compared %d tables with their JSON, want at least 3", given)
	}
	table, err := os.ReadFile(filepath.Join(root, "csv", "csv-spectrum__csvs_escaped_quotes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := []map[string]string{{"a": "1", "b": `ha "ha" ha`}, {"a": "3", "b": "4"}}
	if diff := cmp.Diff(want, objects(t, string(table))); diff != "" {
		t.Errorf("escaped_quotes (-want +got):\n%s", diff)
	}
}

// objects reads a table whose first row names the columns.
func objects(t *testing.T, in string) (out []map[string]string) {
	t.Helper()
	rows, errs := readAll(t, in, ',', 1<<20)
	if len(errs) > 0 || len(rows) == 0 {
		t.Fatalf("errors %v in %d rows", errs, len(rows))
	}
	for _, r := range rows[1:] {
		object := map[string]string{}
		for i, column := range rows[0].Fields {
			object[column] = r.Fields[i]
		}
		out = append(out, object)
	}
	return out
}

// written is the table of objects that all have the same fields.
func written(objects []map[string]string) string {
	columns := slices.Sorted(maps.Keys(objects[0]))
	var b strings.Builder
	line := func(fields []string) {
		for i, f := range fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(f, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	line(columns)
	for _, o := range objects {
		var fields []string
		for _, c := range columns {
			fields = append(fields, o[c])
		}
		line(fields)
	}
	return b.String()
}
