package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Tabular says how rows of CSV, TSV, JSON, JSON lines and spreadsheets become documents.
type Tabular struct {
	TextColumns []string // what the text is made of; one alone gives its bare values, several give "column: value" lines
	IDColumn    string   // what names the documents
}

// Columns with a meaning of their own. A row that has one of textColumns is a document of a corpus: that column is its
// text, the others are metadata. Any other row is a record: its text is all of its columns. An id column called id
// names the documents of a corpus; for records, of which every table has its own number 1, only the others do.
var (
	corpusIDs   = []string{"id", "_id", "doc_id"}
	recordIDs   = []string{"_id", "doc_id"}
	textColumns = []string{"text", "content", "body"}
)

// object makes a document of a JSON object.
func (f *File) object(row *jsonl.Row) (rag.Document, error) {
	t := f.options().Tabular
	corpus := len(t.TextColumns) == 0 && (row.Has(textColumns...) || row.Has("title") && row.Has(corpusIDs...))
	if !corpus {
		names, values := row.Columns()
		if !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(corpusIDs, n) }) {
			return rag.Document{}, row.Errorf("the row has no text, content or body, nor any other field")
		}
		d, err := f.record(names, values, strconv.Itoa(row.Number()))
		if err != nil {
			return d, row.Errorf("%w", err)
		}
		return d, nil
	}
	ids := corpusIDs
	if t.IDColumn != "" {
		ids = []string{t.IDColumn}
	}
	id, _, err := row.String(ids...)
	if err != nil {
		return rag.Document{}, err
	}
	if id == "" {
		id = f.rowID(strconv.Itoa(row.Number()))
	}
	title, _, err := row.String("title")
	if err != nil {
		return rag.Document{}, err
	}
	body, _, err := row.String(textColumns...)
	if err != nil {
		return rag.Document{}, err
	}
	return f.titled(rag.Document{ID: id, Title: title, Text: body, Metadata: row.Rest()}), nil
}

// record makes a document of the fields of a row, of which names and values have equally many. place tells the rows of
// the file apart.
func (f *File) record(names, values []string, place string) (rag.Document, error) {
	t := f.options().Tabular
	get := func(columns ...string) (string, int) {
		for _, c := range columns {
			if i := slices.Index(names, c); i >= 0 && strings.TrimSpace(values[i]) != "" {
				return strings.TrimSpace(values[i]), i
			}
		}
		return "", -1
	}
	body := -1
	if len(t.TextColumns) == 0 {
		body = slices.IndexFunc(names, func(n string) bool { return slices.Contains(textColumns, n) })
	}
	idColumns := recordIDs
	switch {
	case t.IDColumn != "":
		idColumns = []string{t.IDColumn}
	case body >= 0:
		idColumns = corpusIDs
	}
	id, idAt := get(idColumns...)
	if id == "" {
		id = f.rowID(place)
	}
	title, titleAt := get("title")
	d := rag.Document{ID: id, Title: title}
	if title == "" {
		d.Title = titleOf(f.Path) + ", row " + place
	}
	var lines []string
	single := len(t.TextColumns) == 1
	for i, name := range names {
		value := strings.TrimSpace(unixLines(values[i]))
		inText := body < 0 && i != idAt
		if len(t.TextColumns) > 0 {
			inText = slices.Contains(t.TextColumns, name)
		}
		switch {
		case value == "" || i == body:
		case inText && single:
			lines = append(lines, value)
		case inText:
			lines = append(lines, name+": "+value)
		case i != idAt && i != titleAt:
			if d.Metadata == nil {
				d.Metadata = map[string]string{}
			}
			d.Metadata[name] = value
		}
	}
	if body >= 0 {
		lines = []string{strings.TrimSpace(unixLines(values[body]))}
	}
	d.Text = f.withoutNUL(strings.Join(lines, "\n"), d.ID)
	if err := f.missing(names); err != nil {
		return d, err
	}
	if title != "" {
		d = f.titled(d)
	}
	return d, nil
}

// missing is the error of a row that lacks every text column asked for.
func (f *File) missing(names []string) error {
	want := f.options().Tabular.TextColumns
	if len(want) == 0 || slices.ContainsFunc(want, func(c string) bool { return slices.Contains(names, c) }) {
		return nil
	}
	return fmt.Errorf("none of the columns %s is there; the columns are %s", strings.Join(want, ", "), strings.Join(names, ", "))
}

// titled gives a document without text its title as text: otherwise it could never be found.
func (f *File) titled(d rag.Document) rag.Document {
	if text.Blank(d.Text) && !text.Blank(d.Title) {
		d.Text = d.Title
		f.Warn("title_as_text", d.ID, "the document has no text; its title is used as its text")
	}
	return d
}

// rowID names the document of a row that does not name itself.
func (f *File) rowID(place string) string {
	return "doc_" + text.StableHash(text.Slug(f.Path+":"+place), 10)
}
