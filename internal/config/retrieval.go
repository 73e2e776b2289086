package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// RetrievalOptions are the options of search that several systems share. A field is zero when the system's type does
// not list the option.
type RetrievalOptions struct {
	Formula          string  // fts5, okapi or lucene
	K1, B            float64 // of BM25
	StopWords        string  // none or english
	Tokenizer        string  // unicode61 or porter
	BM25TopK         int     // candidates a query
	VectorTopK       int     // candidates a query
	BM25Weight       float64 // in the fusion
	VectorWeight     float64 // in the fusion
	RRFK             int     // k of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)
	VectorStore      string  // exact
	MultiQuery       bool    // search local variants of the question too
	MaxQueryVariants int     // the question included
	Diversity        string  // none or mmr (Carbonell and Goldstein 1998)
	MMRLambda        float64 // 1: relevance alone
	MMRCandidates    int     // size of the pool MMR picks from
}

// retrievalOption binds an option to its field.
type retrievalOption struct {
	option
	field func(*RetrievalOptions) any
}

// The shared options with their defaults: those of the Python original where it has the option. K1 and b have one
// default a formula, see defaultsBM25.
func retrievalOptions() []retrievalOption {
	bind := func(name, def string, o option, field func(*RetrievalOptions) any) retrievalOption {
		o.name, o.def = name, def
		return retrievalOption{o, field}
	}
	return []retrievalOption{
		bind("formula", "fts5", oneOf("fts5", "okapi", "lucene"), func(o *RetrievalOptions) any { return &o.Formula }),
		bind("k1", "", numberIn(0, inf), func(o *RetrievalOptions) any { return &o.K1 }),
		bind("b", "", numberIn(0, 1), func(o *RetrievalOptions) any { return &o.B }),
		bind("stop_words", "none", oneOf("none", "english"), func(o *RetrievalOptions) any { return &o.StopWords }),
		bind("tokenizer", "unicode61", oneOf("unicode61", "porter"), func(o *RetrievalOptions) any { return &o.Tokenizer }),
		bind("bm25_top_k", "20", wholeFrom(1), func(o *RetrievalOptions) any { return &o.BM25TopK }),
		bind("vector_top_k", "20", wholeFrom(1), func(o *RetrievalOptions) any { return &o.VectorTopK }),
		bind("bm25_weight", "1.0", numberIn(0, inf), func(o *RetrievalOptions) any { return &o.BM25Weight }),
		bind("vector_weight", "1.0", numberIn(0, inf), func(o *RetrievalOptions) any { return &o.VectorWeight }),
		bind("rrf_k", "60", wholeFrom(0), func(o *RetrievalOptions) any { return &o.RRFK }),
		bind("vector_store", "exact", oneOf("exact", "numpy", "in_memory"), func(o *RetrievalOptions) any { return &o.VectorStore }),
		bind("multi_query", "false", option{kind: boolean}, func(o *RetrievalOptions) any { return &o.MultiQuery }),
		bind("max_query_variants", "4", wholeFrom(1), func(o *RetrievalOptions) any { return &o.MaxQueryVariants }),
		bind("diversity", "none", oneOf("none", "mmr"), func(o *RetrievalOptions) any { return &o.Diversity }),
		bind("mmr_lambda", "0.5", numberIn(0, 1), func(o *RetrievalOptions) any { return &o.MMRLambda }),
		bind("mmr_candidates", "20", wholeFrom(1), func(o *RetrievalOptions) any { return &o.MMRCandidates }),
	}
}

// defaultsBM25 returns k1 and b as each formula's reference implementation has them: constants of SQLite's fts5_aux.c,
// rank_bm25's BM25Okapi, Lucene's BM25Similarity.
func defaultsBM25(formula string) (k1, b float64) {
	if formula == "okapi" {
		return 1.5, 0.75
	}
	return 1.2, 0.75
}

// Scoring names what the lexical scores are: the formula, and k1 and b where they are not the formula's defaults. With
// other constants the formula fts5 no longer equals FTS5's own bm25().
func (o RetrievalOptions) Scoring() string {
	k1, b := defaultsBM25(o.Formula)
	if o.K1 == k1 && o.B == b {
		return o.Formula
	}
	return fmt.Sprintf("%s(k1=%s,b=%s)", o.Formula, short(o.K1), short(o.B))
}

// retrieval computes the shared retrieval options of a system of layout lay.
func (l *loader) retrieval(own map[string]pair, lay layout, where string) RetrievalOptions {
	var out RetrievalOptions
	given := map[string]*yaml.Node{}
	for _, o := range retrievalOptions() {
		path := "retrieval." + o.name
		listed, ok := lay.options[path]
		if !ok || isBM25Constant(o.name) {
			continue
		}
		if listed.Default != "" {
			o.def = listed.Default
		}
		given[o.name] = l.effective(own, path, where, o.option, true, o.field(&out))
	}
	l.bm25Constants(own, lay, where, &out)
	if out.VectorStore == "numpy" || out.VectorStore == "in_memory" {
		out.VectorStore = "exact" // what these stores of the Python original do
	}
	_, bm25 := lay.options["retrieval.bm25_weight"]
	_, vector := lay.options["retrieval.vector_weight"]
	if bm25 && vector && out.BM25Weight == 0 && out.VectorWeight == 0 {
		at := given["bm25_weight"]
		if v := given["vector_weight"]; at == nil || v != nil && v.Line > at.Line {
			at = v
		}
		l.fail(at, "retrieval: bm25_weight and vector_weight are both 0, one of them must be larger")
	}
	return out
}

// bm25Constants fills in k1 and b: the system's own, those of the file unless they belong to another formula, or the
// formula's.
func (l *loader) bm25Constants(own map[string]pair, lay layout, where string, out *RetrievalOptions) {
	inherit := true
	if g, ok := l.global["retrieval.formula"]; ok {
		inherit = g.value.Value == out.Formula
	}
	k1, b := defaultsBM25(out.Formula)
	for _, o := range retrievalOptions() {
		if _, ok := lay.options["retrieval."+o.name]; !ok || !isBM25Constant(o.name) {
			continue
		}
		o.def = short(b)
		if o.name == "k1" {
			o.def = short(k1)
		}
		l.effective(own, "retrieval."+o.name, where, o.option, inherit, o.field(out))
	}
}

func isBM25Constant(name string) bool { return name == "k1" || name == "b" }

// effective stores the value of an option in dst, a pointer to the type of its kind, and returns the node it came from,
// nil for the default. Values of the file's own sections are checked by globals, so here their problems are dropped.
func (l *loader) effective(own map[string]pair, path, where string, o option, inherit bool, dst any) *yaml.Node {
	at := defaultNode(o.def)
	r, name := &l.reader, "default of "+path
	var from *yaml.Node
	if p, ok := own[path]; ok {
		at, from, name = p.value, p.value, join(where, path)
	} else if p, ok := l.global[path]; ok && inherit {
		at, from, r = p.value, p.value, &reader{}
		l.used[path] = true
	}
	if at == nil {
		return nil
	}
	v, ok := r.value(name, at, o)
	if ok {
		assign(dst, v)
	}
	return from
}

// assign stores v in the variable dst points to. A whole number fits a variable for any.
func assign(dst, v any) {
	switch d := dst.(type) {
	case *int:
		*d = v.(int)
	case *float64:
		*d = v.(float64)
	case *bool:
		*d = v.(bool)
	case *string:
		*d = v.(string)
	case *any:
		*d = v
	default:
		panic(fmt.Sprintf("option has a field of type %T", dst))
	}
}

// inSection says whether path is a key of section.
func inSection(path, section string) bool { return strings.HasPrefix(path, section+".") }
