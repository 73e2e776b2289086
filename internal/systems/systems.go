// Package systems holds the RAG architectures. Each is a NAME.sql, which is the retrieval, and a NAME.go, which is the
// glue; comparing two systems is comparing two files. All lists them in reading order.
package systems

import (
	"context"
	"database/sql"
	"time"

	"ragbench/internal/config"
	"ragbench/internal/index"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/store"
)

// Env is what a system is built with.
type Env struct {
	DB            *store.DB
	Search        *index.Set
	Config        *config.System
	Chat          rag.Chat
	Embedder      rag.Embedder
	ContextK      int // hits the generator reads
	IngestWorkers int
	Now           func() time.Time
	// SaveCalls stores the model calls of ingestion in the transaction that makes the index.
	SaveCalls func(ctx context.Context, tx *sql.Tx, calls []rag.Call) ([][]int64, error)
	// EmbeddingCost is the standalone price of embedding so many tokens.
	EmbeddingCost func(tokens int) rag.Cost
	// Peer builds another system of the run, for those that route to others.
	Peer func(name string) (rag.System, error)
}

// Kind is what an entry of the table holds beside its name, idea and options.
type Kind struct {
	New       func(Env) (rag.System, error)
	Diagram   string   // Mermaid
	Ingestion string   // what is done once, and what it costs
	Cost      string   // per question, besides the answer
	Latency   string   // per question, in words
	Trace     []string // kind:name of the steps, in order; brackets mark the optional ones
	Required  []string // the steps without which the cell is not what it says it is
	Strengths string
	WatchOut  string
}

// All lists the systems in reading order.
var All = spec.Table[Kind]{
	noRetrievalEntry,
	fullContextEntry,
	bm25Entry,
	vectorEntry,
	hybridEntry,
	rerankEntry,
	hybridRerankEntry,
	parentDocEntry,
	sentenceWindowEntry,
	hydeEntry,
	ragFusionEntry,
	decomposeEntry,
	llmHeavyEntry,
	ragliteEntry,
}
