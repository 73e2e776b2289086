package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/trace"
)

var ragliteSQL = statements("raglite", "search", "spans", "recipe", "chunk_texts", "labels", "chunk_documents", "set_adapter", "adapter")

var ragliteEntry = spec.Entry[Kind]{
	Name:  "raglite",
	Title: "RAGLite's manual pipeline",
	Doc: "Hybrid search with the vectors weighing three times the words, 20 candidates, a reranker that keeps the best, and the best " +
		"chunks joined with their neighbours to spans: the generator reads the spans by their score, in front of the prompt. A filter " +
		"on the documents' metadata holds in both searches. With multi_vector the parts of a chunk (three sentences each) have vectors " +
		"of their own and a chunk is as near as its nearest; the mixture of part and chunk vectors that RAGLite makes is not. With " +
		"query_adapter the question's vector is turned by the orthogonal matrix that ragbench adapt has learnt. Chunks are cut by the " +
		"chunker that the option names; RAGLite's own embeds with bge-m3 and reranks with FlashRank, where this system takes the models " +
		"and the reranker of the configuration. Its reciprocal ranks count from 0.",
	Cite: "RAGLite (superlinear-ai/raglite); query adapter: orthogonal Procrustes, Schönemann 1966",
	Options: options(ragliteChunking, lexical, dense, []spec.Option{
		{Name: "retrieval.candidate_top_k", Default: "20", Doc: "Fused candidates that are reranked; at least the retrieval depth."},
		{Name: "retrieval.oversample", Default: "2", Doc: "Each search is asked for this many times the candidates."},
		{Name: "retrieval.bm25_weight", Default: "0.25", Doc: "Weight of the lexical list in the fusion."},
		{Name: "retrieval.vector_weight", Default: "0.75", Doc: "Weight of the vector list in the fusion."},
		{Name: "retrieval.rrf_k", Default: "60", Doc: "Softens how much the first place beats the fifth; at least 1."},
		{Name: "retrieval.filter", Doc: "Only documents whose metadata holds these values, such as {topic: physics}; every field and every value of a list must match."},
		{Name: "retrieval.neighbours", Default: "1", Doc: "Chunks before and after each of the best that join its span."},
		{Name: "retrieval.multi_vector", Default: "false", Doc: "Give the parts of each chunk vectors of their own; the nearest counts."},
		{Name: "retrieval.query_adapter", Default: "false", Doc: "Turn the question's vector by the adapter that ragbench adapt has trained; without one in the file ingestion fails."},
	}, reranking("local_relevance"), reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newRAGLite(e) },
		Diagram: `flowchart TD
    Q["Question"] --> B("bm25_search<br/>filter")
    Q --> A["query adapter, optional"] --> V("vector_search<br/>filter, best vector of a chunk")
    B --> F["RRF .25 / .75<br/>20 candidates"]
    V --> F
    F --> RR("rerank") --> K["Best top_k"]
    K --> S("chunk_spans<br/>neighbours joined, by span score")
    S --> G{{"Answer, context in front"}}`,
		Ingestion: "Chunks, a lexical index, one embedding a chunk; with multi_vector one more a part.",
		Cost:      "one query embedding, and what the reranker costs",
		Latency:   "two searches and the reranker",
		Trace: slices.Concat([]string{"retrieve:bm25_search", "retrieve:vector_search"}, rerankSteps(),
			[]string{"retrieve:chunk_spans", "generate:answer"}),
		Required: slices.Concat([]string{"retrieve:bm25_search", "retrieve:vector_search"}, rerankSteps(),
			[]string{"retrieve:chunk_spans", "generate:answer"}),
		Strengths: "Precision by reranking and wholeness by spans: neighbours restore what chunking cut.",
		WatchOut: "Neighbours cost prompt tokens and never raise a span's rank; with a weak embedding the weight .75 pulls good lexical hits down. " +
			"The adapter helps where it has labels to learn from: with hashed words as vectors and half of the questions to train on, " +
			"Recall@10 of the vector search on the other half goes from 0.267 to 0.293 on SciFact (75 questions learnt from) and from 0.134 " +
			"to 0.136 on Cranfield (86), stays on ADI (18), and falls from 0.035 to 0.021 on CACM (16).",
	},
}

// raglite searches, reranks and joins spans.
type raglite struct {
	Env
	index, lexical, vectors, parts int64
	candidates, oversample, rrfK   int
	bm25Weight, vectorWeight       float64
	neighbours                     int
	multiVector, adapt             bool
	filter                         string // JSON {field: [value, ...]}
	adapter                        *Adapter
	reranker                       *reranker
}

var _ rag.System = (*raglite)(nil)

func newRAGLite(e Env) (s *raglite, err error) {
	o := e.Config.Retrieval
	s = &raglite{Env: e, rrfK: o.RRFK, bm25Weight: o.BM25Weight, vectorWeight: o.VectorWeight,
		multiVector: e.switchOption("retrieval.multi_vector"), adapt: e.switchOption("retrieval.query_adapter")}
	if s.rrfK < 1 {
		return nil, errors.New("retrieval.rrf_k: want at least 1, as ranks count from 0")
	}
	for _, option := range []struct {
		name string
		lo   int
		dst  *int
	}{{"retrieval.candidate_top_k", 1, &s.candidates}, {"retrieval.oversample", 1, &s.oversample}, {"retrieval.neighbours", 0, &s.neighbours}} {
		if *option.dst, err = e.wholeOption(option.name, option.lo); err != nil {
			return nil, err
		}
	}
	if s.filter, err = filterJSON(e.Config.Options["retrieval.filter"]); err != nil {
		return nil, fmt.Errorf("retrieval.filter: %w", err)
	}
	s.reranker, err = e.newReranker("")
	return s, err
}

func (s *raglite) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	if s.index, err = s.buildChunks(ctx, c, s.Config.Chunker, &rep); err != nil {
		return rep, err
	}
	if s.lexical, err = s.buildLexical(ctx, s.index, &rep); err != nil {
		return rep, err
	}
	if s.vectors, err = s.buildVectors(ctx, s.index, &rep); err != nil {
		return rep, err
	}
	if s.multiVector {
		if s.parts, err = s.buildParts(ctx, c, &rep); err != nil {
			return rep, err
		}
	}
	if s.adapt {
		s.adapter, err = s.loadAdapter(ctx)
	}
	return rep, err
}

func (s *raglite) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (r rag.Ranking, err error) {
	found, err := s.search(ctx, q.Text, max(s.candidates, depth), tr)
	if err != nil {
		return r, err
	}
	r = found.ranking()
	if r.Hits, err = s.rerankHits(ctx, s.reranker, q, found.legs["fused"], depth, tr); err != nil {
		return r, err
	}
	r.Context, err = s.spans(ctx, q, r.Hits[:min(s.ContextK, len(r.Hits))], tr)
	return r, err
}

// search runs both searches, or the one whose index is there, in one statement.
func (s *raglite) search(ctx context.Context, question string, candidates int, tr rag.Trace) (found lists, err error) {
	legs := map[string]*rag.Step{}
	var blob []byte
	if s.lexical > 0 {
		step, end := tr.Step(rag.StepRetrieve, "bm25_search", question)
		defer end()
		legs["bm25"] = step
	}
	if s.vectors > 0 {
		step, end := tr.Step(rag.StepRetrieve, "vector_search", question)
		defer end()
		legs["vector"] = step
		start := s.Now()
		blob, err = s.embedQuestion(ctx, question, step)
		step.Latency = s.Now().Sub(start)
	}
	start := s.Now()
	if err == nil {
		found, err = s.query(ctx, ragliteSQL.SQL("search"), named("question", question), named("query_vector", blob), named("index", s.index),
			named("lexical", s.lexical), named("vectors", s.vectors), named("parts", s.parts), named("filter", s.filter), named("everything", math.MaxInt32),
			named("pool", s.oversample*candidates), named("candidates", candidates), named("bm25_weight", s.bm25Weight),
			named("vector_weight", s.vectorWeight), named("rrf_k", s.rrfK))
	}
	rest := s.Now().Sub(start) // what the searches leave of the statement's time: filter and fusion
	for leg := range legs {
		rest -= found.elapsed[leg]
	}
	for leg, step := range legs {
		if err != nil {
			step.Error = err.Error()
			continue
		}
		step.Output = trace.Chunks(found.legs[leg])
		step.Latency += max(found.elapsed[leg], 1)
		if leg == "vector" || len(legs) == 1 {
			step.Latency += max(rest, 0)
		}
		if s.filter != noFilter {
			note(step, "filter", s.filter)
		}
	}
	return found, err
}

// embedQuestion returns the vector to search with, turned by the adapter where there is one; nil for a question without
// direction.
func (s *raglite) embedQuestion(ctx context.Context, question string, step *rag.Step) ([]byte, error) {
	blobs, err := s.embedQueries(ctx, []string{question}, step)
	if err != nil || blobs[0] == nil || s.adapter == nil {
		return append(blobs, nil)[0], err
	}
	note(step, "query_adapter", s.adapter.Trained)
	return s.adapter.turn(blobs[0])
}

// spans joins the given chunks with their neighbours. Each hit of the result is a given chunk with its share of the
// text of its span; the hits of a span follow each other, and say which it is.
func (s *raglite) spans(ctx context.Context, q rag.Question, given []rag.Hit, tr rag.Trace) ([]rag.Hit, error) {
	step, end := tr.Step(rag.StepRetrieve, "chunk_spans", q.Text)
	defer end()
	read, n, err := s.join(ctx, given)
	if err != nil {
		step.Error = err.Error()
		return nil, err
	}
	step.Output = trace.Chunks(read)
	note(step, "spans", n)
	return read, nil
}

func (s *raglite) join(ctx context.Context, given []rag.Hit) (read []rag.Hit, spans int, err error) {
	byID := make(map[int64]rag.Hit, len(given))
	ids := make([]int64, len(given))
	for i, h := range given {
		ids[i], byID[h.Chunk.RowID] = h.Chunk.RowID, h
	}
	st, err := s.DB.Prepare(ctx, ragliteSQL.SQL("spans"))
	if err != nil {
		return nil, 0, fmt.Errorf("prepare spans: %w", err)
	}
	rows, err := st.QueryContext(ctx, named("given", jsonIDs(ids)), named("before", s.neighbours), named("after", s.neighbours))
	if err != nil {
		return nil, 0, fmt.Errorf("join spans: %w", err)
	}
	defer rows.Close()
	read = []rag.Hit{}
	for rows.Next() {
		var first, last, start, end int
		var id int64
		var score float64
		var text, title string
		if err := rows.Scan(&spans, &score, &first, &last, &id, &start, &end, &text, &title); err != nil {
			return nil, 0, fmt.Errorf("join spans: %w", err)
		}
		h := byID[id]
		h.Chunk.Text, h.Chunk.Start, h.Chunk.End, h.Chunk.Prefix = text, start, end, 0
		h.Metadata = spanMetadata(spans, score, first, last, title)
		read = append(read, h)
	}
	return read, spans, rows.Err()
}

// recipe reads what an index was made by.
func (s *raglite) recipe(ctx context.Context, tx *sql.Tx) (key, recipe, tokenizer, corpus string, err error) {
	err = tx.QueryRowContext(ctx, ragliteSQL.SQL("recipe"), named("index", s.index)).Scan(&key, &recipe, &tokenizer, &corpus)
	return key, recipe, tokenizer, corpus, err
}

// eachChunk calls f for every chunk of the index: its document, key, position, first character and text.
func (s *raglite) eachChunk(ctx context.Context, tx *sql.Tx, f func(rag.Chunk) error) error {
	rows, err := tx.QueryContext(ctx, ragliteSQL.SQL("chunk_texts"), named("index", s.index))
	if err != nil {
		return fmt.Errorf("read chunks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var c rag.Chunk
		if err := rows.Scan(&c.Key, &c.DocRowID, &c.DocID, &c.Index, &c.Start, &c.Text); err != nil {
			return fmt.Errorf("read chunks: %w", err)
		}
		if err := f(c); err != nil {
			return err
		}
	}
	return rows.Err()
}

// labels reads the labelled questions of a dataset in their order.
func (s *raglite) labels(ctx context.Context, dataset int64) (list []labelled, err error) {
	rows, err := s.DB.Reader().QueryContext(ctx, ragliteSQL.SQL("labels"), named("dataset", dataset))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	last := int64(-1)
	for rows.Next() {
		var id int64
		var question, doc string
		if err := rows.Scan(&id, &question, &doc); err != nil {
			return nil, err
		}
		if id != last {
			last = id
			list = append(list, labelled{text: question, relevant: map[string]bool{}})
		}
		list[len(list)-1].relevant[doc] = true
	}
	return list, rows.Err()
}

// documentsOf names the document of each chunk.
func (s *raglite) documentsOf(ctx context.Context, ids []int64) (docs []string, err error) {
	st, err := s.DB.Prepare(ctx, ragliteSQL.SQL("chunk_documents"))
	if err != nil {
		return nil, err
	}
	rows, err := st.QueryContext(ctx, named("chunk_ids", jsonIDs(ids)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var doc string
		if err := rows.Scan(&doc); err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, rows.Err()
}

// saveAdapter keeps the adapter of the vectors in place of an earlier one.
func (s *raglite) saveAdapter(ctx context.Context, a *Adapter) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, ragliteSQL.SQL("set_adapter"), named("index", s.index), named("vectors", s.vectors), named("adapter", string(b)))
		return err
	})
}

// loadAdapter reads the adapter of the vectors; that there is none is an error.
func (s *raglite) loadAdapter(ctx context.Context) (*Adapter, error) {
	var kept sql.NullString
	err := s.DB.Reader().QueryRowContext(ctx, ragliteSQL.SQL("adapter"), named("index", s.index), named("vectors", s.vectors)).Scan(&kept)
	if err != nil {
		return nil, fmt.Errorf("read the query adapter: %w", err)
	}
	if !kept.Valid {
		return nil, fmt.Errorf("retrieval.query_adapter is on, but none is trained for these vectors: ragbench adapt DB -c CONFIG --system %s", s.Config.Name)
	}
	a := &Adapter{}
	if err := json.Unmarshal([]byte(kept.String), a); err != nil {
		return nil, fmt.Errorf("read the query adapter: %w", err)
	}
	return a, a.unpack()
}
