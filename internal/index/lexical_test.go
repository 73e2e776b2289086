package index

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/sqlext"
	"ragbench/internal/store"
)

// scripts is a corpus in many writing systems, with texts that have no words, repeat, or hold nothing but stop words.
var scripts = []string{
	"The ferry leaves Kittiwake Quay at seven; the crew boards at six.",
	"the the the of and",
	"Running boilers: the runner runs, the boilers run. Boiler's pressure isn't the crew’s concern.",
	"Der Fährplan gilt ab Montag, außer an Feiertagen. Straße, ÄRGER, naïve café.",
	"渡し船は七時に出港します。ライフジャケットはデッキの下にあります。",
	"渡轮七点离开码头。救生衣在甲板下面。iPhone手机2023年版",
	"연락선은 일곱 시에 부두를 떠난다. 구명조끼는 갑판 아래에 있다.",
	"เรือข้ามฟากออกจากท่าเวลาเจ็ดโมง เสื้อชูชีพอยู่ใต้ดาดฟ้า",
	"ເຮືອອອກຈາກທ່າເວລາເຈັດໂມງ", "សាឡាងចេញពីកំពង់ផែនៅម៉ោងប្រាំពីរ", "ကူးတို့သင်္ဘောသည် ခုနစ်နာရီတွင် ထွက်ခွာသည်။",
	"Паром отходит в семь часов. Ёлка и ёж.", "Το φέρι φεύγει στις επτά.", "العبّارة تغادر عند السابعة", "המעבורת יוצאת בשבע",
	"नौका सात बजे निकलती है", "", "C++ and C# compilers; a-b, x:y, NEAR(a b), AND OR NOT \"quoted\" col:val ^start prefix*",
	"same words same score ferry", "same words same score ferry", "ferry", "ﬁne ﬀ ligatures Ⅷ ½ ²",
	"\u30ab\u3099\u30b9 decomposed", "ガス composed", "𠀀𠀁 rare 々〆〇", "broken \xff\xfe bytes \xe4\xb8 here", "null\x00byte inside",
}

// hostile questions: none may be an error or be read as syntax.
var hostile = []string{
	"", " ", "?!...", "\x00", "a\x00b null", "what's the ferry's crew?", "C++", "a-b", "x:y", "AND", "OR", "NOT", "NEAR", "NEAR(ferry crew, 2)",
	"ferry AND crew", "ferry OR", "NOT ferry", "\"", "\"ferry", "''", "fts5", "text : ferry", "{text} : ferry", "-text : ferry", "^ferry", "ferry*",
	"+ferry + crew", "(ferry", "ferry)", "col:val", "@x", "007", "1e5", "ferry ferry ferry crew", "the", "the of and", "渡轮", "手机", "七", "iPhone", "2023",
	"デッキ", "ガス", "カ\u3099ス", "갑판", "연락선은", "เรือ", "ท่า", "ເຮືອ", "កំពង់", "သင်္ဘော", "паром ЁЖ", "ΦΈΡΙ", "العبّارة", "נ", "नौका", "naive CAFE strasse", "\xff\xfe", "\xe4\xb8",
	"; DROP TABLE chunks; --", "<script>alert(1)</script>", "%s %d", ":question ?1 $x", strings.Repeat("ferry crew 渡 ", 800), strings.Repeat("x", 10000),
	"same score", "boiler running", "ﬁne ½", "𠀀𠀁", "　ferry　", "\u200bferry\u200b", "unknownword", "unknownword ferry",
}

var analyses = []Analysis{
	{},
	{Tokenizer: "porter"},
	{StopWords: "english"},
	{Tokenizer: "porter", StopWords: "english"},
}

func TestEqualsFTS5(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	addIndex(t, db, []string{"an index beside it", "ferry"})
	corpora := map[string][]string{
		"scripts":  scripts,
		"one":      {"one ferry"},
		"two":      {"ferry crew", "ferry"},
		"all":      {"ferry a", "ferry b", "ferry c", "ferry d", "ferry ferry"},
		"wordless": {"", "", "..."},
		"none":     {},
	}
	for name, texts := range corpora {
		indexID := addIndex(t, db, texts)
		for _, a := range analyses {
			analysisID, lexical := buildLexical(t, db, indexID, a)
			an, err := NewAnalyzer(a)
			if err != nil {
				t.Fatal(err)
			}
			defer an.Close()
			for _, q := range append(hostile, texts...) {
				match, err := an.Match(q)
				if err != nil {
					t.Fatal(err)
				}
				want := ftsSearch(t, db, analysisID, match)
				for _, k := range []int{1, 2, max(1, len(texts)-1), 1 << 30} {
					got, err := set.SearchText(lexical["fts5"], q, k)
					if err != nil {
						t.Fatal(err)
					}
					sameHits(t, name+" "+a.Tokenizer+" "+a.StopWords+" "+shorten(q), got, want[:min(k, len(want))])
				}
				for _, f := range []string{"okapi", "lucene"} {
					got, err := set.SearchText(lexical[f], q, 1<<30)
					if err != nil {
						t.Fatal(err)
					}
					if len(got) != len(want) {
						t.Errorf("%s %q: got %d hits, want %d", f, shorten(q), len(got), len(want))
					}
				}
			}
		}
	}
}

func shorten(s string) string {
	return s[:min(len(s), 40)]
}

// TestFinds says which question must find which text of scripts, by its number; the analysis is the default.
func TestFinds(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, scripts)
	_, plain := buildLexical(t, db, indexID, Analysis{})
	_, english := buildLexical(t, db, indexID, Analysis{Tokenizer: "porter", StopWords: "english"})
	first := firstChunk(t, db, indexID)
	tests := []struct {
		lexicalID int64
		question  string
		want      int // -1: nothing is found
	}{
		{plain["fts5"], "码头", 5}, {plain["fts5"], "手机", 5}, {plain["fts5"], "iphone", 5}, {plain["fts5"], "甲板下面", 5},
		{plain["fts5"], "デッキ", 4}, {plain["fts5"], "부두", 6}, {plain["fts5"], "ชูชีพ", 7}, {plain["fts5"], "ກຈາກ", 8},
		{plain["fts5"], "កំពង់ផែ", 9}, {plain["fts5"], "သင်္ဘော", 10}, {plain["fts5"], "cafe", 3}, {plain["fts5"], "ガス", 22},
		{plain["fts5"], "boilers", 2}, {plain["fts5"], "boiling", -1}, {plain["fts5"], "nosuchword", -1},
		{english["fts5"], "boil", -1}, {english["fts5"], "boilers", 2}, {english["fts5"], "the of and", -1}, {english["fts5"], "run", 2},
		{english["fts5"], "it's", -1}, {english["fts5"], "t", 2}, // unicode61 cuts isn't into isn and t
	}
	for _, tt := range tests {
		hits, err := set.SearchText(tt.lexicalID, tt.question, 10)
		if err != nil {
			t.Fatal(err)
		}
		got := -1
		if len(hits) > 0 {
			got = int(hits[0].ChunkID - first)
		}
		if got != tt.want {
			t.Errorf("%q: got text %d first of %d, want %d", tt.question, got, len(hits), tt.want)
		}
	}
}

func TestBuildLexicalReuses(t *testing.T) {
	db := openStore(t)
	indexID := addIndex(t, db, scripts)
	id, lexical := buildLexical(t, db, indexID, Analysis{})
	again, same := buildLexical(t, db, indexID, Analysis{Tokenizer: "unicode61", StopWords: "none"})
	other, _ := buildLexical(t, db, indexID, Analysis{Tokenizer: "porter"})
	if again != id || other == id || lexical["okapi"] != same["okapi"] {
		t.Errorf("got analyses %d, %d, %d, want the first two equal; lexical indexes %v and %v, want equal", id, again, other, lexical, same)
	}
	var bigrams, rows, texts int
	err := db.Reader().QueryRow(`SELECT bigrams, num_rows, (SELECT count(*) FROM lexical_texts WHERE analysis_id = ?1)
		FROM lexical_analyses WHERE analysis_id = ?1`, id).Scan(&bigrams, &rows, &texts)
	if err != nil {
		t.Fatal(err)
	}
	if bigrams != 1 || rows != len(scripts) || texts != 10 {
		t.Errorf("got bigrams %d, rows %d, changed texts %d, want 1, %d, 10", bigrams, rows, texts, len(scripts))
	}
}

func TestBuildLexicalErrors(t *testing.T) {
	db := openStore(t)
	indexID := addIndex(t, db, []string{"ferry"})
	ctx := context.Background()
	check := func(want string, f func(tx *sql.Tx) error) {
		t.Helper()
		err := db.Write(ctx, f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
	build := func(id int64, a Analysis) func(tx *sql.Tx) error {
		return func(tx *sql.Tx) error {
			_, err := BuildLexical(ctx, tx, id, a)
			return err
		}
	}
	check(`unknown tokenizer "port", did you mean "porter"?`, build(indexID, Analysis{Tokenizer: "port"}))
	check(`unknown stop word list "German"`, build(indexID, Analysis{StopWords: "German"}))
	check("index 99: not found", build(99, Analysis{}))
	analysisID, _ := buildLexical(t, db, indexID, Analysis{})
	name := func(formula string, k1, b float64) func(tx *sql.Tx) error {
		return func(tx *sql.Tx) error {
			_, err := Lexical(ctx, tx, analysisID, formula, k1, b)
			return err
		}
	}
	check(`unknown formula "lucen", did you mean "lucene"?`, name("lucen", 1, 1))
	check("k1 is -1", name("fts5", -1, 1))
	check("b is 1.5", name("fts5", 1, 1.5))

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	check("context canceled", func(tx *sql.Tx) error {
		_, err := BuildLexical(cancelled, tx, indexID, Analysis{Tokenizer: "porter"})
		return err
	})
	var left int
	if err := db.Reader().QueryRow(`SELECT count(*) FROM lexical_analyses`).Scan(&left); err != nil || left != 1 {
		t.Errorf("got %d analyses (%v), want 1: a failed build leaves nothing", left, err)
	}
}

func TestDrop(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, scripts)
	_, lexical := buildLexical(t, db, indexID, Analysis{})
	if hits, err := set.SearchText(lexical["fts5"], "ferry", 5); err != nil || len(hits) != 4 {
		t.Fatalf("got %d hits, error %v, want 4", len(hits), err)
	}
	write(t, db, func(ctx context.Context, tx *sql.Tx) error { return Drop(ctx, tx, indexID) })
	set.Forget()
	if _, err := set.SearchText(lexical["fts5"], "ferry", 5); !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("got error %v, want not found", err)
	}
	var left int
	if err := db.Reader().QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name LIKE 'fts_%'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("got %d tables and views left (%v), want 0", left, err)
	}
	analysisID, lexical := buildLexical(t, db, indexID, Analysis{})
	sameHits(t, "built again", mustSearch(t, set, lexical["fts5"], "ferry"), ftsSearch(t, db, analysisID, "ferry"))
}

func mustSearch(tb testing.TB, set *Set, lexicalID int64, question string) (hits []sqlext.Hit) {
	tb.Helper()
	hits, err := set.SearchText(lexicalID, question, 1<<30)
	if err != nil {
		tb.Fatal(err)
	}
	return hits
}

func firstChunk(tb testing.TB, db *store.DB, indexID int64) (id int64) {
	tb.Helper()
	if err := db.Reader().QueryRow(`SELECT min(chunk_id) FROM chunks WHERE index_id = ?`, indexID).Scan(&id); err != nil {
		tb.Fatal(err)
	}
	return id
}
