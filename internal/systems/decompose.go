package systems

import (
	"context"
	"encoding/json"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text"
)

var decomposeSQL = statements("decompose", "search", "fuse")

var decomposeEntry = spec.Entry[Kind]{
	Name:  "decompose",
	Title: "sub-questions, each searched on its own",
	Doc: "No single passage answers a question of several parts. A model splits it, each part is searched, the rankings are fused, and " +
		"the final prompt shows the passages under the sub-question that ranked them best. With sequential, each part is answered first " +
		"and its finding is added to the next part's query, for questions whose later parts depend on earlier answers; a finding that " +
		"is a refusal is not added. Findings are shown to the final answer as preliminary, not as evidence. A question that was not " +
		"split is answered with the plain prompt.",
	Cite: "Press et al., Measuring and Narrowing the Compositionality Gap in Language Models (self-ask), 2022",
	Options: options(chunking, lexical, dense, fusion, retriever, []spec.Option{
		{Name: "retrieval.max_subquestions", Default: "4", Doc: "Sub-questions at most; the plan may spend 80 tokens on each and 60 more."},
		{Name: "retrieval.sequential", Default: "false", Doc: "Answer each sub-question before the next is searched."},
		{Name: "retrieval.include_original", Default: "true", Doc: "Search the question itself too, as insurance against a bad split."},
		{Name: "retrieval.per_query_top_k", Default: "20", Doc: "Length of each sub-question's list; at least the retrieval depth."},
		{Name: "retrieval.chunks_per_subquestion", Default: "3", Doc: "Chunks that answer a sub-question when sequential."},
	}, reading),
	New: Kind{
		New: func(e Env) (rag.System, error) { return newDecompose(e) },
		Diagram: `flowchart TD
    Q["Complex question"] --> P{{"LLM plans at most max_subquestions<br/>self-contained sub-questions"}}
    P -->|"unusable reply"| FB["Fallback: the question itself"]
    P --> L["For each sub-question, in order"]
    FB --> L
    L --> SS("subquestion_search")
    SS -->|"sequential: true"| SA{{"LLM answers it from its top chunks<br/>(sub_answer)"}}
    SA -->|"finding added to the next sub-question's query"| L
    SS --> M["RRF over all sub-question rankings"]
    M --> ANS{{"Answer prompt lists each sub-question with the<br/>passages it ranked best, doc ids included"}}`,
		Ingestion: "Chunks, a lexical index (retriever hybrid), and one embedding a chunk.",
		Cost:      "one planning call and a query embedding a sub-question; when sequential, one more call a sub-question, booked as llm",
		Latency:   "one short generation, then a search a sub-question; when sequential, a short generation each",
		Trace:     []string{"llm:plan_subquestions", "retrieve:subquestion_search", "[llm:sub_answer]", "generate:answer"},
		Required:  []string{"llm:plan_subquestions", "retrieve:subquestion_search", "generate:answer"},
		Strengths: "Comparisons, questions of several parts, multi-hop questions.",
		WatchOut:  "Pure overhead on simple questions; a poor split loses the thread.",
	},
}

// decompose searches the parts of a question.
type decompose struct {
	Env
	lexical, vectors int64
	retriever        string
	sequential       bool
	original         bool
	limit            int // sub-questions at most
	perQuery         int
	perAnswer        int // chunks that answer a sub-question
}

var _ rag.System = (*decompose)(nil)

func newDecompose(e Env) (s *decompose, err error) {
	s = &decompose{Env: e, sequential: e.switchOption("retrieval.sequential"), original: e.switchOption("retrieval.include_original")}
	if s.retriever, err = e.textOption("retrieval.retriever", retrievers...); err != nil {
		return nil, err
	}
	if s.limit, err = e.wholeOption("retrieval.max_subquestions", 1); err != nil {
		return nil, err
	}
	if s.perQuery, err = e.wholeOption("retrieval.per_query_top_k", 1); err != nil {
		return nil, err
	}
	s.perAnswer, err = e.wholeOption("retrieval.chunks_per_subquestion", 1)
	return s, err
}

func (s *decompose) Ingest(ctx context.Context, c rag.Corpus) (rep rag.IngestReport, err error) {
	s.lexical, s.vectors, err = s.buildRetriever(ctx, c, s.retriever, &rep)
	return rep, err
}

func (s *decompose) Retrieve(ctx context.Context, q rag.Question, depth int, tr rag.Trace) (r rag.Ranking, err error) {
	subs, split, err := s.split(ctx, q.Text, tr)
	if err != nil {
		return r, err
	}
	queries := subs
	if s.original && split && !(len(subs) == 1 && sameQuery(subs[0]) == sameQuery(q.Text)) {
		queries = append(append([]string{}, subs...), q.Text)
	}
	var found lists
	var findings []string
	if s.sequential {
		found, findings, err = s.inTurn(ctx, queries, len(subs), depth, tr)
	} else {
		found, err = s.search(ctx, queries, 0, depth, tr)
	}
	if err != nil {
		return r, err
	}
	if err := s.fuse(ctx, &found, len(queries), depth); err != nil {
		return r, err
	}
	r = found.ranking()
	r.Metadata = map[string]any{"subquestions": subs}
	if s.sequential {
		r.Metadata["findings"] = findings
	}
	return r, nil
}

// split returns the sub-questions; the question alone, and false, when the reply cannot be used.
func (s *decompose) split(ctx context.Context, question string, tr rag.Trace) (subs []string, ok bool, err error) {
	req := rag.ChatRequest{Messages: prompt.SubQuestions(question, s.limit), MaxTokens: 80*s.limit + 60, JSON: true}
	ok, err = s.plan(ctx, tr, "plan_subquestions", question, req, func(reply string) (repair text.Repair, err error) {
		subs, repair, err = queryList(reply, "subquestions", s.limit)
		return repair, err
	})
	if !ok {
		subs = []string{question}
	}
	return subs, ok, err
}

// search runs the retriever for queries, the first of which is number from.
func (s *decompose) search(ctx context.Context, queries []string, from, depth int, tr rag.Trace) (lists, error) {
	o := s.Config.Retrieval
	return s.searchEach(ctx, tr, "subquestion", queries, from, func(list string) (lists, error) {
		return s.query(ctx, decomposeSQL.SQL("search"), named("queries", list), named("lexical", s.lexical), named("vectors", s.vectors),
			named("pool", max(s.perQuery, depth)), named("bm25_top_k", o.BM25TopK), named("vector_top_k", o.VectorTopK),
			named("bm25_weight", o.BM25Weight), named("vector_weight", o.VectorWeight), named("rrf_k", o.RRFK))
	})
}

// fuse adds the final list of the first n sub-questions' lists.
func (s *decompose) fuse(ctx context.Context, found *lists, n, depth int) error {
	ids := make([][]int64, n)
	for i := range ids {
		ids[i] = []int64{}
		for _, h := range found.legs[legName("subquestion", i)] {
			ids[i] = append(ids[i], h.Chunk.RowID)
		}
	}
	b, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	fused, err := s.query(ctx, decomposeSQL.SQL("fuse"), named("lists", string(b)), named("rrf_k", s.Config.Retrieval.RRFK), named("depth", depth))
	found.add(fused)
	return err
}
