package systems

import (
	"fmt"
	"slices"

	"ragbench/internal/spec"
)

// Groups of options that several systems take, with the defaults of the configuration.
var (
	chunking = []spec.Option{
		{Name: "chunker", Doc: "How documents are cut; see the list of chunkers. One chunker for all systems may stand at the top of the file."},
	}
	lexical = []spec.Option{
		{Name: "retrieval.formula", Default: "fts5", Doc: "BM25 formula: fts5 equals SQLite's bm25(), okapi is rank_bm25's, lucene is Lucene's."},
		{Name: "retrieval.k1", Doc: "Saturation of term frequency. Default: the formula's own (fts5 and lucene 1.2, okapi 1.5)."},
		{Name: "retrieval.b", Doc: "Length normalisation, 0 to 1. Default: 0.75."},
		{Name: "retrieval.tokenizer", Default: "unicode61", Doc: "unicode61, or porter for English stems. Scripts without spaces are indexed as bigrams."},
		{Name: "retrieval.stop_words", Default: "none", Doc: "none, or english to leave out Lucene's 33 function words."},
	}
	dense = []spec.Option{
		{Name: "retrieval.vector_store", Default: "exact", Doc: "Search engine of the vectors; exact scans all of them."},
		{Name: "models.embedding", Doc: "Embedding model; default: the run's."},
	}
	fusion = []spec.Option{
		{Name: "retrieval.bm25_top_k", Default: "20", Doc: "Candidates of the lexical search; at least the retrieval depth is searched."},
		{Name: "retrieval.vector_top_k", Default: "20", Doc: "Candidates of the vector search; at least the retrieval depth is searched."},
		{Name: "retrieval.bm25_weight", Default: "1.0", Doc: "Weight of the lexical list in the fusion."},
		{Name: "retrieval.vector_weight", Default: "1.0", Doc: "Weight of the vector list in the fusion."},
		{Name: "retrieval.rrf_k", Default: "60", Doc: "Softens how much rank 1 beats rank 5."},
	}
	diversity = []spec.Option{
		{Name: "retrieval.diversity", Default: "none", Doc: "none, or mmr to pick from a pool by relevance against likeness to what is picked."},
		{Name: "retrieval.mmr_lambda", Default: "0.5", Doc: "1: relevance alone; 0: only avoid repeats."},
		{Name: "retrieval.mmr_candidates", Default: "20", Doc: "Size of the pool; at least the retrieval depth."},
	}
	variants = []spec.Option{
		{Name: "retrieval.multi_query", Default: "false", Doc: "Search rule-based wordings of the question too."},
		{Name: "retrieval.max_query_variants", Default: "4", Doc: "Wordings at most, the question among them."},
	}
	generation = []spec.Option{
		{Name: "models.generator", Doc: "Generator model; default: the run's."},
	}
	reading = slices.Concat([]spec.Option{
		{Name: "top_k", Doc: "Chunks the generator reads; default: evaluation.context_k."},
	}, generation)
)

// options joins groups.
func options(groups ...[]spec.Option) []spec.Option { return slices.Concat(groups...) }

// wholeOption returns an option that takes whole numbers from lo; one that was not given is 0.
func (e *Env) wholeOption(name string, lo int) (int, error) {
	switch v := e.Config.Options[name].(type) {
	case nil:
		return 0, nil
	case int:
		if v >= lo {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%s: want a whole number from %d, got %v", name, lo, e.Config.Options[name])
}

// textOption returns an option that takes one of a few texts.
func (e *Env) textOption(name string, choices ...string) (string, error) {
	v, _ := e.Config.Options[name].(string)
	if !slices.Contains(choices, v) {
		return "", fmt.Errorf("%s: %w", name, spec.Unknown("value", fmt.Sprint(e.Config.Options[name]), choices))
	}
	return v, nil
}

// switchOption returns an option that is true or false.
func (e *Env) switchOption(name string) bool {
	on, _ := e.Config.Options[name].(bool)
	return on
}
