package rag

import "time"

// StepKind is what a step of a trace does.
type StepKind string

// The kinds, as the CHECK of steps.kind lists them.
const (
	StepRetrieve StepKind = "retrieve"
	StepRerank   StepKind = "rerank"
	StepLLM      StepKind = "llm"
	StepTool     StepKind = "tool"
	StepEmbed    StepKind = "embed"
	StepRoute    StepKind = "route"
	StepGrade    StepKind = "grade"
	StepGenerate StepKind = "generate"
	StepExternal StepKind = "external"
)

// Step is one traced piece of work on a question. Its usage is what it alone spent.
type Step struct {
	Kind     StepKind
	Name     string // the part after the colon in kind:name
	Start    time.Duration
	Latency  time.Duration
	Input    string // preview, at most 300 characters
	Output   string // preview, at most 300 characters
	Usage    Usage
	Calls    []Call // the model calls made inside, in order
	Error    string
	Metadata map[string]any
}

// Trace records the steps of one question. It is an explicit argument so that no system can forget it.
type Trace interface {
	// Step starts a step and returns the function that ends it. The caller fills the step in before ending it.
	Step(kind StepKind, name, input string) (step *Step, end func())
}
