package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ragbench/internal/config"
	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/store"
	"ragbench/internal/text"
)

var llmHeavySQL = statements("llm_heavy", "retrieve", "set_enrichment", "enrichment")

var llmHeavyEntry = spec.Entry[Kind]{
	Name:  "llm_heavy",
	Title: "a model at every stage, each by a switch",
	Doc: "Three independent uses of a model around a vector index, each a switch under llm_features, so that one system measures what " +
		"each is worth: describe every chunk at ingestion (summary, key entities, hypothetical questions are indexed behind its text; " +
		"the generator reads the text alone), rewrite the question into up to five queries that replace it, rerank with the model. The " +
		"rankings of the queries are merged by each chunk's best cosine.",
	Options: options(chunking, dense, []spec.Option{
		{Name: "llm_features.enable_llm_ingestion", Default: "false", Doc: "Describe every chunk at ingestion: one call a chunk."},
		{Name: "llm_features.enable_query_rewrite", Default: "true", Doc: "Rewrite the question into several queries."},
		{Name: "llm_features.enable_llm_rerank", Default: "false", Doc: "Rerank with the model, whatever reranker says."},
		{Name: "retrieval.per_query_top_k", Default: "10", Doc: "Candidates of each query; at least the retrieval depth is searched."},
	}, reranking("simple_keyword_overlap"), reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newLLMHeavy(e) },
		Diagram: `flowchart TD
    subgraph Ingestion
        C["Chunk"] --> EN{{"enable_llm_ingestion:<br/>LLM writes summary, key entities,<br/>hypothetical questions"}}
        EN --> AUG["Indexed text = chunk + summary + entities + questions<br/>(the generator reads the chunk alone)"]
        AUG --> VI[("Vectors")]
    end
    subgraph Question
        Q["Question"] --> RW{{"enable_query_rewrite:<br/>LLM writes 3-5 search queries"}}
        RW --> VS("vector_search per query")
        VS --> MG["Merge by best score per chunk"]
        MG --> RR("rerank: LLM if enable_llm_rerank,<br/>else the reranker option")
        RR --> R["Ranked chunks"]
    end`,
		Ingestion: "Chunks, and one embedding a chunk; with enable_llm_ingestion one call of the generator model a chunk, in parallel, kept under a " +
			"key that covers the text of the prompt and the model. A call that fails degrades its chunk and is counted; when all fail, " +
			"ingestion does.",
		Cost:      "one call for the rewrite if enabled, one for the rerank if enabled, and a query embedding each",
		Latency:   "one or two generations before the answer",
		Trace:     slices.Concat([]string{"[llm:query_rewrite]", "retrieve:vector_search"}, rerankSteps(), []string{"generate:answer"}),
		Required:  slices.Concat([]string{"retrieve:vector_search"}, rerankSteps(), []string{"generate:answer"}),
		Strengths: "The ceiling of what a model can do for a corpus: compare it with cheaper systems before adopting it.",
		WatchOut:  "The queries replace the question: a poor rewrite loses it. Enrichment is the costly part, and its failures are degraded chunks.",
	},
}

// The sizes of a rewrite.
const (
	rewriteQueries = 5
	rewriteTokens  = 360
)

// llmHeavy searches vectors with a model's help.
type llmHeavy struct {
	Env
	vectors         int64
	enrich, rewrite bool
	perQuery        int
	reranker        *reranker
}

var _ rag.System = (*llmHeavy)(nil)

func newLLMHeavy(e Env) (s *llmHeavy, err error) {
	s = &llmHeavy{Env: e, enrich: e.switchOption("llm_features.enable_llm_ingestion"), rewrite: e.switchOption("llm_features.enable_query_rewrite")}
	if s.perQuery, err = e.wholeOption("retrieval.per_query_top_k", 1); err != nil {
		return nil, err
	}
	name := ""
	if e.switchOption("llm_features.enable_llm_rerank") {
		name = "llm"
	}
	s.reranker, err = e.newReranker(name)
	return s, err
}

func (s *llmHeavy) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	build := s.buildChunks
	if s.enrich {
		build = s.buildEnriched
	}
	index, err := build(ctx, c, s.Config.Chunker, &rep)
	if err != nil {
		return rep, err
	}
	s.vectors, err = s.buildVectors(ctx, index, &rep)
	return rep, err
}

// buildEnriched is buildChunks with every chunk described by the model.
func (s *llmHeavy) buildEnriched(ctx context.Context, c rag.Corpus, o config.ChunkerOptions, rep *rag.IngestReport) (int64, error) {
	cutter, err := s.newCutter(o)
	if err != nil {
		return 0, err
	}
	recipe, err := enrichedRecipe(cutter.Recipe(), s.Chat.Ref())
	if err != nil {
		return 0, err
	}
	key := store.IndexKey(c.SHA256, recipe)
	id, n, err := s.findEnriched(ctx, key)
	switch {
	case err == nil:
		rep.Reused = append(rep.Reused, "chunks "+key)
	case errors.Is(err, rag.ErrNotFound):
		var chunks []rag.Chunk
		if chunks, n, err = s.enrichAll(ctx, c, cutter); err != nil {
			return 0, fmt.Errorf("describe the chunks: %w", err)
		}
		if id, err = s.storeEnriched(ctx, c, chunks, key, recipe, cutter.Recipe().Tokenizer, n); err != nil {
			return 0, fmt.Errorf("build the described chunks: %w", err)
		}
		rep.Built = append(rep.Built, "chunks "+key)
	default:
		return 0, fmt.Errorf("find the index: %w", err)
	}
	rep.Chunks = n.Chunks
	n.report(rep)
	if cutter.Embeds() {
		rep.Usage.EmbeddingTokens += n.CutTokens
		rep.Usage.Embedding = rep.Usage.Embedding.Plus(s.EmbeddingCost(n.CutTokens))
	}
	return id, nil
}

// findEnriched returns an index with what describing its chunks took.
func (s *llmHeavy) findEnriched(ctx context.Context, key string) (id int64, n enrichment, err error) {
	err = s.DB.Read(ctx, func(tx *sql.Tx) error {
		if id, _, err = store.FindIndex(ctx, tx, key); err != nil {
			return err
		}
		var kept string
		if err := tx.QueryRowContext(ctx, llmHeavySQL.SQL("enrichment"), named("index", id)).Scan(&kept); err != nil {
			return fmt.Errorf("read the enrichment of index %d: %w", id, err)
		}
		return json.Unmarshal([]byte(kept), &n)
	})
	return id, n, err
}

// storeEnriched stores the described chunks, and what describing them took, in one transaction.
func (s *llmHeavy) storeEnriched(ctx context.Context, c rag.Corpus, chunks []rag.Chunk, key, recipe, tokenizer string, n enrichment) (id int64, err error) {
	start := s.Now()
	err = s.DB.Write(ctx, func(tx *sql.Tx) error {
		w, err := store.NewIndex(ctx, tx, key, c.SHA256, recipe, tokenizer, s.Now().UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
		for i := range chunks {
			if _, err := w.Add(&chunks[i], 0); err != nil {
				return err
			}
		}
		id = w.IndexID
		kept, err := json.Marshal(n)
		if err != nil {
			return err
		}
		if err := w.Finish(ms(s.Now().Sub(start))); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, llmHeavySQL.SQL("set_enrichment"), named("index", id), named("enrichment", string(kept)))
		return err
	})
	return id, err
}

func (s *llmHeavy) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	queries, err := s.words(ctx, q.Text, tr)
	if err != nil {
		return rag.Ranking{}, err
	}
	found, err := s.searchEach(ctx, tr, "vector", queries, 0, func(list string) (lists, error) {
		return s.query(ctx, llmHeavySQL.SQL("retrieve"), named("queries", list), named("vectors", s.vectors), named("per_query", max(s.perQuery, depth)))
	})
	if err != nil {
		return rag.Ranking{}, err
	}
	r := found.ranking()
	if s.rewrite {
		r.Metadata = map[string]any{"queries": queries}
	}
	r.Hits, err = s.rerankHits(ctx, s.reranker, q, found.legs["merged"], depth, tr)
	return r, err
}

// words returns the queries to search: the model's in place of the question, or the question when there are none.
func (s *llmHeavy) words(ctx context.Context, question string, tr rag.Trace) ([]string, error) {
	list := []string{question}
	if !s.rewrite {
		return list, nil
	}
	req := rag.ChatRequest{Messages: prompt.Rewrite(question), MaxTokens: rewriteTokens, JSON: true}
	_, err := s.plan(ctx, tr, "query_rewrite", question, req, func(reply string) (text.Repair, error) {
		queries, repair, err := queryList(reply, "queries", rewriteQueries)
		if err == nil {
			list = queries
		}
		return repair, err
	})
	return list, err
}

func (s *llmHeavy) Answer(ctx context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	return s.answer(ctx, q, r, tr)
}
