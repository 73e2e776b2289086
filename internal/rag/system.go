package rag

import "context"

// System is a RAG architecture under test. The runner ingests it once, then asks it every question, from several
// goroutines at a time. The same input gives the same rows: every ranking is totally ordered, nothing depends on time,
// map order or the number of workers.
type System interface {
	// Ingest makes what the system needs of the corpus: it asks for indexes by recipe, and those that exist cost
	// nothing. It is idempotent.
	Ingest(ctx context.Context, c Corpus) (IngestReport, error)
	// Retrieve ranks at least depth chunks where the corpus has them. Depth is not context: metrics see the whole
	// ranking, the generator only its first context_k.
	Retrieve(ctx context.Context, q Question, depth int, tr Trace) (Ranking, error)
	// Answer writes the answer from the ranking.
	Answer(ctx context.Context, q Question, r Ranking, tr Trace) (Answer, error)
}

// Corpus names the documents a system is to ingest: a snapshot kept in the file.
type Corpus struct {
	DatasetID int64
	SHA256    string // of the documents alone, whatever the questions
}

// IngestReport says what ingestion made and spent. A part that existed is in Reused and is charged all the same, as
// each system is charged what it would have cost alone.
type IngestReport struct {
	Chunks  int
	Vectors int
	Built   []string // what was made now: chunks, lexical, vectors, each with its key or id
	Reused  []string // what existed
	Usage   Usage
	// Warnings is what a reader of the results should know, such as chunks without a vector.
	Warnings []Warning
}
