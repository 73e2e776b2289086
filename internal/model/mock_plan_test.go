package model

import (
	"testing"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

func TestMockPlans(t *testing.T) {
	const question = "Compare the Halden ferry and the quay bus by price?"
	for _, tt := range []struct {
		name string
		ms   []rag.Message
		want string
	}{
		{"hyde", prompt.Hyde("When does the Halden ferry leave?"),
			"This passage explains when does halden ferry leave. The relevant details of when does halden ferry leave are set out here, with their " +
				"conditions and exceptions. In short, the document states what applies to when does halden ferry leave."},
		{"hyde of no word", prompt.Hyde("?"),
			"This passage explains the subject. The relevant details of the subject are set out here, with their conditions and exceptions. " +
				"In short, the document states what applies to the subject."},
		{"variants", prompt.Variants(question, 4),
			`{"queries":["the Halden ferry by price","the quay bus by price","compare halden ferry quay price"]}`},
		{"variants of nothing", prompt.Variants("?", 4), `{"queries":[]}`},
		{"plan of one", prompt.SubQuestions("When does it leave?", 4), `{"subquestions":["When does it leave?"]}`},
		{"plan of a comparison", prompt.SubQuestions(question, 4), `{"subquestions":["the Halden ferry by price","the quay bus by price"]}`},
		{"plan of clauses", prompt.SubQuestions("Who leads it and where does she live?", 4), `{"subquestions":["Who leads it","where does she live"]}`},
		{"rewrite", prompt.Rewrite("When does it leave?"), `{"queries":["When does it leave","when does leave"]}`},
		{"enrich", prompt.Enrich("The ferry sails to Halden. It is 40 m long, says Captain Moss."),
			`{"entities":["The","Halden","Captain","Moss"],"questions":["What is said about ferry?","What is said about sails?","What is said about halden?"],"summary":"The ferry sails to Halden."}`},
		{"enrich nothing", prompt.Enrich("7"), `{"entities":[],"questions":[],"summary":"7"}`},
		{"sub-answer", prompt.SubAnswer("When does the ferry leave?", []prompt.Block{{DocID: "d", Place: "1", Text: "The ferry leaves at seven."}}), "The ferry leaves at seven. [d]"},
		{"grouped", prompt.GroupedAnswer("When does the ferry leave?", []prompt.Group{{Label: "Sub-question 1: [x | y]", Blocks: []prompt.Block{{DocID: "d", Place: "1", Text: "The ferry leaves at seven."}}}}),
			"The ferry leaves at seven. [d]"},
		{"spans", prompt.SpanAnswer("When does the ferry leave?", []prompt.Block{{DocID: "d", Place: "1", Text: "The ferry leaves at seven."}}), "The ferry leaves at seven. [d]"},
		{"spans of nothing", prompt.SpanAnswer("When does the ferry leave?", nil), rag.Refusal},
	} {
		if got := mockSay(t, tt.ms); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
