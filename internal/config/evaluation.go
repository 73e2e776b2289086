package config

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Evaluation says what is measured, and how deep.
type Evaluation struct {
	KValues        []int  // cut-offs, ascending
	PrimaryK       int    // the headline cut-off, one of KValues
	ContextK       int    // chunks the generator reads where a system does not set its own number
	RetrievalDepth int    // length of the scored ranking: at least the largest k and ContextK
	NDCGGain       string // linear (trec_eval) or exponential (2^grade - 1, the Python original)
	MaxQuestions   int    // ask the first so many questions; 0 means all
}

func defaultEvaluation() Evaluation {
	return Evaluation{KValues: []int{1, 3, 5, 10}, ContextK: 5, NDCGGain: "linear"}
}

// evaluation reads the section evaluation and fills in what follows from it.
func (l *loader) evaluation(where string, n *yaml.Node) {
	e := &l.cfg.Evaluation
	var ks, primary, depth *yaml.Node
	at := func(dst **yaml.Node, read func(string, *yaml.Node)) func(string, *yaml.Node) {
		return func(where string, n *yaml.Node) { *dst = n; read(where, n) }
	}
	before := len(l.problems)
	l.fields(n, where, slices.Concat([]field{
		{key: "k_values", read: at(&ks, listTo(&l.reader, &e.KValues, wholeFrom(1)))},
		{key: "primary_k", read: at(&primary, to(&l.reader, &e.PrimaryK, wholeFrom(1)))},
		{key: "context_k", read: to(&l.reader, &e.ContextK, wholeFrom(1))},
		{key: "retrieval_depth", read: at(&depth, to(&l.reader, &e.RetrievalDepth, wholeFrom(1)))},
		{key: "ndcg_gain", read: l.textTo(&e.NDCGGain, "linear", "exponential")},
		{key: "max_questions", read: to(&l.reader, &e.MaxQuestions, wholeFrom(1))},
		{key: "stats", read: l.stats},
		{key: "embedding_cache", read: l.keep("a vector is stored once in the database file and shared")},
		{key: "tools_now", read: l.keep("this version has no tools")},
	}, l.judgeFields(), l.sharedFields())...)
	if len(l.problems) == before {
		l.finishEvaluation(ks, primary, depth)
	}
}

// finishEvaluation sorts the cut-offs and derives the primary one and the depth (ragbench methodology: 5 where it is a
// cut-off, else the middle one; the deepest cut-off, and never less than the generator reads).
func (l *loader) finishEvaluation(ks, primary, depth *yaml.Node) {
	e := &l.cfg.Evaluation
	slices.Sort(e.KValues)
	e.KValues = slices.Compact(e.KValues)
	if len(e.KValues) == 0 {
		if ks != nil && ks.Kind == yaml.SequenceNode && len(ks.Content) == 0 {
			l.fail(ks, "evaluation.k_values: want at least one cut-off")
		}
		return
	}
	deepest := e.KValues[len(e.KValues)-1]
	switch {
	case e.PrimaryK == 0 && slices.Contains(e.KValues, 5):
		e.PrimaryK = 5
	case e.PrimaryK == 0:
		e.PrimaryK = e.KValues[len(e.KValues)/2]
	case !slices.Contains(e.KValues, e.PrimaryK):
		l.fail(primary, "evaluation.primary_k: want one of k_values %v, got %d", e.KValues, e.PrimaryK)
	}
	if e.RetrievalDepth > 0 && e.RetrievalDepth < deepest {
		l.fail(depth, "evaluation.retrieval_depth: want at least the largest of k_values (%d), got %d", deepest, e.RetrievalDepth)
	}
	e.RetrievalDepth = max(e.RetrievalDepth, deepest, e.ContextK)
}
