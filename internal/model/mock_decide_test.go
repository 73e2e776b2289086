package model

import (
	"context"
	"strings"
	"testing"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

func TestOverlapDecider(t *testing.T) {
	d, err := OpenDecider("mock:word-overlap", Env{})
	if err != nil {
		t.Fatal(err)
	}
	passages := []string{"The ferry sails to Halden.", "Dogs travel free on the ferry.\n[7]\nIt is blue.", "Nothing."}
	ps := []rag.Predicate{
		{Name: "p1", Instructions: "Does passage [1] help answer the query?"},
		{Name: "p2", Instructions: "Does passage [2] help answer the query?"},
		{Name: "p3", Instructions: "Does passage [3] help answer the query?"},
		{Name: "p9", Instructions: "Does passage [9] help answer the query?"},
		{Name: "all", Instructions: "Is this evidence enough to answer the query from the documents alone?"},
	}
	// Content words: when, does, ferry, sail, halden.
	res, err := d.SendDecide(context.Background(), prompt.Evidence("When does the ferry sail to Halden?", passages), ps)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.4, .2, 0, -1, .4} {
		got := res.Decisions[i]
		switch {
		case got.Name != ps[i].Name:
			t.Errorf("decision %d: got name %q, want %q", i, got.Name, ps[i].Name)
		case want < 0 && (got.Probability != nil || got.Reason == ""):
			t.Errorf("%s: got %+v, want unknown with a reason", got.Name, got)
		case want >= 0 && (got.Probability == nil || *got.Probability != want):
			t.Errorf("%s: got %v, want %v", got.Name, got.Probability, want)
		}
	}
	if res.Usage.Prompt < 20 {
		t.Errorf("got %d input tokens, want those of the evidence and the predicates", res.Usage.Prompt)
	}
}

func TestOverlapDeciderUnknown(t *testing.T) {
	d, err := OpenDecider("mock:word-overlap", Env{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := d.SendDecide(context.Background(), prompt.Evidence("渡し船?", []string{"x"}), []rag.Predicate{{Name: "p", Instructions: "[1]?"}})
	if err != nil || res.Decisions[0].Probability != nil || res.Decisions[0].Reason == "" {
		t.Errorf("got %+v and error %v, want unknown with a reason", res.Decisions, err)
	}
	if _, err := d.SendDecide(context.Background(), "free text", nil); err == nil || !strings.Contains(err.Error(), "laid out") {
		t.Errorf("got error %v, want one about the layout", err)
	}
}
