package score

import "ragbench/internal/spec"

// AnswerMetrics describes the metrics of an answer that need no judge, in reading order. Each is one number an answer;
// the mean over questions is the system's.
var AnswerMetrics = spec.Table[Def]{
	{
		Name:  "refused",
		Title: "Refused",
		Doc:   "1 when the answer declines to answer, by the wordings of the refusal detector, else 0.",
		New:   Def{Formula: "answer matches a refusal", Whole: true},
	},
	{
		Name:  "token_f1",
		Title: "Token F1",
		Doc:   "Harmonic mean of precision and recall over the tokens of answer and reference, as multisets; the best of several references. Missing where the question is unanswerable or has no reference.",
		Cite:  "Rajpurkar et al. 2016, SQuAD; normalisation differs, see docs/methodology.md",
		New:   Def{Formula: "2 |A ∩ R| / (|A| + |R|)", Whole: true},
	},
	{
		Name:  "exact_match",
		Title: "Exact match",
		Doc:   "1 when answer and reference have the same tokens, else 0; the best of several references.",
		Cite:  "Rajpurkar et al. 2016, SQuAD; normalisation differs, see docs/methodology.md",
		New:   Def{Formula: "A = R", Whole: true},
	},
	{
		Name:  "keyword_recall",
		Title: "Keyword recall",
		Doc:   "Share of the question's keywords whose tokens stand in the answer one after another. Missing where the question is unanswerable or has no keywords.",
		New:   Def{Formula: "keywords found / keywords", Whole: true},
	},
	{
		Name:  "context_recall",
		Title: "Context recall",
		Doc:   "Share of the relevant documents of which the generator read a chunk. Missing without relevant documents and for systems that retrieve nothing.",
		New:   Def{Formula: "|context ∩ relevant| / |relevant|", Whole: true},
	},
	{
		Name:  "context_precision",
		Title: "Context precision",
		Doc:   "Share of the documents the generator read that are relevant. Missing also where the context is empty.",
		New:   Def{Formula: "|context ∩ relevant| / |context|", Whole: true},
	},
	{
		Name:  "num_citations",
		Title: "Citations",
		Doc:   "Distinct documents that the answer cites in square brackets, existing or not.",
		New:   Def{Formula: "|cited|", Whole: true},
	},
	{
		Name:  "citation_known",
		Title: "Cited documents exist",
		Doc:   "Share of the cited ids that the dataset has. Missing where nothing is cited.",
		New:   Def{Formula: "|cited ∩ dataset| / |cited|", Whole: true},
	},
	{
		Name:  "citation_in_context",
		Title: "Cited documents were read",
		Doc:   "Share of the cited ids of which the generator read a chunk. Missing where nothing is cited.",
		New:   Def{Formula: "|cited ∩ context| / |cited|", Whole: true},
	},
	{
		Name:  "citation_relevant",
		Title: "Cited documents hold evidence",
		Doc:   "Share of the cited ids that a label or a labelled span names as holding the answer. Missing where nothing is cited or nothing is labelled.",
		New:   Def{Formula: "|cited ∩ evidence| / |cited|", Whole: true},
	},
}
