package model

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// The replies to the prompts that plan searches and describe chunks. Each follows from the words of the question alone.

// mockHyde writes fixed sentences around the topic words.
func mockHyde(ms []rag.Message) string {
	topic := strings.Join(longWords(questionIn(ms[len(ms)-1].Parts)), " ")
	if topic == "" {
		topic = "the subject"
	}
	return "This passage explains " + topic + ". The relevant details of " + topic + " are set out here, with their conditions and exceptions. " +
		"In short, the document states what applies to " + topic + "."
}

// mockVariants returns the local variants of the question without the first, six at most, and its words of more than
// three letters.
func mockVariants(ms []rag.Message) string {
	q := questionIn(ms[len(ms)-1].Parts)
	list := text.Variants(q, 7)[1:]
	if words := longWords(q); len(words) > 0 {
		list = append(list, strings.Join(words, " "))
	}
	return replyJSON(map[string]any{"queries": present(list)})
}

// mockPlan splits the question by local rules, or repeats it.
func mockPlan(ms []rag.Message) string {
	q := questionIn(ms[len(ms)-1].Parts)
	list := text.SubQuestions(q)
	if len(list) == 0 {
		list = []string{q}
	}
	return replyJSON(map[string]any{"subquestions": list})
}

// mockRewrite returns the local variants and the topic words, five queries at most.
func mockRewrite(ms []rag.Message) string {
	q := questionIn(ms[len(ms)-1].Parts)
	list := text.Variants(q, 4)
	if words := longWords(q); len(words) > 0 {
		list = append(list, strings.Join(words, " "))
	}
	return replyJSON(map[string]any{"queries": present(list)})
}

// mockEnrich describes a chunk by its first sentence, its capitalised words and a question about each of three of its
// long words.
func mockEnrich(ms []rag.Message) string {
	_, chunk, _ := strings.Cut(ms[len(ms)-1].Text(), prompt.ChunkLabel)
	summary := ""
	eachSentence(chunk, func(s string) {
		if summary == "" {
			summary = text.Truncate(s, 300)
		}
	})
	entities := []string{}
	for _, w := range strings.Fields(chunk) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(w) > 2 && unicode.IsUpper([]rune(w)[0]) && !slices.Contains(entities, w) && len(entities) < 10 {
			entities = append(entities, w)
		}
	}
	questions := []string{}
	for _, w := range longWords(chunk) {
		if len(questions) < 3 {
			questions = append(questions, "What is said about "+w+"?")
		}
	}
	return replyJSON(map[string]any{"summary": summary, "entities": entities, "questions": questions})
}

// longWords lists the distinct tokens of more than three letters in order.
func longWords(s string) []string {
	var list []string
	for _, w := range text.Tokenize(s) {
		if len(w) > 3 && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// present makes an empty list of none, so that JSON has [] and not null.
func present(list []string) []string { return append([]string{}, list...) }

// replyJSON writes a reply with sorted keys.
func replyJSON(v map[string]any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and lists of texts
	}
	return string(b)
}
