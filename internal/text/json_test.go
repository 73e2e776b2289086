package text

import (
	"errors"
	"testing"
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct {
		name, reply, want string
		repair            Repair
		bad               bool
	}{
		{name: "object", reply: ` {"a": [1]} `, want: `{"a": [1]}`},
		{name: "array", reply: `["a"]`, want: `["a"]`},
		{name: "byte order mark", reply: "\ufeff{}", want: `{}`},
		{name: "fence", reply: "```json\n{\"a\": 1}\n```", want: `{"a": 1}`, repair: RepairFence},
		{name: "fence without language", reply: "Here:\n```\n[1]\n```\nDone.", want: `[1]`, repair: RepairFence},
		{name: "fence on one line", reply: "```{\"a\": 1}```", want: `{"a": 1}`, repair: RepairFence},
		{name: "two fences", reply: "```\n{\"a\": 1}\n```\n```\n{\"b\": 2}\n```", want: `{"a": 1}`, repair: RepairEmbedded},
		{name: "prose around", reply: `Sure: {"a": "}"} and {"b": 1}`, want: `{"a": "}"}`, repair: RepairEmbedded},
		{name: "brackets in prose", reply: `As in [doc_1], so {"a": 1}.`, want: `{"a": 1}`, repair: RepairEmbedded},
		{name: "escaped quote", reply: `x {"a": "\"{"} y`, want: `{"a": "\"{"}`, repair: RepairEmbedded},
		{name: "cut off", reply: `{"a": [1, 2`, bad: true},
		{name: "single quotes", reply: `{'a': 1}`, bad: true},
		{name: "bare string", reply: `"yes"`, bad: true},
		{name: "bare number", reply: `5`, bad: true},
		{name: "empty", bad: true},
		{name: "closing only", reply: `]}`, bad: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, repair, err := JSON(tt.reply)
			if tt.bad != errors.Is(err, ErrUnparsed) {
				t.Fatalf("got %s and error %v, want unparsed %v", got, err, tt.bad)
			}
			if string(got) != tt.want || repair != tt.repair {
				t.Errorf("got %s after repair %q, want %s after %q", got, repair, tt.want, tt.repair)
			}
		})
	}
}

func TestDecodeJSON(t *testing.T) {
	var list []string
	if repair, err := DecodeJSON("so: [\"a\", \"b\"]", &list); err != nil || repair != RepairEmbedded || len(list) != 2 {
		t.Errorf("got %v after %q, %v", list, repair, err)
	}
	if _, err := DecodeJSON(`{"a": 1}`, &list); err == nil || errors.Is(err, ErrUnparsed) {
		t.Errorf("an object for a list: got error %v, want one of its type", err)
	}
}
