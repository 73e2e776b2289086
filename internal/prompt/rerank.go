package prompt

import (
	"strconv"

	"ragbench/internal/rag"
)

// MarkerRerank is the phrase of the prompt that reranks; see MarkerAnswer.
const MarkerRerank = "Choose the passages that help most to answer the question below."

var rerankTemplate = mustLoad("rerank", "n", "blocks", "question")

// Candidate is a passage to choose from.
type Candidate struct {
	ID   string // how the reply is to name it
	Text string
}

// Rerank asks for the ids of the n most useful candidates in order, as {"chunk_ids": [...]}. Each candidate is a part of
// its own: "[number] id", a newline, the text and a blank line.
func Rerank(question string, candidates []Candidate, n int) []rag.Message {
	list := make([]string, len(candidates))
	for i, c := range candidates {
		list[i] = "[" + strconv.Itoa(i+1) + "] " + c.ID + "\n" + c.Text + "\n\n"
	}
	return rerankTemplate.fill(value{text: strconv.Itoa(n)}, value{blocks: list}, value{text: question})
}
