package sqlext_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"ragbench/internal/sqlext"

	"github.com/google/go-cmp/cmp"
)

var tokenizerSpecs = []string{
	"unicode61",
	"",
	"UNICODE61",
	"porter",
	"porter unicode61",
	"porter ascii",
	"ascii",
	"ascii tokenchars '-_'",
	"unicode61 remove_diacritics 0",
	"unicode61 remove_diacritics 2",
	"unicode61 tokenchars '-_' separators 'x'",
	"unicode61 categories 'L* N* Co Mn'",
	"trigram",
	"trigram case_sensitive 1",
	"trigram remove_diacritics 1",
}

// tokenizerTexts are texts in many scripts, then texts made to break a tokenizer.
var tokenizerTexts = []string{
	"The quick brown foxes' jumping, running and relational hopefulness: 3.14 e-mail_address C++ a-b",
	"Größe und Maße, ÄÖÜ, naïve façade, Ångström, İstanbul ıspanak ſtraße ﬁnance",
	"Ελληνικά ΣΊΣΥΦΟΣ σίσυφος, Привет мир Ёлка, שלום עולם שָׁלוֹם, مرحبا بالعالم مَرْحَبًا",
	"हिन्दी में खोज करना, বাংলা ভাষা, தமிழ் மொழி, ภาษาไทยไม่มีช่องว่าง, ქართული ენა",
	"漢字かな交じり文。東京都は日本の首都です。中文分词没有空格，한국어 띄어쓰기",
	"cafe\u0301 e\u0301\u0302\u0323 A\u030angstro\u0308m \u0301alone x\u0301",
	"👩‍👩‍👧‍👦 family 🇩🇪 flag 🏳️‍🌈 x👍y 𝕳𝖊𝖑𝖑𝖔 𐐀𐐨 \U0010ffff \ue000private",
	"", " ", "\x00", "a", "ab", "abc", "'", "\"", "a'b\"c",
	"a\x00b c\x00\x00d \x00", "zero\u200bwidth \u200d\u200c soft\u00adhyphen no\u00a0break \ufeffbom",
	"\xff\xfe bad\xc3 cut\xe2\x82 \xf0\x9f\x98 over\xc0\xaf sur\xed\xa0\x80 \x80\x80 x\xf8\x88\x80\x80\x80",
	strings.Repeat("w", 70000) + " after",
	strings.Repeat("ä", 35000) + " " + strings.Repeat("x", 32768) + " " + strings.Repeat("y", 32769),
	strings.Repeat("running ", 5000),
	strings.Repeat("\u0301", 300) + "e" + strings.Repeat("\u0301", 300) + " end",
	"tab\tnew\nline\r\nform\fvertical\v end", "x.y-z_w x--y", "ß ẞ ŉ ǰ ΐ և ﬀ ﬃ", "1234567890 ١٢٣ १२३ Ⅻ ½ ²",
}

// TestTokenizerEqualsFTS5 compares terms and positions with what a real FTS5 table holds.
func TestTokenizerEqualsFTS5(t *testing.T) {
	db, _ := open(t, "?_synchronous=OFF&_journal_mode=MEMORY")
	for i, spec := range tokenizerSpecs {
		t.Run(spec, func(t *testing.T) {
			tokenizer, err := sqlext.NewTokenizer(spec)
			if err != nil {
				t.Fatal(err)
			}
			defer tokenizer.Close()
			table := fmt.Sprintf("f%d", i)
			exec(t, db, fmt.Sprintf(`
				CREATE VIRTUAL TABLE %[1]s USING fts5(x, tokenize="%[2]s");
				CREATE VIRTUAL TABLE %[1]s_terms USING fts5vocab(%[1]s, instance)`, table, spec))
			for _, text := range tokenizerTexts {
				exec(t, db, "DELETE FROM "+table)
				exec(t, db, "INSERT INTO "+table+"(x) VALUES (?)", text)
				want, err := rows(db, "SELECT CAST(term AS BLOB) FROM "+table+"_terms ORDER BY offset")
				if err != nil {
					t.Fatal(err)
				}
				compareTokens(t, tokenizer, text, want)
			}
		})
	}
}

// compareTokens checks Tokens in both modes and Each against the terms wanted, and the offsets against the text.
func compareTokens(t *testing.T, tokenizer *sqlext.Tokenizer, text string, want []string) {
	t.Helper()
	var each []sqlext.Token
	if err := tokenizer.Each(text, func(term []byte, start, end int) {
		each = append(each, sqlext.Token{Text: string(term), Start: start, End: end})
	}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, token := range each {
		got = append(got, token.Text)
		if token.Start < 0 || token.End <= token.Start || token.End > len(text) || i > 0 && token.Start < each[i-1].Start {
			t.Errorf("text %.40q: token %d spans %d to %d", text, i, token.Start, token.End)
		}
	}
	if !slices.Equal(want, got) {
		diff := cmp.Diff(want, got)
		t.Errorf("text %.40q: terms (-FTS5 +got):\n%.2000s", text, diff)
	}
	for _, query := range []bool{false, true} {
		tokens, err := tokenizer.Tokens(text, query)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tokens, each) {
			t.Errorf("text %.40q: Tokens(query %v) differs from Each", text, query)
		}
	}
}

func TestTokenizerOffsets(t *testing.T) {
	tokenizer, err := sqlext.NewTokenizer("porter unicode61")
	if err != nil {
		t.Fatal(err)
	}
	defer tokenizer.Close()
	got, err := tokenizer.Tokens("  Foxes, été JUMPING", true)
	if err != nil {
		t.Fatal(err)
	}
	want := []sqlext.Token{{"fox", 2, 7}, {"et", 9, 14}, {"jump", 15, 22}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

// TestTokenizerSpecs accepts and refuses the same specs as CREATE VIRTUAL TABLE.
func TestTokenizerSpecs(t *testing.T) {
	db, _ := open(t, "")
	specs := append([]string{
		" ", "\t", "nosuch", "unicode61 nosuch 1", "unicode61 remove_diacritics", "unicode61 remove_diacritics 3",
		"unicode61 tokenchars -", "unicode61 tokenchars '-", "unicode61 tokenchars ''''", "'unicode61'", "  porter   ascii  ",
		"'unicode61'tokenchars'-'", "porter nosuch", "trigram case_sensitive 2", "unicode61,porter", "unicode61\tporter", "ünicode",
		"unicode61 categories 'X*'", "trigram remove_diacritics 1 case_sensitive 1", "''",
	}, tokenizerSpecs...)
	for i, spec := range specs {
		_, wantErr := db.Exec(fmt.Sprintf(`CREATE VIRTUAL TABLE s%d USING fts5(x, tokenize="%s")`, i, spec))
		tokenizer, err := sqlext.NewTokenizer(spec)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("spec %q: got error %v, FTS5 says %v", spec, err, wantErr)
		}
		if err == nil {
			tokenizer.Close()
		}
	}
	if _, err := sqlext.NewTokenizer("unicode61\x00"); err == nil {
		t.Error("spec with NUL: got no error, want one")
	}
}

// TestTokenizerConcurrent shares one tokenizer, and tokenizes from inside Each.
func TestTokenizerConcurrent(t *testing.T) {
	tokenizer, err := sqlext.NewTokenizer("porter unicode61 remove_diacritics 2")
	if err != nil {
		t.Fatal(err)
	}
	var want [][]sqlext.Token
	for _, text := range tokenizerTexts {
		tokens, err := tokenizer.Tokens(text, false)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, tokens)
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range tokenizerTexts {
				i = (i + 3*g) % len(tokenizerTexts)
				got, err := tokenizer.Tokens(tokenizerTexts[i], false)
				if err != nil || !slices.Equal(got, want[i]) {
					t.Errorf("text %.40q: got other tokens, error %v", tokenizerTexts[i], err)
				}
			}
		})
	}
	group.Wait()
}

// TestTokenizerClose closes from inside a call: that call ends normally, later ones are refused, and closing twice is
// harmless.
func TestTokenizerClose(t *testing.T) {
	tokenizer, err := sqlext.NewTokenizer("porter")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = tokenizer.Each("running foxes", func(term []byte, _, _ int) {
		inner, err := tokenizer.Tokens("jumping "+string(term), false)
		if (err == nil) != (len(got) == 0) {
			t.Errorf("inner call %d: got error %v", len(got), err)
		}
		got = append(got, fmt.Sprint(string(term), inner))
		tokenizer.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"run[{jump 0 7} {run 8 11}]", "fox[]"}, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	tokenizer.Close()
	if err := tokenizer.Each("a", func([]byte, int, int) {}); err == nil {
		t.Error("Each after Close: got no error, want one")
	}
}
