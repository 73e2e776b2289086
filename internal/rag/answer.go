package rag

// Refusal is the sentence every system answers with when the documents do not hold the answer.
const Refusal = "I could not find the answer in the provided documents."

// Answer is what a system says to one question.
type Answer struct {
	Text      string
	Refused   bool
	Citations []string // document ids cited in Text that were in the context, in order of first mention
	Finish    string   // finish reason of the generating call: stop, length, content_filter …
	Metadata  map[string]any
}
