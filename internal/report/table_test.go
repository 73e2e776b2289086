package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var sample = Table{
	Columns: []string{"system", "recall", "note"},
	Rows: [][]any{
		{"bm25", 0.61234567, "a|b"},
		{"日本", nil, "\x1b[31mred\n"},
		{"n", int64(12), []byte{1, 2}},
	},
}

func TestWrite(t *testing.T) {
	for format, want := range map[string]string{
		"table": "system  recall  note\n──────  ──────  ──────────────\nbm25    0.6123  a|b\n日本         –  \\u001b[31mred \nn           12  <2 bytes>\n",
		"csv":   "system,recall,note\nbm25,0.61234567,a|b\n日本,,\"\x1b[31mred\n\"\nn,12,AQI=\n",
		"json":  "[\n  {\"system\": \"bm25\", \"recall\": 0.61234567, \"note\": \"a|b\"},\n  {\"system\": \"日本\", \"recall\": null, \"note\": \"\\u001b[31mred\\n\"},\n  {\"system\": \"n\", \"recall\": 12, \"note\": \"AQI=\"}\n]\n",
		"md":    "| system | recall | note |\n| --- | ---: | --- |\n| bm25 | 0.6123 | a\\|b |\n| 日本 | – | \\u001b[31mred  |\n| n | 12 | <2 bytes> |\n",
	} {
		var b strings.Builder
		if err := sample.Write(&b, format); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", format, diff)
		}
	}
	if err := sample.Write(&strings.Builder{}, "cvs"); err == nil || !strings.Contains(err.Error(), `did you mean "csv"?`) {
		t.Errorf("unknown format: got %v", err)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 0.5: "0.5000", 12.3456: "12.3456", 1234.56: "1234.6", 0.0000123: "1.23e-05", -3: "-3"} {
		if got := number(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}
