package ragtest

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"ragbench/internal/rag"
	"ragbench/internal/systems"
)

// variants are further settings to run the suite with, by type: each takes a path of its own through the system.
var variants = map[string][]string{
	"full_context": {"{type: full_context, retrieval: {context_token_budget: 60}}"},
	"bm25": {
		"{type: bm25, retrieval: {formula: lucene, tokenizer: porter, stop_words: english}, chunker: {prefix_title: true}}",
		"{type: bm25, retrieval: {formula: okapi}, chunker: {type: document}}",
	},
	"vector": {"{type: vector, retrieval: {diversity: mmr}}"},
	"hybrid": {
		"{type: hybrid, retrieval: {diversity: mmr, mmr_lambda: 0, bm25_top_k: 1, vector_top_k: 3}}",
		"{type: hybrid, retrieval: {multi_query: true, bm25_weight: 0}}",
		"{type: hybrid, retrieval: {multi_query: true, diversity: mmr, rrf_k: 0}, top_k: 1}",
	},
	"rerank": {
		"{type: rerank, retrieval: {reranker: local, candidate_top_k: 3}}",
		"{type: rerank, retrieval: {reranker: llm, multi_query: true}}",
	},
	"hybrid_rerank": {
		"{type: hybrid_rerank, retrieval: {reranker: llm, candidate_top_k: 5, vector_weight: 0}, top_k: 2}",
		"{type: hybrid_rerank, retrieval: {reranker: simple_keyword_overlap, multi_query: true, rrf_k: 0}}",
	},
	"parent_doc": {
		"{type: parent_doc, retrieval: {parent_score_aggregation: sum, top_k_parents: 12}, chunker: {parent_chunk_size: 40, parent_chunk_overlap: 10, child_chunk_size: 8, child_chunk_overlap: 2}}",
		"{type: parent_doc, retrieval: {parent_score_aggregation: mean, top_k_children: 1, top_k_parents: 1}, chunker: {parent_chunk_size: 30, parent_chunk_overlap: 0, child_chunk_size: 30, child_chunk_overlap: 29}}",
	},
	"sentence_window": {
		"{type: sentence_window, retrieval: {window: 0, candidate_top_k: 1}}",
		"{type: sentence_window, retrieval: {window: 7}, top_k: 3}",
	},
	"hyde": {"{type: hyde, retrieval: {fuse_with_question: false, probe_top_k: 3}}"},
	"rag_fusion": {
		"{type: rag_fusion, retrieval: {retriever: vector, include_original: false}}",
		"{type: rag_fusion, retrieval: {num_queries: 1, bm25_weight: 0}}",
	},
	"llm_heavy": {
		"{type: llm_heavy, llm_features: {enable_llm_ingestion: true, enable_llm_rerank: true}}",
		"{type: llm_heavy, llm_features: {enable_query_rewrite: false}, reranker: local_relevance, per_query_top_k: 3}",
	},
	"raglite": {
		"{type: raglite, multi_vector: true, neighbours: 0, candidate_top_k: 3}",
		"{type: raglite, filter: {topic: [none, such]}, oversample: 1}",
		"{type: raglite, neighbours: 3, reranker: llm, top_k: 2, bm25_weight: 0}",
	},
	"decompose": {
		"{type: decompose, retrieval: {sequential: true}}",
		"{type: decompose, retrieval: {sequential: true, retriever: vector, include_original: false, max_subquestions: 1}}",
	},
}

// TestSystems runs the suite over the table, with the defaults of each system and with its variants.
func TestSystems(t *testing.T) {
	for i := range systems.All {
		e := &systems.All[i]
		for _, entry := range append([]string{e.Name}, variants[e.Name]...) {
			t.Run(entry, func(t *testing.T) {
				t.Parallel()
				System(t, e, func(t testing.TB, f *File, m *Models) rag.System { return Build(t, f, m, entry) })
			})
		}
	}
}

// TestNoSilentZero asks for each hostile document in its own words: lexical search finds it, whatever its script, unless
// it has no letter and no digit.
func TestNoSilentZero(t *testing.T) {
	docs := Hostile(t)
	b := newBench(t, docs)
	sys := b.build(t, "bm25")
	for _, d := range docs {
		runes := []rune(d.Text)
		question := string(runes[:min(200, len(runes))])
		found := slices.ContainsFunc(retrieve(t, sys, question, 1000).Hits, func(h rag.Hit) bool { return h.Chunk.DocID == d.ID })
		if words := strings.ContainsFunc(question, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }); found != words {
			t.Errorf("document %s (%s): found %v, has words %v: %q", d.ID, d.Source, found, words, question[:min(60, len(question))])
		}
	}
}
