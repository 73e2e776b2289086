package judge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
	"ragbench/internal/store"
)

// openRun opens the goldens' file without its judgments; run 2 has eleven answers that are no imported ranking, ten of
// them good.
func openRun(t *testing.T) *store.DB {
	t.Helper()
	base, err := os.ReadFile("../../queries/testdata/base.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "x.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	change(t, db, string(base)+"; DELETE FROM judgments;")
	return db
}

func change(t *testing.T, db *store.DB, text string) {
	t.Helper()
	if err := db.Write(context.Background(), func(tx *sql.Tx) error { _, err := tx.Exec(text); return err }); err != nil {
		t.Fatal(err)
	}
}

const good = `{"reasons": {"correctness": "as the reference"}, "correctness": 5, "faithfulness": 4, "completeness": 5, "relevance": 4.5, "citation_quality": 3, "supported": true, "hallucinated": false}`

// scripted is a chat model that replies by the answer it is shown; the key "" is for all others. Of several replies it
// gives one after the other, and the last again.
type scripted struct {
	replies map[string][]string

	mu   sync.Mutex
	seen map[string]int
	reqs []rag.ChatRequest
}

func (s *scripted) Ref() string { return "test:judge" }

func (s *scripted) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	if err := ctx.Err(); err != nil {
		return rag.ChatReply{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := ""
	for k := range s.replies {
		if k != "" && strings.Contains(req.Messages[1].Text(), k) {
			key = k
		}
	}
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	list := s.replies[key]
	text := list[min(s.seen[key], len(list)-1)]
	s.seen[key]++
	s.reqs = append(s.reqs, req)
	call := rag.Call{Cost: rag.Cost{USD: 0.25}}
	if text == "down" {
		return rag.ChatReply{Call: call}, errors.New("503: overloaded")
	}
	return rag.ChatReply{Text: text, Finish: "stop", Call: call}, nil
}

func testEnv(db *store.DB, workers int) Env {
	return Env{DB: db, Workers: workers, SaveCalls: func(_ context.Context, _ *sql.Tx, calls []rag.Call) ([][]int64, error) {
		ids := make([][]int64, len(calls))
		for i := range ids {
			ids[i] = []int64{int64(i%2 + 1)} // the file has calls 1 and 2
		}
		return ids, nil
	}}
}

func rowsOf(t *testing.T, db *store.DB, query string) []string {
	t.Helper()
	_, rows := scoretest.Dump(t, db.Reader(), query)
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = strings.Join(r, " ")
	}
	return list
}

const mainColumns = "SELECT answer_id, sample, status, fallback, correctness, repair, round, prompt_version LIKE 'judge/%' FROM judgments ORDER BY answer_id, prompt_version DESC, sample"

// TestRunLLM judges with a model that is asked again, gives up, and is down. The result does not depend on workers.
func TestRunLLM(t *testing.T) {
	for _, workers := range []int{1, 8} {
		db := openRun(t)
		model := &scripted{replies: map[string][]string{
			"": {good}, "A mason.": {"I give it a five.", good}, "At noon.": {"oops", "4 of 5"}, "A king.": {"down"}, "A day.": {strings.Replace(good, "4.5", "7", 1)},
		}}
		p := Plan{RunID: 2, Judge: &LLM{Chat: model, MaxContextChars: 1000}, Heuristic: true}
		res, err := Run(context.Background(), testEnv(db, workers), p)
		if err != nil {
			t.Fatal(err)
		}
		want := Result{Answers: 10, Failed: 2, Fallbacks: 2, Repaired: 2, Cost: rag.Cost{USD: 3}}
		if diff := cmp.Diff(want, res); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		wantRows := []string{
			"2 0 ok 0 5  0 1", "3 0 ok 0 5  0 1", "4 0 ok 0 5  0 1", "6 0 ok 0 5  0 1", "7 0 ok 0 5  0 1",
			"8 0 ok 0 5 asked again: it holds no JSON object 0 1",
			"9 0 unparsed 0 -  0 1", "9 0 ok 1 2.5  0 0",
			"10 0 ok 0 5  0 1",
			"11 0 error 0 -  0 1", "11 0 ok 1 1  0 0",
			"12 0 ok 0 5 clamped relevance 0 1",
		}
		if diff := cmp.Diff(wantRows, rowsOf(t, db, mainColumns)); diff != "" {
			t.Errorf("judgments (-want +got):\n%s", diff)
		}
		if retry := rowsOf(t, db, "SELECT count(*), count(retry_of) FROM judgments WHERE call_id IS NOT NULL"); retry[0] != "10 2" {
			t.Errorf("got calls and retries %v, want 10 and 2", retry)
		}

		// Nothing is due, and the failures wait until they are asked for.
		if res, err = Run(context.Background(), testEnv(db, workers), p); err != nil || res.Answers != 0 {
			t.Errorf("second run: got %+v, %v, want nothing judged", res, err)
		}
		model.replies = map[string][]string{"": {good}}
		before := len(model.reqs)
		p.Missing = true
		if res, err = Run(context.Background(), testEnv(db, workers), p); err != nil || res.Answers != 2 || res.Failed != 0 {
			t.Errorf("missing ones: got %+v, %v, want 2 judged", res, err)
		}
		for _, req := range model.reqs[before:] {
			if req.Repeat != 100 {
				t.Errorf("got repeat %d, want 100: the stored reply of the first round would come again", req.Repeat)
			}
		}
		if got := rowsOf(t, db, "SELECT count(*), sum(fallback), sum(status = 'ok'), max(round) FROM judgments"); got[0] != "10 0 10 1" {
			t.Errorf("after asking again: got %v, want ten good judgments and no fallback", got)
		}
	}
}

// TestRetryShowsTheReply looks at the second request.
func TestRetryShowsTheReply(t *testing.T) {
	model := &scripted{replies: map[string][]string{"": {"I would say 4.", good}}}
	j := &LLM{Chat: model, MaxContextChars: 30}
	c := &Case{Question: "q", Answer: "a", Context: []prompt.Block{{DocID: "d", Place: "1", Text: strings.Repeat("é", 40)}, {DocID: "e", Place: "2", Text: "two"}}}
	vs, err := j.Judge(context.Background(), c, []int{0})
	if err != nil || len(vs) != 1 || vs[0].Status != OK || vs[0].Axes.Mean() != 4.3 {
		t.Fatalf("got %+v, %v", vs, err)
	}
	var roles []string
	for _, m := range model.reqs[1].Messages {
		roles = append(roles, m.Role)
	}
	if want := []string{"system", "user", "assistant", "user"}; !slices.Equal(roles, want) {
		t.Fatalf("got roles %v, want %v", roles, want)
	}
	if got := model.reqs[1].Messages[2].Text(); got != "I would say 4." {
		t.Errorf("got %q shown, want the bad reply", got)
	}
	if user := model.reqs[0].Messages[1].Text(); strings.Count(user, "é") != 20 || strings.Contains(user, "two") {
		t.Errorf("the passages were not cut at 30 characters: %s", user)
	}
}

// TestSamples takes the mean over samples and their variance; a sample that failed is left out.
func TestSamples(t *testing.T) {
	db := openRun(t)
	model := &scripted{replies: map[string][]string{"": {strings.ReplaceAll(good, "5", "3")}, "A mason.": {good, "x", "x", strings.Replace(good, "true", "false", 1)}}}
	p := Plan{RunID: 2, Judge: &LLM{Chat: model, NumSamples: 3, Temperature: 0.7, MaxContextChars: 1000}, Heuristic: true}
	res, err := Run(context.Background(), testEnv(db, 2), p)
	if err != nil || res.Answers != 10 || res.Failed != 0 || res.Fallbacks != 0 {
		t.Fatalf("got %+v, %v", res, err)
	}
	got := rowsOf(t, db, "SELECT n_samples, fallback, round(answer_score, 3), round(answer_score_variance, 6), supported, hallucinated FROM judged WHERE answer_id = 8")
	if want := "2 0 4.3 0 0 0"; got[0] != want {
		t.Errorf("got %v, want %s: half of the samples is not more than half", got, want)
	}
}

// TestInterrupted keeps what was judged before the end of the context.
func TestInterrupted(t *testing.T) {
	db := openRun(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	model := &scripted{replies: map[string][]string{"": {good}}}
	stop := &stopping{scripted: model, after: 4, cancel: cancel, n: &n}
	res, err := Run(ctx, testEnv(db, 1), Plan{RunID: 2, Judge: &LLM{Chat: stop, MaxContextChars: 100}})
	if !errors.Is(err, context.Canceled) || res.Answers != 4 {
		t.Errorf("got %+v, %v, want 4 judged and the context's end", res, err)
	}
	res, err = Run(context.Background(), testEnv(db, 1), Plan{RunID: 2, Judge: &LLM{Chat: model, MaxContextChars: 100}})
	if err != nil || res.Answers != 6 {
		t.Errorf("going on: got %+v, %v, want 6 judged", res, err)
	}
}

type stopping struct {
	*scripted
	after  int
	cancel func()
	n      *int
}

func (s *stopping) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	if *s.n == s.after {
		s.cancel()
	}
	*s.n++
	return s.scripted.Chat(ctx, req)
}

// TestUse makes a judge's scores the run's, with a reason for each that is missing.
func TestUse(t *testing.T) {
	db := openRun(t)
	ctx := context.Background()
	if res, err := Run(ctx, testEnv(db, 1), Plan{RunID: 2, Judge: Heuristic{}, Sample: 5}); err != nil || res.Answers != 5 {
		t.Fatalf("got %+v, %v, want 5 judged", res, err)
	}
	change(t, db, "INSERT INTO judgments (answer_id, judge, prompt_version, status, reason) VALUES (3, 'heuristic', 'x', 'error', 'down')")
	use := func() {
		t.Helper()
		err := db.Write(ctx, func(tx *sql.Tx) error {
			if _, err := score.Answers(ctx, tx, 2); err != nil {
				return err
			}
			if err := Use(ctx, tx, 2, HeuristicName); err != nil {
				return err
			}
			name, err := Main(ctx, tx, 2)
			if name != HeuristicName {
				err = errors.Join(err, fmt.Errorf("got main judge %q", name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	use()
	use()
	got := rowsOf(t, db, "SELECT answer_id, coalesce(round(value, 3), reason) FROM scores WHERE metric = 'answer_score' ORDER BY answer_id")
	want := []string{"2 5", "3 judgment failed", "4 5", "5 error", "6 not judged", "7 0", "8 not judged", "9 1.5", "10 not judged", "11 0.8", "12 not judged"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer scores (-want +got):\n%s", diff)
	}
	if n := rowsOf(t, db, "SELECT count(DISTINCT metric) FROM scores WHERE metric IN ('answer_score','correctness','faithfulness','completeness','relevance','citation_quality','answer_score_variance','supported','hallucinated')"); n[0] != fmt.Sprint(len(Metrics)) {
		t.Errorf("got %s metrics, want %d", n[0], len(Metrics))
	}
}
