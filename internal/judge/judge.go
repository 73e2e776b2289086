// Package judge turns answers into judgments: rows with five axes from 0 to 5, one an (answer, judge, prompt version,
// sample), so that several judges stand side by side. A judgment that failed is a row with a status and no score.
//
// The step is run → judge → score: Run reads the answers of a run, asks a Judge, and writes judgments; Use makes the
// scores of one judge the run's.
package judge

import (
	"context"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// Case is one answer with all that a judge may look at.
type Case struct {
	AnswerID   int64
	Question   string
	Answerable bool
	Reference  string
	Answer     string
	Refused    bool
	Keywords   []string
	Category   string
	AnswerType string
	Relevant   []string       // document ids
	Context    []prompt.Block // what the generator read, in its order
	Rounds     map[int]int    // how often the judgment of a sample has failed before

	judged bool // a sample was judged before
}

// Axes are the five scores, each from 0 to 5.
type Axes struct {
	Correctness, Faithfulness, Completeness, Relevance, CitationQuality float64
}

// Mean is the unweighted mean of the axes: the answer score.
func (a Axes) Mean() float64 {
	return (a.Correctness + a.Faithfulness + a.Completeness + a.Relevance + a.CitationQuality) / 5
}

// The statuses of a judgment.
const (
	OK       = "ok"
	Unparsed = "unparsed" // the model replied, twice, and neither reply could be used
	Failed   = "error"    // there was no reply
)

// Verdict is one judgment.
type Verdict struct {
	Sample       int
	Status       string
	Fallback     bool   // by the heuristic, because the judge failed
	Axes         *Axes  // nil unless Status is OK
	Supported    *bool  // nil: not said, which is not no
	Hallucinated *bool  // the same
	Reason       string // why, in the judge's words; of a failed judgment what went wrong
	Repair       string // what was done to read the reply; empty for nothing
	Round        int
	Calls        []rag.Call // the last made the judgment, one before it was repeated
}

// Judge judges answers.
type Judge interface {
	// Name is what judgments.judge holds: heuristic, or a model reference.
	Name() string
	// Version changes when the same answer could be judged otherwise; it is what judgments.prompt_version holds.
	Version() string
	// Samples is how many judgments an answer gets.
	Samples() int
	// Judge returns one verdict for each of the samples asked for, failed ones among them. Its error is one that is no
	// fault of the answer: the context has ended.
	Judge(ctx context.Context, c *Case, samples []int) ([]Verdict, error)
}
