package systems

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/text"
)

func TestQueryList(t *testing.T) {
	for _, tt := range []struct {
		name, reply string
		want        []string
		repair      text.Repair
		err         string
	}{
		{name: "object", reply: `{"queries": ["one two", "three"]}`, want: []string{"one two", "three"}},
		{name: "list alone", reply: `["one", "two"]`, want: []string{"one", "two"}},
		{name: "fenced", reply: "```json\n{\"queries\": [\"one\"]}\n```", want: []string{"one"}, repair: text.RepairFence},
		{name: "prose around", reply: `Here you are: {"queries": ["one"]}. Enjoy!`, want: []string{"one"}, repair: text.RepairEmbedded},
		{name: "repeats in any case, the question, blank ones", reply: `{"queries": [" One  two? ", "one two", "the QUESTION", "", "?"]}`, want: []string{"One two?"}},
		{name: "cut to the limit", reply: `["a1", "b2", "c3", "d4"]`, want: []string{"a1", "b2", "c3"}},
		{name: "other keys beside it", reply: `{"why": 1, "queries": ["one"]}`, want: []string{"one"}},
		{name: "empty", reply: "", err: "no JSON"},
		{name: "prose", reply: "I would search for one and two.", err: "no JSON"},
		{name: "cut off", reply: `{"queries": ["one", "tw`, err: "no JSON"},
		{name: "another key", reply: `{"searches": ["one"]}`, err: "no queries"},
		{name: "null", reply: `{"queries": null}`, err: "no list"},
		{name: "a text", reply: `{"queries": "one"}`, err: "no list"},
		{name: "numbers", reply: `{"queries": ["one", 2]}`, err: "something else"},
		{name: "objects", reply: `[{"query": "one"}]`, err: "something else"},
		{name: "nothing new", reply: `{"queries": ["the question?"]}`, err: "nothing to search with"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, repair, err := queryList(tt.reply, "queries", 3, "The question")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || got != nil {
					t.Fatalf("got %q and error %v, want an error with %q", got, err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || repair != tt.repair {
				t.Errorf("after repair %q, want %q (-want +got):\n%s", repair, tt.repair, diff)
			}
		})
	}
}
