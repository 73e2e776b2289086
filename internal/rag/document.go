// Package rag holds the nouns of the workbench and the contract of a system: what every other package talks about.
// It imports the standard library only and knows no SQL.
package rag

// Document is one unit of the corpus as loaded: the text that chunk offsets refer to.
type Document struct {
	RowID     int64             // documents.document_id; 0 before the document is stored
	ID        string            // stable name: unique within a dataset, cited by answers, named by labels
	Title     string            // may be empty
	Text      string            // valid UTF-8 without NUL
	Source    string            // path relative to the corpus root, with forward slashes
	MediaType string            // such as text/markdown
	Encoding  string            // the encoding the bytes were read in, such as utf-8
	Metadata  map[string]string // further fields of the source, kept as they came
}

// Warning is something about an input that a reader of the results should know. It is kept as a row and is no error.
type Warning struct {
	Code    string // a short stable name, such as empty_document
	Subject string // what it is about: a document id, a question id, a path
	Message string // one sentence
}
