package prompt

import (
	"slices"
	"strings"

	"ragbench/internal/rag"
)

// The phrases by which the mock model recognises a prompt. They stand in the system message, where no document and no
// user can put them.
const (
	MarkerAnswer      = "Answer the question from the context below."
	MarkerNoRetrieval = "Answer the question from your own knowledge."
)

// QuestionLabel comes before the question in the last user message.
const QuestionLabel = "Question: "

var (
	answerTemplate      = mustLoad("answer", "blocks", "question")
	noRetrievalTemplate = mustLoad("no_retrieval", "question")
)

// All lists the prompts in reading order, for the record of a run.
var All = slices.Concat([]*Template{answerTemplate, noRetrievalTemplate, rerankTemplate}, planning, judging)

// Block is a passage as the generator reads it.
type Block struct {
	DocID string
	Place string // where in the document: what follows ::chunk:: in the chunk's key
	Text  string
}

// BlockOf returns the block of a chunk. A key without ::chunk:: is its own place.
func BlockOf(c *rag.Chunk) Block {
	place := c.Key
	if _, after, ok := strings.Cut(c.Key, "::chunk::"); ok {
		place = after
	}
	return Block{DocID: c.DocID, Place: place, Text: c.Text}
}

// Part returns the block as it stands in a prompt: "[doc_id | place]", a newline, the text and a blank line. The blank
// line belongs to every block, so that a passage is the same part wherever it stands in a list.
func (b Block) Part() string {
	return "[" + b.DocID + " | " + b.Place + "]\n" + b.Text + "\n\n"
}

// Answer returns the prompt that every system answers with: from the blocks alone, citing [doc_id], refusing with
// rag.Refusal. Each block is a part of its own. With no block the context is empty, and the model is to refuse.
func Answer(question string, blocks []Block) []rag.Message {
	parts := make([]string, len(blocks))
	for i, b := range blocks {
		parts[i] = b.Part()
	}
	return answerTemplate.fill(value{blocks: parts}, value{text: question})
}

// NoRetrieval returns the prompt for answering from the model's own knowledge.
func NoRetrieval(question string) []rag.Message {
	return noRetrievalTemplate.fill(value{text: question})
}
