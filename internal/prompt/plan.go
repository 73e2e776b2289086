package prompt

import (
	"strconv"

	"ragbench/internal/rag"
)

// The phrases of the prompts that plan searches or describe chunks; see MarkerAnswer.
const (
	MarkerHyde          = "Write a short passage that answers the question below"
	MarkerVariants      = "Write alternative search queries for the question below"
	MarkerSubQuestions  = "Break the question below into the ordered sub-questions needed to answer it"
	MarkerSubAnswer     = "Answer one step of a larger question from the context below."
	MarkerGroupedAnswer = "Answer the question from the grouped context below."
	MarkerRewrite       = "Write three to five search queries to use in place of the question below."
	MarkerEnrich        = "Describe the chunk below so that a search finds it."
	MarkerSpanAnswer    = "Use the context in front of the prompt as your main source."
)

// ChunkLabel comes before the chunk in the prompt of Enrich.
const ChunkLabel = "Chunk:\n"

var (
	hydeTemplate      = mustLoad("hyde", "question")
	variantsTemplate  = mustLoad("query_variants", "n", "question")
	planTemplate      = mustLoad("plan_subquestions", "n", "question")
	subAnswerTemplate = mustLoad("sub_answer", "blocks", "question")
	groupedTemplate   = mustLoad("grouped_answer", "blocks", "question")
	rewriteTemplate   = mustLoad("query_rewrite", "question")
	enrichTemplate    = mustLoad("enrich_chunk", "chunk")
	spanTemplate      = mustLoad("span_answer", "blocks", "question")
)

// planning lists the prompts of this file.
var planning = []*Template{
	hydeTemplate, variantsTemplate, planTemplate, subAnswerTemplate, groupedTemplate, rewriteTemplate, enrichTemplate, spanTemplate,
}

// Hyde asks for a hypothetical passage to search with (Gao et al., 2022). The reply is plain text.
func Hyde(question string) []rag.Message { return hydeTemplate.fill(value{text: question}) }

// Variants asks for n other wordings of the question, as {"queries": [...]}.
func Variants(question string, n int) []rag.Message {
	return variantsTemplate.fill(value{text: strconv.Itoa(n)}, value{text: question})
}

// SubQuestions asks for at most n sub-questions in order, as {"subquestions": [...]}.
func SubQuestions(question string, n int) []rag.Message {
	return planTemplate.fill(value{text: strconv.Itoa(n)}, value{text: question})
}

// SubAnswer asks for the finding of one sub-question from its blocks. The reply is plain text.
func SubAnswer(question string, blocks []Block) []rag.Message {
	return subAnswerTemplate.fill(value{blocks: parts(blocks)}, value{text: question})
}

// Group is what was found for one sub-question.
type Group struct {
	Label   string // such as "Sub-question 1: Who leads it?"
	Finding string // a preliminary answer; empty for none
	Blocks  []Block
}

// GroupedAnswer is Answer with the blocks under the sub-question they were found for. Groups without a block and without
// a finding are left out.
func GroupedAnswer(question string, groups []Group) []rag.Message {
	list := []string{}
	for _, g := range groups {
		if len(g.Blocks) == 0 && g.Finding == "" {
			continue
		}
		list = append(list, g.Label+"\n\n")
		if g.Finding != "" {
			list = append(list, "Preliminary finding: "+g.Finding+"\n\n")
		}
		list = append(list, parts(g.Blocks)...)
	}
	return groupedTemplate.fill(value{blocks: list}, value{text: question})
}

// Rewrite asks for queries to search in place of the question, as {"queries": [...]}.
func Rewrite(question string) []rag.Message { return rewriteTemplate.fill(value{text: question}) }

// Enrich asks for what a search should know of a chunk, as {"summary": "...", "entities": [...], "questions": [...]}.
func Enrich(chunk string) []rag.Message { return enrichTemplate.fill(value{text: chunk}) }

// EnrichSHA256 identifies the text of the prompt of Enrich, for the key of an index that holds its replies.
func EnrichSHA256() string { return enrichTemplate.SHA256 }

// SpanAnswer is Answer with the context in front and the prompt last, as RAGLite puts them.
func SpanAnswer(question string, blocks []Block) []rag.Message {
	return spanTemplate.fill(value{blocks: parts(blocks)}, value{text: question})
}

// parts lays blocks out, a part each; not nil, so that no block is an empty list and no text.
func parts(blocks []Block) []string {
	list := make([]string, len(blocks))
	for i, b := range blocks {
		list[i] = b.Part()
	}
	return list
}
