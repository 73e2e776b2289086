package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/ragtest/fakeserver"
)

// liveConfig reaches OpenAI, whose address is the server's, for chat, and an endpoint for embeddings.
const liveConfig = `
run: {name: live, latency_probe_questions: %d, max_workers: 2}
dataset: {path: data}
providers: {box: {base_url: "%s", api_key_env: BOX_KEY}}
models: {generator: gpt-6-luna, embedding: "openai_compatible:box/words-embedding"}
pricing: {"box/words-embedding": {input: 0.02}}
systems: [no_retrieval, bm25, vector, {name: hybrid, type: hybrid}, hyde]
evaluation: {judge: none}
`

// everyRow is all that a run leaves behind but its own name, number and time.
var everyRow = []string{
	"SELECT s.name, s.type, s.config, s.sql FROM systems AS s WHERE s.run_id = %d ORDER BY s.position",
	"SELECT s.name, i.num_chunks, i.num_vectors, i.built, i.reused, i.wall_ms, i.embedding_tokens, i.llm_tokens, i.cost_usd FROM systems AS s JOIN ingestions AS i USING (system_id) WHERE s.run_id = %d ORDER BY s.position",
	"SELECT s.name, a.question_id, a.status, a.error, a.text, a.refused, a.finish, a.citations, a.ranked, a.latency_ms, a.retrieval_ms, a.embedding_tokens, a.prompt_tokens, a.completion_tokens, a.embedding_cost, a.llm_cost, a.rerank_cost, a.query_rewrite_cost, a.tool_cost, a.decision_cost, a.total_cost, a.metadata FROM systems AS s JOIN answers AS a USING (system_id) WHERE s.run_id = %d ORDER BY s.position, a.question_id",
	"SELECT s.name, a.question_id, h.leg, h.rank, h.chunk_id, h.doc_id, h.doc_rank, h.score, h.in_context, h.metadata FROM systems AS s JOIN answers AS a USING (system_id) JOIN hits AS h USING (answer_id) WHERE s.run_id = %d ORDER BY s.position, a.question_id, h.leg, h.rank",
	"SELECT s.name, a.question_id, t.position, t.kind, t.name, t.start_ms, t.latency_ms, t.input, t.output, t.embedding_tokens, t.prompt_tokens, t.completion_tokens, t.cost_usd, t.error, t.metadata FROM systems AS s JOIN answers AS a USING (system_id) JOIN steps AS t USING (answer_id) WHERE s.run_id = %d ORDER BY s.position, a.question_id, t.position",
	"SELECT s.name, a.question_id, k.position, k.call_id, k.cached, k.booked FROM systems AS s JOIN answers AS a USING (system_id) JOIN step_calls AS k USING (answer_id) WHERE s.run_id = %d ORDER BY s.position, a.question_id, k.position, k.call_id",
	"SELECT s.name, a.question_id, m.metric, m.value, m.reason FROM systems AS s JOIN answers AS a USING (system_id) JOIN scores AS m USING (answer_id) WHERE s.run_id = %d ORDER BY s.position, a.question_id, m.metric",
	"SELECT s.name, p.question_id, p.latency_ms, p.num_calls, p.cost_usd FROM systems AS s JOIN latency_probes AS p USING (system_id) WHERE s.run_id = %d ORDER BY s.position, p.question_id",
}

// sameRows compares two runs of a file row by row.
func (b *bed) sameRows(path string, run, other int) {
	b.t.Helper()
	for _, query := range everyRow {
		want, got := b.rows(path, fmt.Sprintf(query, run)), b.rows(path, fmt.Sprintf(query, other))
		if len(want) == 0 && !strings.Contains(query, "latency_probes") {
			b.t.Errorf("%s: got no rows", query)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			b.t.Errorf("%s: run %d and run %d (-want +got):\n%s", query, run, other, diff)
		}
	}
}

// jsonReply makes the server answer prompts that want JSON with an object that plans can be read from.
func jsonReply(messages []fakeserver.Message) string {
	text := ""
	for _, m := range messages {
		text += m.Text
	}
	return fmt.Sprintf("The ferry leaves at %02d:15 [doc_%02d].", len(text)%24, len(text)%24)
}

// A live run is repeated from its file: no key, no server, the same rows to the byte. So is a packed copy elsewhere.
func TestReplay(t *testing.T) {
	b := newBed(t, 12)
	b.server.Reply = jsonReply
	b.write("live.yaml", fmt.Sprintf(liveConfig, 2, b.server.BaseURL()))
	b.must("run", "-c", "live.yaml", "--db", "live.db")
	if got := b.one("live.db", "SELECT mode || ' ' || status FROM runs"); got != "live done" {
		t.Fatalf("got a run that is %s, want live done", got)
	}
	if got := b.one("live.db", "SELECT count(*) FROM latency_probes"); got != "10" {
		t.Errorf("got %s probes, want 2 of each of 5 systems", got)
	}
	b.must("pack", "live.db", "packed.db")
	leaderboard := b.must("leaderboard", "--db", "packed.db", "--format", "csv").out

	b.server.Reset()
	b.getenv = func(string) string { return "" }
	sent := b.server.Total()
	if err := os.Rename("data", "gone"); err != nil { // the file holds the dataset
		t.Fatal(err)
	}
	for _, path := range []string{"live.db", "packed.db"} {
		r := b.must("run", "--replay", "--db", path)
		if !strings.Contains(r.err, "every answer is that of run 1") {
			t.Errorf("%s: got %s, want every answer the same", path, r.err)
		}
		b.sameRows(path, 1, 2)
	}
	if got := b.server.Total(); got != sent {
		t.Errorf("a replay sent %d requests", got-sent)
	}
	again := b.must("leaderboard", "--db", "packed.db", "--format", "csv").out
	if label := b.one("packed.db", "SELECT label FROM runs WHERE run_id = 1"); strings.Contains(again, label) {
		again = strings.ReplaceAll(again, b.one("packed.db", "SELECT label FROM runs WHERE run_id = 2"), label)
	}
	strip := func(s string) string { return strings.NewReplacer("replay", "live").Replace(s) }
	if diff := cmp.Diff(strip(leaderboard), strip(again)); diff != "" {
		t.Errorf("leaderboard of the packed file, replayed (-want +got):\n%s", diff)
	}
	if got := b.one("packed.db", "SELECT paid_usd FROM spend WHERE run_id = 2"); got != "0" {
		t.Errorf("got $%s paid for a replay, want 0", got)
	}
}

// A replay that lacks a call says which.
func TestReplayWithoutACall(t *testing.T) {
	b := newBed(t, 4)
	b.write("live.yaml", fmt.Sprintf(liveConfig, 0, b.server.BaseURL()))
	b.must("run", "-c", "live.yaml", "--only", "bm25", "--db", "live.db")
	r := b.run("run", "-c", "live.yaml", "--only", "bm25,vector", "--replay", "--db", "live.db")
	for _, want := range []string{"the file does not hold the call", "embedding"} {
		if r.code != exitFailed || !strings.Contains(r.err, want) {
			t.Errorf("got exit code %d and %s, want 1 and %q", r.code, r.err, want)
		}
	}
}

// The same question put again is answered from the file, charged in full and paid once; a second file learns from the
// shared cache.
func TestCacheIsShared(t *testing.T) {
	b := newBed(t, 6)
	b.write("live.yaml", fmt.Sprintf(liveConfig, 0, b.server.BaseURL())+"cache: {path: shared.db, query_embeddings: true}\n")
	first := b.must("run", "-c", "live.yaml", "--only", "bm25,vector", "--db", "one.db")
	b.server.Reset()
	second := b.must("run", "-c", "live.yaml", "--only", "bm25,vector", "--db", "two.db")
	for _, r := range b.server.Requests() {
		if r.Path != "/v1/embeddings" || strings.Contains(r.Body, "When does") {
			t.Errorf("sent again: %s %s", r.Path, r.Body)
		}
	}
	if got, want := b.one("two.db", "SELECT charged_usd FROM spend"), b.one("one.db", "SELECT charged_usd FROM spend"); got != want {
		t.Errorf("got $%s charged from the cache, want $%s, the same", got, want)
	}
	if !strings.Contains(second.err, "saved $") || first.err == second.err {
		t.Errorf("got %s, want what was saved", second.err)
	}
	if got := b.one("two.db", "SELECT count(*) FROM step_calls WHERE cached = 0"); got != "0" {
		t.Errorf("got %s calls that were paid, want none", got)
	}
	b.server.Reset()
	b.must("run", "-c", "live.yaml", "--only", "bm25", "--no-cache", "--db", "one.db")
	if got := b.server.Count("gpt-6-luna"); got != 6 {
		t.Errorf("got %d requests with --no-cache, want 6", got)
	}
	// A shared cache is a file of its own: what it holds can be counted and cleared.
	if r := b.must("cache", "stats", "shared.db", "--format", "csv"); !strings.Contains(r.out, "openai:gpt-6-luna,12") {
		t.Errorf("got %s, want 12 stored calls", r.out)
	}
	b.must("cache", "clear", "shared.db")
	if got := b.one("shared.db", "SELECT count(*) FROM model_calls"); got != "0" {
		t.Errorf("got %s calls after clearing, want none", got)
	}
}

// A run is live or mock, never both, and says what is missing before it spends anything.
func TestModes(t *testing.T) {
	b := newBed(t, 3)
	b.write("live.yaml", fmt.Sprintf(liveConfig, 0, b.server.BaseURL()))
	b.write("mixed.yaml", strings.Replace(fmt.Sprintf(liveConfig, 0, b.server.BaseURL()), "openai_compatible:box/words-embedding", "mock:hashing-embedding", 1))
	env := b.getenv
	without := func(name string) func(string) string {
		return func(n string) string {
			if n == name {
				return ""
			}
			return env(n)
		}
	}
	for _, tt := range []struct {
		name   string
		getenv func(string) string
		args   []string
		code   int
		want   string
		mode   string
	}{
		{"a missing key", without("OPENAI_API_KEY"), []string{"-c", "live.yaml"}, exitUsage, "OPENAI_API_KEY is not set", ""},
		{"another", without("BOX_KEY"), []string{"-c", "live.yaml"}, exitUsage, "BOX_KEY is not set", ""},
		{"not needed", without("BOX_KEY"), []string{"-c", "live.yaml", "--only", "bm25"}, exitOK, "", "live"},
		{"no key at all", func(string) string { return "" }, []string{"-c", "live.yaml", "--only", "bm25,vector"}, exitOK, "mock run", "mock"},
		{"mock by option", env, []string{"-c", "live.yaml", "--mock", "--only", "bm25"}, exitOK, "mock run", "mock"},
		{"a mixture", env, []string{"-c", "mixed.yaml"}, exitUsage, "does not mix with mock models", ""},
		{"all live", env, []string{"-c", "live.yaml", "--only", "vector"}, exitOK, "", "live"},
	} {
		b.getenv = tt.getenv
		b.server.Reset()
		path := strings.ReplaceAll(tt.name, " ", "-") + ".db"
		r := b.run(append([]string{"run", "--db", path}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.want) {
			t.Errorf("%s: got exit code %d and %s, want %d and %q", tt.name, r.code, r.err, tt.code, tt.want)
			continue
		}
		if tt.mode != "live" && b.server.Total() > 0 {
			t.Errorf("%s: sent %d requests", tt.name, b.server.Total())
		}
		if tt.mode != "" {
			if got := b.one(path, "SELECT mode FROM runs"); got != tt.mode {
				t.Errorf("%s: got mode %s, want %s", tt.name, got, tt.mode)
			}
			if got := b.one(path, "SELECT count(*) FROM model_calls WHERE (requested LIKE 'mock:%') <> (SELECT mode = 'mock' FROM runs) OR requested <> used"); got != "0" {
				t.Errorf("%s: %s calls are of the wrong kind", tt.name, got)
			}
		}
	}
}
