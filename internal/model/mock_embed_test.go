package model

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// hashingOracle is the rule written down a second time, with hex digits and whole numbers.
func hashingOracle(text string, dims int64) []float64 {
	v := make([]float64, dims)
	for _, token := range regexp.MustCompile(`[A-Za-z0-9_]+`).FindAllString(text, -1) {
		digits := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.ToLower(token))))[:16]
		h, _ := new(big.Int).SetString(digits, 16)
		quotient, index := new(big.Int).DivMod(h, big.NewInt(dims), new(big.Int))
		if quotient.Bit(0) == 0 {
			v[index.Int64()]++
		} else {
			v[index.Int64()]--
		}
	}
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	for i := range v {
		if sum > 0 {
			v[i] /= math.Sqrt(sum)
		}
	}
	return v
}

func openEmbed(t testing.TB, ref string, env Env) EmbedProvider {
	t.Helper()
	p, err := OpenEmbedder(ref, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHashingEmbedding(t *testing.T) {
	texts := []string{
		"The ferry leaves Port Halden at 07:15.",
		"the FERRY leaves port_halden at 07 15",
		"a a a a b",
		"naïve café", // accents part words: na, ve, caf
		"", "?!", "渡し船は七時に出ます",
	}
	for _, tt := range []struct {
		ref  string
		dims int
	}{{"mock:hashing-embedding", 384}, {"mock:hashing-embedding@4096", 4096}, {"mock:hashing-embedding@7", 7}} {
		p := openEmbed(t, tt.ref, Env{})
		if got := p.Info().Dims; got != tt.dims {
			t.Errorf("%s: got %d dimensions, want %d", tt.ref, got, tt.dims)
		}
		res, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: texts})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			for j, want := range hashingOracle(text, int64(tt.dims)) {
				if got := res.Vectors[i][j]; got != float32(want) {
					t.Fatalf("%s: %q: number %d: got %v, want %v", tt.ref, text, j, got, float32(want))
				}
			}
		}
		if diff := cmp.Diff([]int{10, 9, 6, 3, 1, 1, 1}, res.Tokens); diff != "" {
			t.Errorf("%s: tokens (-want +got):\n%s", tt.ref, diff)
		}
	}
}

func TestHashingEmbeddingZero(t *testing.T) {
	p := openEmbed(t, "mock:hashing-embedding", Env{})
	res, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: []string{"渡し船", "ferry"}})
	if err != nil {
		t.Fatal(err)
	}
	norm := func(v []float32) (s float64) {
		for _, x := range v {
			s += float64(x) * float64(x)
		}
		return s
	}
	if got := norm(res.Vectors[0]); got != 0 {
		t.Errorf("text without tokens: got squared length %v, want 0", got)
	}
	if got := norm(res.Vectors[1]); math.Abs(got-1) > 1e-6 {
		t.Errorf("one token: got squared length %v, want 1", got)
	}
}

func TestHashingEmbeddingOptions(t *testing.T) {
	env := Env{Embed: EmbedOptions{Dims: 4096, Prefix: "passage ", QueryPrefix: "query "}}
	p := openEmbed(t, "mock:hashing-embedding", env)
	if got, want := p.Identity().Ref, "mock:hashing-embedding@4096"; got != want {
		t.Errorf("got reference %q, want %q", got, want)
	}
	if got, want := openEmbed(t, "mock:hashing-embedding@384", Env{}).Identity().Ref, "mock:hashing-embedding"; got != want {
		t.Errorf("got reference %q, want %q", got, want)
	}
	for _, query := range []bool{false, true} {
		res, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: []string{"ferry"}, Query: query})
		if err != nil {
			t.Fatal(err)
		}
		want := hashingOracle(prefixOf(p.Info(), query)+"ferry", 4096)
		for j := range want {
			if res.Vectors[0][j] != float32(want[j]) {
				t.Fatalf("query %v: number %d: got %v, want %v", query, j, res.Vectors[0][j], want[j])
			}
		}
	}
}

func BenchmarkHashingEmbedding(b *testing.B) {
	p := openEmbed(b, "mock:hashing-embedding", Env{})
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = fmt.Sprintf("The ferry number %d leaves the harbour of Port Halden at a quarter past seven in the morning.", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.SendEmbed(context.Background(), rag.EmbedRequest{Texts: texts}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}
