package tokens

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// oracle is the reference encoder, whose ids were compared with OpenAI's own on 2.3 MB of text.
var oracle = sync.OnceValue(func() *tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		panic(err)
	}
	return enc
})

// wantStarts are the token offsets by the reference.
func wantStarts(s string) []int {
	var out []int
	at := 0
	for _, id := range oracle().EncodeOrdinary(s) {
		out = append(out, at)
		at += len(oracle().Decode([]int{id}))
	}
	return out
}

func mustO200k(t testing.TB) Tokenizer {
	t.Helper()
	tok, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func checkAgainstOracle(t *testing.T, s string) {
	t.Helper()
	tok := mustO200k(t)
	want := wantStarts(s)
	if diff := cmp.Diff(want, tok.Starts(nil, s)); diff != "" {
		t.Errorf("token starts of %.200q (-want +got):\n%.600s", s, diff)
	}
	if got := tok.Count(s); got != len(want) {
		t.Errorf("Count(%.200q) = %d, want %d", s, got, len(want))
	}
}

func TestO200kEqualsReference(t *testing.T) {
	for _, s := range []string{
		"", " ", "a", "hello world", "Hello, World!  Two  spaces\tand\ttabs", "don't we'LL I'D they'Re 'tis o'clock x's'y",
		"tiktoken is great!", "antidisestablishmentarianism", "2 + 2 = 4", "1234567890 12345", "お誕生日おめでとう",
		"漢字ABC漢字abcABC", "ABCdef GHI jkL", "ǅabc ʰABC", "e\u0301ABC \u0301ABC \u0301abc \u0301", "a\u0301\u0301\u0301B",
		"\u0301", "\u0301\u0301A", "x\u0301'S", "\n\n\n", " \n \n x", "\r\n\r\n  \r\n", "  \n", "   x", "\t\tx", " \u00a0\u3000x",
		"a/b//c/\n/\n", "!!!\n\n//\nx", " !?", "  !?", "\t!?", "<|endoftext|> is plain", "<|fim_prefix|>",
		"👩‍👩‍👧‍👦 🇬🇧🇫🇷 👍🏽", "ไทยไม่มีช่องว่าง", "العربية مع ١٢٣٤", "हिन्दी क्षत्रिय", "ⅷⅨ½²", "x_y_z __init__", "(abc) ((abc))",
		"\u0000\u0001x", "\u2028\u2029\u0085x", "fooBar FooBAR HTTPServer", strings.Repeat("ab", 90), strings.Repeat("=", 500),
		strings.Repeat(" ", 300) + "x", strings.Repeat("Z", 150) + "z",
	} {
		checkAgainstOracle(t, s)
	}
}

// TestO200kEqualsReferenceOnRandomText draws from an alphabet that visits every branch of the pattern.
func TestO200kEqualsReferenceOnRandomText(t *testing.T) {
	alphabet := []rune("aabcdeABCD  \t\n\r''stmdrvlELRS019½/.,!-_(é\u0301\u0302漢字ǅʰß🙂\u200d\u00a0\u3000ﬀ")
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		n := 1 + r.IntN(40)
		var b strings.Builder
		for range n {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		checkAgainstOracle(t, b.String())
		if t.Failed() {
			return
		}
	}
}

func TestO200kEqualsReferenceOnRealText(t *testing.T) {
	for _, set := range []string{"scifact", "xquad-zh", "cacm"} {
		path := filepath.Join("..", "..", "..", "..", "shared", "data", set, "corpus.jsonl")
		f, err := os.Open(path)
		if err != nil {
			t.Skipf("no corpus to compare on: %v", err)
		}
		defer f.Close()
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<20)
		for n := 0; n < 150 && sc.Scan(); n++ {
			var row struct{ Text string }
			if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			checkAgainstOracle(t, row.Text)
		}
	}
}

// TestLongS follows Unicode case folding, which the reference in Go does not.
func TestLongS(t *testing.T) {
	if got, want := pieceEnd("it'\u017f x", 0), len("it'\u017f"); got != want {
		t.Errorf("pieceEnd = %d, want %d", got, want)
	}
}
