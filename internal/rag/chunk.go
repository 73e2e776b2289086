package rag

// Kind says what a chunk stands for. Everything that can be retrieved is a chunk, so that ranking, tracing and scoring
// treat passages, sentences, cards, entities and summaries alike.
type Kind string

// The kinds, as the CHECK of chunks.kind lists them.
const (
	KindChunk     Kind = "chunk"
	KindDocument  Kind = "document"
	KindParent    Kind = "parent"
	KindChild     Kind = "child"
	KindSentence  Kind = "sentence"
	KindCard      Kind = "card"
	KindEntity    Kind = "entity"
	KindCommunity Kind = "community"
	KindSummary   Kind = "summary"
	KindExternal  Kind = "external"
)

// Chunk is a unit of retrieval. Start and End are offsets in code points (as SQLite's substr and Python count), and
// the document's text between them equals Text without its first Prefix code points.
type Chunk struct {
	RowID      int64  // chunks.chunk_id; 0 before the chunk is stored
	Key        string // {doc}::chunk::{index, 4 digits}::{10 hex digits of SHA-256 of "start:end:raw text"}
	DocID      string // Document.ID
	DocRowID   int64  // Document.RowID
	Kind       Kind
	Index      int    // position within the document, from 0
	Start, End int    // code points
	Prefix     int    // code points of Text that are not from the document, such as a title and a blank line
	Text       string // what the generator reads
	SearchText string // what is indexed and embedded; empty means Text
	Tokens     int    // as counted by the tokenizer the index names
	Metadata   map[string]string
}

// Indexed returns the text that lexical and vector indexes hold for c.
func (c *Chunk) Indexed() string {
	if c.SearchText != "" {
		return c.SearchText
	}
	return c.Text
}
