package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSelect(t *testing.T) {
	systems := []string{"bm25", "bm25[k1=1,b=0]", "bm25[k1=2,b=0]", "bm25_lucene", "hybrid[rrf_k=1]", "vector"}
	for _, tt := range []struct {
		name       string
		only, skip []string
		want       []string
		err        string // a part of the error
	}{
		{name: "nothing said", want: systems},
		{name: "one", only: []string{"vector"}, want: []string{"vector"}},
		{name: "order of the file", only: []string{"vector", "bm25_lucene"}, want: []string{"bm25_lucene", "vector"}},
		{name: "list", only: []string{" vector, bm25_lucene ,"}, want: []string{"bm25_lucene", "vector"}},
		{name: "base and variants", only: []string{"bm25"}, want: systems[:3]},
		{name: "base of variants alone", only: []string{"hybrid"}, want: systems[4:5]},
		{name: "comma in brackets", only: []string{"bm25[k1=2,b=0],vector"}, want: []string{"bm25[k1=2,b=0]", "vector"}},
		{name: "skip", skip: []string{"bm25", "hybrid"}, want: []string{"bm25_lucene", "vector"}},
		{name: "both", only: []string{"bm25"}, skip: []string{"bm25[k1=1,b=0]"}, want: []string{"bm25", "bm25[k1=2,b=0]"}},
		{name: "empty elements", only: []string{"", ","}, want: systems},
		{name: "misspelt", only: []string{"vectro"}, err: `--only: unknown system "vectro", did you mean "vector"?`},
		{name: "misspelt base", skip: []string{"hybrids"}, err: `--skip: unknown system "hybrids", did you mean "hybrid"?`},
		{name: "nothing left", only: []string{"vector"}, skip: []string{"vector"}, err: "leave none of"},
		{name: "open bracket", only: []string{"bm25[k1=2,vector"}, err: `unknown system "bm25[k1=2,vector"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &Config{}
			for _, name := range systems {
				c.Systems = append(c.Systems, System{Name: name})
			}
			err := c.Select(tt.only, tt.skip)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range c.Systems {
				got = append(got, s.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("systems (-want +got):\n%s", diff)
			}
		})
	}
}
