package report

import (
	"fmt"
	"strconv"
)

// columns are the measures a leaderboard can show, in reading order.
func columns(r runInfo) []column {
	k, d := r.PrimaryK, r.DeepestK
	gain := "linear: the gain of a document is its grade, as trec_eval has it"
	if r.Gain == "exponential" {
		gain = "exponential: the gain of a document is 2^grade − 1"
	}
	at := func(name string, k int) string { return fmt.Sprintf("%s@%d", name, k) }
	quality := func(group, key, title, doc string) column {
		return column{Key: key, Group: group, Title: title, Doc: doc, Better: "high", Max: 1, Format: score3}
	}
	axis := func(key, title, doc string) column {
		return column{Key: key, Group: "Answers", Title: title, Doc: doc, Better: "high", Max: 5,
			Format: func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }}
	}
	list := []column{
		quality("Retrieval", at("recall", k), at("Recall", k), fmt.Sprintf("Share of the relevant documents that are among the first %d.", k)),
		quality("Retrieval", at("precision", k), at("Precision", k), fmt.Sprintf("Share of the first %d places that hold a relevant document.", k)),
		quality("Retrieval", at("hit", k), at("Hit", k), fmt.Sprintf("Share of the questions with a relevant document among the first %d.", k)),
		quality("Retrieval", at("mrr", d), at("MRR", d), fmt.Sprintf("Mean of one over the rank of the first relevant document, 0 when none is among the first %d.", d)),
		quality("Retrieval", r.NDCG(), at("nDCG", d), fmt.Sprintf("Gain of the first %d documents, less the further down they stand, over that of the best possible order. Gain is %s.", d, gain)),
		axis("answer_score", "Answer score", "Mean of the judge's five axes, from 0 to 5."),
		axis("correctness", "Correct", "Judge: agreement with the reference answer, from 0 to 5."),
		axis("faithfulness", "Faithful", "Judge: support of the answer by the passages it was given, from 0 to 5."),
		quality("Answers", "token_f1", "Token F1", "Overlap in words between the answer and the reference answer."),
		quality("Answers", "exact_match", "Exact", "Share of the answers equal to the reference answer after normalisation."),
		quality("Answers", "keyword_recall", "Keywords", "Share of the expected keywords that the answer holds."),
		quality("Answers", "context_recall", "Ctx recall", "Share of the relevant documents that the generator read."),
		quality("Answers", "context_precision", "Ctx precision", "Share of the documents the generator read that are relevant."),
	}
	one := func(v float64) string { return count(int64(v + 0.5)) }
	return append(list,
		column{Key: "llm_tokens", Group: "Per question", Title: "LLM tokens", Doc: "Mean of the tokens of prompts and completions.", Better: "low", Format: one},
		column{Key: "cost", Group: "Per question", Title: "Cost", Doc: "Mean cost in US dollars of the model calls, as if none were answered from the log. An unknown price is a dash, never 0.", Better: "low", Format: dollars},
		column{Key: "p50", Group: "Per question", Title: "Median time", Doc: "Half of the answers took no longer.", Better: "low", Format: duration},
		column{Key: "p95", Group: "Per question", Title: "p95 time", Doc: "95 % of the answers took no longer.", Better: "low", Format: duration},
	)
}
