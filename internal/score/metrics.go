package score

import "ragbench/internal/spec"

// Def says where a metric is computed and how.
type Def struct {
	Formula string // with the symbols that Metrics explains
	AtK     bool   // stored as name@k for each k of the run
	Whole   bool   // stored as name, over the whole stored ranking
}

// Metrics describes the retrieval metrics in reading order. In the formulas R is the number of relevant documents of
// the question, found(k) how many of them are among the first k documents of the ranking, g(i) the grade of the document
// at rank i (0 when it is not judged or is judged below 0), g*(i) the same for the judged documents in the best possible
// order, and n the length of the ranking. A division by 0 gives 0.
var Metrics = spec.Table[Def]{
	{
		Name:  "recall",
		Title: "Recall",
		Doc:   "Share of the relevant documents that are among the first k.",
		Cite:  "trec_eval recall",
		New:   Def{Formula: "found(k) / R", AtK: true},
	},
	{
		Name:  "precision",
		Title: "Precision",
		Doc:   "Share of the first k places that hold a relevant document. A shorter ranking is divided by k all the same.",
		Cite:  "trec_eval P",
		New:   Def{Formula: "found(k) / k", AtK: true},
	},
	{
		Name:  "hit",
		Title: "Hit rate",
		Doc:   "1 when a relevant document is among the first k, else 0.",
		Cite:  "trec_eval success",
		New:   Def{Formula: "found(k) > 0", AtK: true},
	},
	{
		Name:  "mrr",
		Title: "Reciprocal rank",
		Doc:   "One over the rank of the first relevant document, 0 when there is none among the first k.",
		Cite:  "Voorhees 1999; trec_eval recip_rank",
		New:   Def{Formula: "1 / min{i <= k : document i is relevant}", AtK: true, Whole: true},
	},
	{
		Name:  "ndcg",
		Title: "nDCG, linear gain",
		Doc:   "Discounted gain over that of the best order of all judged documents; the gain is the grade. Published figures that come from trec_eval have this form.",
		Cite:  "Järvelin and Kekäläinen 2002; trec_eval ndcg and ndcg_cut",
		New:   Def{Formula: "sum_{i<=k} g(i)/log2(i+1) / sum_{i<=k} g*(i)/log2(i+1)", AtK: true, Whole: true},
	},
	{
		Name:  "ndcg_exp",
		Title: "nDCG, exponential gain",
		Doc:   "As ndcg with the gain 2^grade - 1, which sets higher grades further apart. Equal to ndcg where grades are 0 and 1.",
		Cite:  "Burges et al. 2005; gdeval.pl",
		New:   Def{Formula: "sum_{i<=k} (2^g(i)-1)/log2(i+1) / sum_{i<=k} (2^g*(i)-1)/log2(i+1)", AtK: true, Whole: true},
	},
	{
		Name:  "map",
		Title: "Average precision",
		Doc:   "Mean over the relevant documents of the precision at the rank of each, 0 for one that is not among the first k. Its mean over questions is MAP.",
		Cite:  "trec_eval map and map_cut",
		New:   Def{Formula: "sum_{i<=k, i relevant} found(i)/i / R", AtK: true, Whole: true},
	},
	{
		Name:  "rprec",
		Title: "R-precision",
		Doc:   "Precision at the rank that equals the number of relevant documents.",
		Cite:  "trec_eval Rprec",
		New:   Def{Formula: "found(R) / R", Whole: true},
	},
	{
		Name:  "num_retrieved",
		Title: "Documents retrieved",
		Doc:   "Distinct documents in the stored ranking.",
		Cite:  "trec_eval num_ret",
		New:   Def{Formula: "n", Whole: true},
	},
	{
		Name:  "num_relevant",
		Title: "Documents relevant",
		Doc:   "Relevant documents of the question by its labels, retrieved or not.",
		Cite:  "trec_eval num_rel",
		New:   Def{Formula: "R", Whole: true},
	},
}
