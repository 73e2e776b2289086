package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFirstHeading(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"# Title\n":                          "Title",
		"#\tTitle ##\n":                      "Title",
		"# C#\n":                             "C#",
		"#Title\n":                           "",
		"## Two\n# One\n":                    "One",
		"   # Indented\n":                    "Indented",
		"    # Code\n":                       "",
		"Setext\n===\n":                      "Setext",
		"\n===\n# T\n":                       "T",
		"```\n# no\n```\n# yes\n":            "yes",
		"~~~\n# no\n```\n# no\n~~~\n# yes\n": "yes",
		"````\n```\n# no\n````\n# yes\n":     "yes",
		"```\n# no\n``` not closed\n# no\n":  "",
		"# \n# Second\n":                     "Second",
		"para\n\n===\n":                      "",
		"# #\n# T\n":                         "T",
	} {
		if got := firstHeading(in); got != want {
			t.Errorf("firstHeading(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want map[string]string
		rest string
	}{
		{"no block\n", nil, "no block\n"},
		{"---\ntitle: A: B\nlist:\n  - x\ntags: [a]\nname: 'q'\n---\nbody", map[string]string{"title": "A: B", "name": "q"}, "body"},
		{"---\nnever: ends\n", nil, "---\nnever: ends\n"},
		{"---\n---\nbody", nil, "body"},
		{"---\na: 1\n...\nbody", map[string]string{"a": "1"}, "body"},
	} {
		got, rest := frontMatter(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" || rest != tt.rest {
			t.Errorf("frontMatter(%q): rest %q, want %q (-want +got):\n%s", tt.in, rest, tt.rest, diff)
		}
	}
}
