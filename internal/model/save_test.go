package model

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// testDB is a file with the tables of the call log, behind the interface of the store.
type testDB struct{ *sql.DB }

func (db testDB) Read(ctx context.Context, f func(*sql.Tx) error) error  { return db.run(ctx, f) }
func (db testDB) Write(ctx context.Context, f func(*sql.Tx) error) error { return db.run(ctx, f) }

func (db testDB) run(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func openTestDB(t testing.TB) testDB {
	t.Helper()
	ddl, err := os.ReadFile("../../schema/0004_calls.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "calls.db")+"?_foreign_keys=1&_journal_mode=WAL&_synchronous=NORMAL&_txlock=immediate&_cache_size=-65536")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE runs (run_id INTEGER PRIMARY KEY);" + string(ddl)); err != nil {
		t.Fatal(err)
	}
	return testDB{db}
}

func (db testDB) save(t testing.TB, records []*Record) {
	t.Helper()
	if err := db.Write(context.Background(), func(tx *sql.Tx) error { return SaveCalls(context.Background(), tx, records) }); err != nil {
		t.Fatal(err)
	}
}

func (db testDB) number(t testing.TB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestSaveCalls(t *testing.T) {
	s := newServer(t)
	db := openTestDB(t)
	log := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	rec := &Recorder{}
	ctx := context.Background()
	blocks := []prompt.Block{{DocID: "doc_1", Place: "0", Text: "The ferry is blue."}, {DocID: "doc_2", Place: "0", Text: "Dogs."}}
	zero := 0.0
	luna := log.Chat(openChat(t, "gpt-6-luna", s.env())).With(rec)
	for _, q := range []string{"Is it blue?", "Is it red?"} {
		if _, err := luna.Chat(ctx, rag.ChatRequest{Messages: prompt.Answer(q, blocks), Temperature: &zero, MaxTokens: 50, Purpose: "answer"}); err != nil {
			t.Fatal(err)
		}
	}
	log.Chat(openChat(t, "echo-key", s.env())).With(rec).Chat(ctx, coldRequest("q"))
	log.Chat(openChat(t, "openai_compatible:box/length", s.env())).With(rec).Chat(ctx, coldRequest("q"))
	mock := log.Embedder(openEmbed(t, "mock:hashing-embedding", Env{})).With(rec)
	if _, err := mock.Embed(ctx, rag.EmbedRequest{Texts: []string{"Is it blue?"}, Query: true}); err != nil {
		t.Fatal(err)
	}
	db.save(t, rec.Records())

	for _, tt := range []struct {
		query string
		want  int
	}{
		{"SELECT count(*) FROM model_calls", 5},
		{"SELECT count(*) FROM model_calls WHERE status = 'ok' AND kind = 'chat' AND purpose = 'answer' AND requested = 'openai:gpt-6-luna' AND cost_usd > 0 AND price_id IS NOT NULL AND cached_tokens = 40 AND reasoning_tokens = 4", 2},
		{"SELECT count(*) FROM model_calls WHERE status = 'error' AND error LIKE '%[redacted]%'", 1},
		{"SELECT count(*) FROM model_calls WHERE status = 'length' AND cost_usd IS NULL AND price_id IS NULL", 1},
		{"SELECT count(*) FROM model_calls WHERE kind = 'embedding' AND cost_usd = 0 AND json_extract(response, '$.dims') = 384", 1},
		{"SELECT json_extract(request, '$.max_completion_tokens') FROM model_calls WHERE call_id = 1", 50},
		// System, context head, two blocks and a question each; the second call adds its question alone.
		{"SELECT count(*) FROM call_parts WHERE call_id = 1", 5},
		{"SELECT count(*) FROM prompts WHERE prompt_id IN (SELECT prompt_id FROM call_parts WHERE call_id IN (1, 2))", 6},
		{"SELECT count(*) FROM prompts WHERE text = '[doc_1 | 0]' || char(10) || 'The ferry is blue.' || char(10) || char(10)", 1},
		{"SELECT count(*) FROM prices", 2},
	} {
		if got := db.number(t, tt.query); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.query, got, tt.want)
		}
	}
	if got := rec.CallIDs([]int64{2, 1, 2, 0, 99}); len(got) != 2 || got[0] != 2 || got[1] != 1 {
		t.Errorf("got call ids %v, want 2 and 1", got)
	}
	db.save(t, nil)
	if got := db.number(t, "SELECT count(*) FROM model_calls"); got != 5 {
		t.Errorf("got %d calls, want 5", got)
	}

	log2 := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	again, err := log2.Chat(openChat(t, "gpt-6-luna", s.env())).With(&Recorder{}).Chat(ctx, rag.ChatRequest{Messages: prompt.Answer("Is it blue?", blocks), Temperature: &zero, MaxTokens: 50})
	if err != nil || !again.Call.Cached || s.count("gpt-6-luna") != 2 {
		t.Errorf("got %+v, error %v and %d requests, want the stored reply and 2", again, err, s.count("gpt-6-luna"))
	}
}

func TestSameRequestOfTwoQuestions(t *testing.T) {
	s := newServer(t)
	db := openTestDB(t)
	log := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	ask := func(rec *Recorder, req rag.ChatRequest) {
		t.Helper()
		if _, err := log.Chat(openChat(t, "counting", s.env())).With(rec).Chat(context.Background(), req); err != nil {
			t.Fatal(err)
		}
	}
	var a, b, c Recorder
	ask(&a, coldRequest("q"))
	ask(&b, coldRequest("q"))
	db.save(t, b.Records()) // the question that did not make the call is stored first
	db.save(t, a.Records())
	if x, y := a.Records()[0].ID, b.Records()[0].ID; x != y || x == 0 {
		t.Errorf("got call ids %d and %d, want one", x, y)
	}
	if got := db.number(t, "SELECT count(*) FROM model_calls"); got != 1 {
		t.Errorf("got %d calls, want 1", got)
	}
	// Sampled replies differ, and each is kept.
	sampled := coldRequest("r")
	sampled.Temperature = nil
	for range 3 {
		ask(&c, sampled)
	}
	db.save(t, c.Records())
	if got := db.number(t, "SELECT count(DISTINCT response) FROM model_calls"); got != 4 {
		t.Errorf("got %d different replies, want 4", got)
	}
}

func TestSaveAfterRollback(t *testing.T) {
	db := openTestDB(t)
	log := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	rec := &Recorder{}
	if _, err := log.Chat(openMock(t)).With(rec).Chat(context.Background(), rag.ChatRequest{Messages: prompt.NoRetrieval("q")}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the answer cannot be stored")
	err := db.Write(context.Background(), func(tx *sql.Tx) error {
		if err := SaveCalls(context.Background(), tx, rec.Records()); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) || db.number(t, "SELECT count(*) FROM model_calls") != 0 {
		t.Fatalf("got error %v, want a rollback", err)
	}
	db.save(t, rec.Records())
	if got := db.number(t, "SELECT count(*) FROM model_calls"); got != 1 {
		t.Errorf("got %d calls, want 1", got)
	}
}

func TestSavePrices(t *testing.T) {
	db := openTestDB(t)
	save := func(rows []Price) error {
		return db.Write(context.Background(), func(tx *sql.Tx) error { return SavePrices(context.Background(), tx, rows) })
	}
	rows := NewPriceTable([]Price{{Model: "m", AsOf: "2026-10-02", Input: 1, Source: "config"}}).PriceRows()
	for range 2 {
		if err := save(rows); err != nil {
			t.Fatal(err)
		}
	}
	if got := db.number(t, "SELECT count(*) FROM prices"); got != len(rows) {
		t.Errorf("got %d prices, want %d", got, len(rows))
	}
	err := save([]Price{{Model: "m", AsOf: "2026-10-02", Input: 2, Source: "config"}})
	if err == nil || !strings.Contains(err.Error(), "another price of m as of 2026-10-02") {
		t.Errorf("got error %v, want one about the other price", err)
	}
}

// No secret reaches the file, whatever the server does.
func TestNoSecretInTheFile(t *testing.T) {
	s := newServer(t)
	db := openTestDB(t)
	log := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	for _, model := range []string{"plain", "echo-key", "echo-header", "echo-reply", "broken", "other-model"} {
		for _, ref := range []string{model, "openai_compatible:box/" + model} {
			log.Chat(openChat(t, ref, s.env())).With(nil).Chat(context.Background(), coldRequest("q"))
		}
	}
	if got := db.number(t, "SELECT count(*) FROM model_calls"); got != 12 {
		t.Errorf("got %d calls, want 12", got)
	}
	rows, err := db.Query("SELECT request || response || coalesce(error, '') || requested || used FROM model_calls UNION ALL SELECT text FROM prompts")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "sk-marked") {
			t.Errorf("the key is in %q", text)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkMockChat(b *testing.B) {
	db := openTestDB(b)
	log := NewLog(NewSQLStore(db), LogOptions{Now: time.Now})
	chat := log.Chat(openMock(b))
	text := strings.Repeat("The ferry to Halden leaves at a quarter past seven in the morning. ", 15)
	blocks := make([]prompt.Block, 200)
	for i := range blocks {
		blocks[i] = prompt.Block{DocID: "doc_" + string(rune('a'+i%26)), Place: strings.Repeat("0", i), Text: text}
	}
	zero := 0.0
	run := func(i int) *Recorder {
		rec := &Recorder{}
		q := "When does ferry number " + string(rune('a'+i%26)) + " leave? " + time.Duration(i).String()
		req := rag.ChatRequest{Messages: prompt.Answer(q, blocks[i%195:i%195+5]), Temperature: &zero, Purpose: "answer"}
		if _, err := chat.With(rec).Chat(context.Background(), req); err != nil {
			b.Fatal(err)
		}
		return rec
	}
	b.Run("call", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			run(i)
			i++
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	})
	// One transaction a question is what the runner does; fifty show what is the transaction's share.
	for _, batch := range []int{1, 50} {
		b.Run(fmt.Sprintf("call and save/batch=%d", batch), func(b *testing.B) {
			b.ReportAllocs()
			var records []*Record
			i := 0
			for b.Loop() {
				records = append(records, run(batch*1e9+i).Records()...)
				i++
				if len(records) == batch {
					db.save(b, records)
					records = records[:0]
				}
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "calls/s")
		})
	}
}
