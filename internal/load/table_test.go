package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// short writes documents as "id|title|text|metadata".
func short(ds []rag.Document) (out []string) {
	for _, d := range ds {
		id := d.ID
		if strings.HasPrefix(id, "doc_") {
			id = "derived"
		}
		s := id + "|" + d.Title + "|" + d.Text
		if len(d.Metadata) > 0 {
			s += fmt.Sprintf("|%v", d.Metadata)
		}
		out = append(out, s)
	}
	return out
}

func TestTables(t *testing.T) {
	for _, tt := range []struct {
		name, file, body string
		tabular          Tabular
		want, warns      []string
	}{
		{
			name: "records", file: "prices.csv", body: "id,item,price\n7,rope,3.50\n\n8,\"sail,\n large\",\n",
			want: []string{"derived|prices, row 2|id: 7\nitem: rope\nprice: 3.50", "derived|prices, row 4|id: 8\nitem: sail,\n large"},
		},
		{
			name: "corpus", file: "a.csv", body: "id,title,text,year\nd1,One,First text,2001\nd2,Two,,2002\n",
			want:  []string{"d1|One|First text|map[year:2001]", "d2|Two|Two|map[year:2002]"},
			warns: []string{"title_as_text d2"},
		},
		{
			name: "named columns", file: "a.csv", body: "sku,body,note\ns1,Body,Note\n",
			tabular: Tabular{TextColumns: []string{"body", "note"}, IDColumn: "sku"},
			want:    []string{"s1|a, row 2|body: Body\nnote: Note"},
		},
		{
			name: "one text column", file: "a.tsv", body: "sku\tnote\ns1\tNote\n", tabular: Tabular{TextColumns: []string{"note"}},
			want: []string{"derived|a, row 2|Note|map[sku:s1]"},
		},
		{
			name: "caption, padding, names", file: "a.csv", body: "The prices,,,\n,,,\nitem,item,,\nrope,3,x,\nsail\n",
			want:  []string{"derived|a, row 4|item: rope\nitem (2): 3\ncolumn 3: x|map[caption:The prices]", "derived|a, row 5|item: sail|map[caption:The prices]"},
			warns: []string{"ragged_rows a.csv"},
		},
		{
			name: "semicolons, windows-1252", file: "a.csv", body: "ort;preis\nK\xf6ln;3,50\nM\xfcnchen;4,00\n",
			want:  []string{"derived|a, row 2|ort: Köln\npreis: 3,50", "derived|a, row 3|ort: München\npreis: 4,00"},
			warns: []string{"encoding_fallback a.csv"},
		},
		{
			name: "mark and declared delimiter", file: "a.csv", body: "\ufeffsep=|\r\na|b,c\r\n1|2\r\n",
			want: []string{"derived|a, row 3|a: 1\nb,c: 2"},
		},
		{name: "names alone", file: "a.csv", body: "a,b\n"},
		{name: "empty", file: "a.csv", body: ""},
		{
			name: "list of objects", file: "a.json", body: `[{"id": 1, "text": "x", "tags": ["a"]}, {"b": 1, "a": {"c": [1, 2]}, "n": null}]`,
			want: []string{"1||x|map[tags:[\"a\"]]", "derived|a, row 2|b: 1\na: {\"c\":[1,2]}"},
		},
		{
			name: "records beside other fields", file: "a.json", body: `{"version": 1, "data": [{"text": "x"}, {"text": "y"}], "more": {}}`,
			want:  []string{"derived||x", "derived||y"},
			warns: []string{"fields_left_out a.json"},
		},
		{
			name: "one object", file: "a_b.json", body: `{"name": "N", "items": ["p", "q"], "rows": {"k": 1}, "data": 1.50}`,
			want: []string{"derived|a b|name: N\nitems: [\"p\",\"q\"]\nrows: {\"k\":1}\ndata: 1.50"},
		},
		{
			name: "objects one after the other", file: "a.json", body: "{\"text\": \"x\"}\n{\"text\": \"y\"}\n",
			want: []string{"derived|a|x", "derived|a|y"},
		},
		{name: "empty list", file: "a.json", body: "[]"},
		{name: "rows of JSON lines", file: "a.jsonl", body: `{"sku": "s1", "price": 2.50, "title": "T"}`, want: []string{"derived|T|sku: s1\nprice: 2.50\ntitle: T"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs, warns, err := collectFS(t, map[string]string{tt.file: tt.body}, Options{Tabular: tt.tabular})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, short(docs)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.warns, brief(warns)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestErrorsOfRowsNameTheLine wants the line in every message.
func TestErrorsOfRowsNameTheLine(t *testing.T) {
	for _, tt := range []struct {
		file, body string
		tabular    Tabular
		want       string
	}{
		{"a.csv", "a,b\n1,2\n3,\"4\n", Tabular{}, "load a.csv: line 3: the quote opened in this row is not closed"},
		{"a.csv", "a,b\n1,2\n", Tabular{TextColumns: []string{"c"}}, "load a.csv: line 2: none of the columns c is there; the columns are a, b"},
		{"a.json", "[\n{\"text\": \"x\"},\n  7\n]", Tabular{}, "load a.json: line 3: not a JSON object: got number"},
		{"a.json", "[\n{\"text\": \"x\"},\n{\"text\" \"y\"}\n]", Tabular{}, "load a.json: line 3: the file is broken"},
		{"a.json", "[\n{\"text\": \"x\"},\n", Tabular{}, "load a.json: line 3: "},
		{"a.json", "7", Tabular{}, "load a.json: line 1: the file holds 7 and no object"},
		{"a.json", "[{\"text\": {}}]", Tabular{}, "load a.json: line 1: text must be a string, got {}"},
	} {
		_, _, err := collectFS(t, map[string]string{tt.file: tt.body}, Options{Tabular: tt.tabular})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %s", tt.body, err, tt.want)
		}
	}
}

// TestIgnoreFiles passes over what the lists of a folder and of those above it name.
func TestIgnoreFiles(t *testing.T) {
	docs, warns, err := collectFS(t, map[string]string{
		".ragbenchignore": "*.log\ndrafts/\n!keep.log\n", "a.txt": "", "b.log": "", "keep.log": "", "drafts/c.txt": "",
		"sub/.ragbenchignore": "/d.txt\n", "sub/d.txt": "", "sub/e/d.txt": "",
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.txt", "keep.log", "sub/e/d.txt"}, sources(docs)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	var got []string
	for _, w := range brief(warns) {
		if strings.HasPrefix(w, "skipped") {
			got = append(got, w)
		}
	}
	if diff := cmp.Diff([]string{"skipped_ignored b.log", "skipped_ignored drafts/", "skipped_ignored sub/d.txt"}, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if _, _, err := collectFS(t, map[string]string{".ragbenchignore": "[z-a]\n"}, Options{}); err == nil || !strings.Contains(err.Error(), ".ragbenchignore: line 1") {
		t.Errorf("a bad pattern: %v", err)
	}
}

func TestTitlesOfRST(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"Title\n=====\n\ntext":          "Title",
		"=====\nTitle\n=====\n":         "Title",
		"=======\n Title\n=======\n":    "Title",
		"Title\n==\n":                   "",
		".. comment\n\nFirst\n-----\n":  "First",
		"text\n\n----\n\nmore":          "",
		"Größe\n=====\n":                "Größe",
		"  quoted\n--------\n\nT\n==\n": "T",
	} {
		if got := rstTitle(in); got != want {
			t.Errorf("title of %q = %q, want %q", in, got, want)
		}
	}
}
