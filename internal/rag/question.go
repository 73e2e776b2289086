package rag

// Question is one question of a dataset with its labels.
type Question struct {
	RowID       int64  // questions.question_id; 0 before the question is stored
	ID          string // unique within a dataset
	Text        string
	Answerable  bool
	Reference   string // reference answer; empty when there is none
	Category    string
	Difficulty  string
	AnswerType  string
	Keywords    []string   // expected_keywords
	Relevant    []string   // relevant_doc_ids, binary labels; may name documents that the corpus lacks
	Tools       []string   // required_tools
	RoutingHint string     // routing_hint
	Evidence    []Evidence // labelled spans
	Metadata    map[string]string
}

// Evidence is a labelled span of a document. It survives re-chunking because it does not name a chunk. Start and End
// are code points; a span given by its words alone has Start -1 until the text is found.
type Evidence struct {
	DocID      string
	Start, End int
	Quote      string
}

// Qrel is one graded relevance judgment. A grade above 0 means relevant.
type Qrel struct {
	QuestionID string
	DocID      string
	Grade      int
}
