package prompt

import (
	"strconv"
	"strings"
)

// Evidence lays out what a decision model reads: the question, then the passages numbered from 1, each under a line
// "[n]". Predicates name passages by that number.
func Evidence(question string, passages []string) string {
	var b strings.Builder
	b.WriteString(QuestionLabel)
	b.WriteString(question)
	b.WriteString("\n\nPassages:\n")
	for i, p := range passages {
		b.WriteString("\n[")
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString("]\n")
		b.WriteString(p)
		b.WriteByte('\n')
	}
	return b.String()
}
