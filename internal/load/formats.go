package load

import (
	"strings"

	"ragbench/internal/spec"
)

// markdownish is what formats with a layout have in common.
const markdownish = "Headings, list items and rows of tables (a | b) are written as Markdown writes them; blocks stand apart by blank lines."

// rows is what formats of many documents have in common.
const rows = "A row with text, content or body is a document of a corpus: that is its text, id, _id or doc_id its id (else one is " +
	"derived from path and row), title its title, the rest metadata. Any other row is a record: its text is a line " +
	"\"column: value\" for each column. tabular.text_columns and tabular.id_column say otherwise."

// All lists the formats.
var All = spec.Table[Format]{
	{
		Name:  "txt",
		Title: "plain text",
		Doc: "One document a file. The title is the file's name without its extension, with spaces for _ and -. " +
			"Line ends become LF.",
		New: Format{Extensions: []string{".txt", ".text", ".log"}, MediaType: "text/plain", Load: loadText},
	},
	{
		Name:  "md",
		Title: "Markdown",
		Doc: "One document a file, with its markup. The title is that of the front matter, else the first heading of " +
			"level 1, else as for txt. Simple fields of the front matter become metadata. Line ends become LF.",
		New: Format{Extensions: []string{".md", ".markdown"}, MediaType: "text/markdown", Load: loadMarkdown},
	},
	{
		Name:  "rst",
		Title: "reStructuredText",
		Doc:   "One document a file, with its markup. The title is the first section title, else as for txt. Line ends become LF.",
		New:   Format{Extensions: []string{".rst"}, MediaType: "text/x-rst", Load: loadRST},
	},
	{
		Name:  "html",
		Title: "HTML",
		Doc: "One document a page: its visible text, without scripts, styles, comments and hidden parts. " + markdownish +
			" The encoding is that of the byte order mark, else the one declared. Menus and footers are not told from the content.",
		New: Format{Extensions: []string{".html", ".htm", ".xhtml"}, MediaType: "text/html", Load: loadHTML},
	},
	{
		Name:  "pdf",
		Title: "PDF",
		Doc: "One document a file. The metadata pages holds [[page, start, end], …] in code points. A file of pictures alone is " +
			"kept without text (no_text); one with such pages warns (partly_scanned); one that wants a password is encrypted; one " +
			"that cannot be opened is broken.",
		Options: []spec.Option{{Name: "pdf.engine", Default: "pdfium", Doc: "pdfium, which is built in, or pdftotext, which must be installed"}},
		New:     Format{Extensions: []string{".pdf"}, MediaType: "application/pdf", Load: loadPDF},
	},
	{
		Name:  "docx",
		Title: "Word",
		Doc:   "One document a file: headers, the body, footnotes and endnotes as [^1], footers, text boxes where they stand. " + markdownish + " Deleted text and comments are left out.",
		New:   Format{Extensions: []string{".docx", ".docm"}, MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Load: loadDocx},
	},
	{
		Name:  "odt",
		Title: "OpenDocument text",
		Doc:   "One document a file, with notes as [^1]. " + markdownish,
		New:   Format{Extensions: []string{".odt"}, MediaType: "application/vnd.oasis.opendocument.text", Load: loadODT},
	},
	{
		Name:  "pptx",
		Title: "PowerPoint",
		Doc:   "One document a file, its slides in order, notes behind each. The slides are the pages of the metadata. " + markdownish,
		New:   Format{Extensions: []string{".pptx"}, MediaType: "application/vnd.openxmlformats-officedocument.presentationml.presentation", Load: loadPPTX},
	},
	{
		Name:  "rtf",
		Title: "Rich Text Format",
		Doc:   "One document a file: its paragraphs and table rows.",
		New:   Format{Extensions: []string{".rtf"}, MediaType: "application/rtf", Load: loadRTF},
	},
	{
		Name:  "epub",
		Title: "EPUB",
		Doc:   "One document a book, its chapters in the order of reading. " + markdownish,
		New:   Format{Extensions: []string{".epub"}, MediaType: "application/epub+zip", Load: loadEPUB},
	},
	{
		Name:  "eml",
		Title: "e-mail",
		Doc:   "One document a message: from, to, date and subject, then the text. Of alternatives the plain one is taken; attachments are named in a warning.",
		New:   Format{Extensions: []string{".eml"}, MediaType: "message/rfc822", Load: loadEML},
	},
	{
		Name:  "ipynb",
		Title: "Jupyter notebook",
		Doc:   "One document a notebook: its text, its code and printed output in fences.",
		New:   Format{Extensions: []string{".ipynb"}, MediaType: "application/x-ipynb+json", Load: loadNotebook},
	},
	{
		Name:  "xml",
		Title: "XML",
		Doc:   "One document a file: the text of its elements, a line each. Entities that the file defines itself are refused.",
		New:   Format{Extensions: []string{".xml"}, MediaType: "application/xml", Load: loadXML},
	},
	{
		Name:  "csv",
		Title: "tables of delimited fields",
		Doc: "One document a row; the first row names the columns. The delimiter (comma, tab, semicolon, bar) is found by looking. " +
			"Rows of another length are kept and reported with their line. " + rows,
		Options: tabularOptions,
		New:     Format{Extensions: []string{".csv", ".tsv", ".tab"}, MediaType: "text/csv", Rows: true, Load: loadCSV},
	},
	{
		Name:    "xlsx",
		Title:   "Excel",
		Doc:     "One document a row of every sheet; the first row of a sheet names its columns. Dates are written as ISO 8601. " + rows,
		Options: tabularOptions,
		New:     Format{Extensions: []string{".xlsx", ".xlsm"}, MediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Load: loadXLSX},
	},
	{
		Name:  "json",
		Title: "JSON",
		Doc: "A list of objects, an object with a list of them (records, documents, rows, data, items, results, entries), or one " +
			"object: one document an object. " + rows,
		Options: tabularOptions,
		New:     Format{Extensions: []string{".json"}, MediaType: "application/json", Rows: true, Load: loadJSON},
	},
	{
		Name:    "jsonl",
		Title:   "JSON lines",
		Doc:     "One document a row; nested values are kept as JSON. " + rows,
		Options: tabularOptions,
		New:     Format{Extensions: []string{".jsonl", ".ndjson"}, MediaType: "application/jsonl", Rows: true, Load: loadJSONL},
	},
}

var tabularOptions = []spec.Option{
	{Name: "tabular.text_columns", Doc: "the columns that make the text: one gives its bare values, several give \"column: value\" lines"},
	{Name: "tabular.id_column", Doc: "the column that names the documents"},
}

// formatOf returns the format of a file name's extension, or nil.
func formatOf(ext string) *spec.Entry[Format] {
	ext = strings.ToLower(ext)
	for i := range All {
		for _, e := range All[i].New.Extensions {
			if e == ext {
				return &All[i]
			}
		}
	}
	return nil
}
