package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
)

func TestTokenize(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"What's new in v2_1?", []string{"what", "s", "new", "in", "v2_1"}},
		{"Café", []string{"caf"}},
		{"a b", []string{"a", "b"}},
		{"naïve", []string{"na", "ve"}},
	} {
		if diff := cmp.Diff(tt.want, Tokenize(tt.in)); diff != "" {
			t.Errorf("Tokenize(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestNormaliseAndBlank(t *testing.T) {
	if got, want := Normalise(" a\t\n b\u3000c "), "a b c"; got != want {
		t.Errorf("Normalise = %q, want %q", got, want)
	}
	for in, want := range map[string]bool{"": true, " \n\u00a0\u3000": true, " x ": false, "\u200b": false} {
		if got := Blank(in); got != want {
			t.Errorf("Blank(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 10, "short"},
		{"exactly ten", 11, "exactly ten"},
		{"one two three", 10, "one two..."},
		{"one  two\nthree", 10, "one two..."},
		{"abcdef", 3, "..."},
		{"abcdef", 1, "."},
		{"ab👍🏽cdef", 7, "ab👍🏽..."},
		{"ab👍🏽cdefg", 6, "ab..."},
		{"漢字漢字漢字", 5, "漢字..."},
	} {
		if got := Truncate(tt.in, tt.n); got != tt.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestStableHash(t *testing.T) {
	// printf abc | sha256sum
	if got, want := StableHash("abc", 10), "ba7816bf8f"; got != want {
		t.Errorf("StableHash = %s, want %s", got, want)
	}
	if got := len(StableHash("abc", 100)); got != 64 {
		t.Errorf("length = %d, want 64", got)
	}
}

func TestDocumentID(t *testing.T) {
	for rel, want := range map[string]string{
		"doc_pets-2.md":        "doc_pets-2",
		"a/b/doc_x.txt":        "doc_x",
		"doc_.txt":             "doc_" + StableHash("doc_txt", 10),
		"doc_a b.txt":          "doc_" + StableHash("doc_a_b_txt", 10),
		"x/README.md":          "doc_" + StableHash("x_readme_md", 10),
		"_A  (1)#.md":          "doc_" + StableHash("a_1_md", 10),
		"文档一.txt":              "doc_" + StableHash("文档一_txt", 10),
		"caf\u00e9/doc.txt":    "doc_" + StableHash("caf\u00e9_doc_txt", 10),
		"cafe\u0301/doc.txt":   "doc_" + StableHash("caf\u00e9_doc_txt", 10),
		"archive.tar.gz/q.txt": "doc_" + StableHash("archive_tar_gz_q_txt", 10),
	} {
		if got := DocumentID(rel); got != want {
			t.Errorf("DocumentID(%q) = %s, want %s", rel, got, want)
		}
	}
}

func TestEstimateTokens(t *testing.T) {
	for in, want := range map[string]int{"": 1, "one": 1, "one two three": 3, "a b c d e f g h i j": 13} {
		if got := EstimateTokens(in); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestSlice(t *testing.T) {
	s := "a漢🙂b"
	for _, tt := range []struct {
		start, end int
		want       string
	}{{0, 4, s}, {1, 2, "漢"}, {2, 99, "🙂b"}, {3, 3, ""}, {3, 1, ""}, {9, 10, ""}, {-1, 1, "a"}} {
		if got := Slice(s, tt.start, tt.end); got != tt.want {
			t.Errorf("Slice(%d, %d) = %q, want %q", tt.start, tt.end, got, tt.want)
		}
	}
}

// graphemeProbes are texts whose clusters are easy to get wrong.
var graphemeProbes = []string{
	"", "plain text", "a\r\nb\r\n", "e\u0301e\u0301e", "👩‍👩‍👧‍👦👍🏽x", "🇬🇧🇫🇷🇩🇪", "한국어 각", "क्षत्रिय", "กำนี้", "a \u0308b",
	"\u0600 1", "x\r\r\n\n", "\u200d\u200d", "漢字かな", "\u0301leading mark",
}

// boundaries lists every cluster boundary of s by reading it from the start.
func boundaries(s string) []int {
	out := []int{0}
	g := uniseg.NewGraphemes(s)
	for g.Next() {
		_, to := g.Positions()
		out = append(out, to)
	}
	return out
}

func TestBoundaries(t *testing.T) {
	for _, s := range append(graphemeProbes, strings.Join(graphemeProbes, "")) {
		all := boundaries(s)
		b := NewBoundaries(s)
		for off := 0; off <= len(s); off++ {
			up, down := len(s), 0
			for _, p := range all {
				if p <= off {
					down = p
				}
				if p >= off {
					up = min(up, p)
				}
			}
			if got := NewBoundaries(s).At(off); got != up {
				t.Errorf("%q: first boundary at or after %d = %d, want %d", s, off, got, up)
			}
			if got := b.At(off); got != up {
				t.Errorf("%q: in order, first boundary at or after %d = %d, want %d", s, off, got, up)
			}
			if got := FloorBoundary(s, off); got != down {
				t.Errorf("%q: last boundary at or before %d = %d, want %d", s, off, got, down)
			}
		}
	}
}

// TestPlainPairs checks that every pair of plain characters but CR LF is two clusters, each beside a
// Latin letter, a letter with an accent and a Han character.
func TestPlainPairs(t *testing.T) {
	for r := rune(0); r < 0x11000; r++ {
		if !plain(r) || r == '\r' {
			continue
		}
		for _, other := range []rune{'a', '漢', 'é'} {
			for _, pair := range []string{string(r) + string(other), string(other) + string(r)} {
				if n := uniseg.GraphemeClusterCount(pair); n != 2 {
					t.Errorf("%q is %d clusters, want 2", pair, n)
				}
			}
		}
	}
}

func TestTrimSpan(t *testing.T) {
	for in, want := range map[string]string{
		"  a b \n":      "a b",
		"\r\n x \r\n":   "x",
		" \n ":          "",
		"x \u0308":      "x \u0308",
		" \u0308x":      " \u0308x",
		"  \u0308x":     " \u0308x",
		"x\u0600 ":      "x\u0600 ",
		"x\u0600  ":     "x\u0600 ",
		"\u3000漢\u3000": "漢",
	} {
		from, to := TrimSpan(in, 0, len(in))
		if got := in[from:to]; got != want {
			t.Errorf("TrimSpan(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzBoundaries(f *testing.F) {
	for _, s := range graphemeProbes {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, s string, off int) {
		if !utf8.ValidString(s) {
			return
		}
		off = max(0, min(off, len(s)))
		all := boundaries(s)
		found := func(p int) bool {
			for _, q := range all {
				if p == q {
					return true
				}
			}
			return false
		}
		if up := NewBoundaries(s).At(off); up < off || !found(up) {
			t.Errorf("%q: %d moved to %d, which is no boundary at or after it", s, off, up)
		}
		if down := FloorBoundary(s, off); down > off || !found(down) {
			t.Errorf("%q: %d moved back to %d, which is no boundary at or before it", s, off, down)
		}
		if from, to := TrimSpan(s, 0, len(s)); from < to && (!found(from) || !found(to)) {
			t.Errorf("%q: trimmed to [%d, %d), which cuts a cluster", s, from, to)
		}
	})
}
