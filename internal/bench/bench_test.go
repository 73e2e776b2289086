package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/report"
	"ragbench/internal/store"
)

// fake is a system whose ranking and answer follow from the question alone.
type fake struct {
	chunks []rag.Chunk
	asked  atomic.Int64
	fail   func(q rag.Question) error
	before func()
}

func (f *fake) Ingest(context.Context, rag.Corpus) (rag.IngestReport, error) {
	return rag.IngestReport{Chunks: len(f.chunks)}, nil
}

func (f *fake) Retrieve(_ context.Context, q rag.Question, depth int, tr rag.Trace) (rag.Ranking, error) {
	if f.before != nil {
		f.before()
	}
	f.asked.Add(1)
	step, end := tr.Step(rag.StepRetrieve, "fake_search", q.Text)
	defer end()
	step.Usage = rag.Usage{EmbeddingTokens: 3, Embedding: rag.Cost{USD: .25}}
	if f.fail != nil {
		if err := f.fail(q); err != nil {
			return rag.Ranking{}, err
		}
	}
	var r rag.Ranking
	for i := range min(depth, len(f.chunks)) {
		r.Hits = append(r.Hits, rag.Hit{Chunk: f.chunks[(i+len(q.Text))%len(f.chunks)], Score: 1 / float64(i+1), Rank: i + 1})
	}
	r.Legs = []rag.Leg{{Name: "fake", Hits: r.Hits}}
	return r, nil
}

func (f *fake) Answer(_ context.Context, q rag.Question, r rag.Ranking, tr rag.Trace) (rag.Answer, error) {
	step, end := tr.Step(rag.StepGenerate, "answer", q.Text)
	defer end()
	step.Usage = rag.Usage{PromptTokens: 10, CompletionTokens: 2, LLM: rag.Cost{USD: .5}}
	return rag.Answer{Text: "re: " + q.Text, Citations: []string{r.Hits[0].Chunk.DocID}, Finish: "stop"}, nil
}

type silent struct{}

func (silent) Ingesting(string)                                 {}
func (silent) Ingested(string, rag.IngestReport, time.Duration) {}
func (silent) Started(string, int, int)                         {}
func (silent) Asked(string, bool)                               {}

// bed is a file with a corpus of three documents, one chunk each, and n questions.
type bed struct {
	db        *store.DB
	dataset   store.Dataset
	chunks    []rag.Chunk
	questions []rag.Question
}

func newBed(t *testing.T, n int) *bed {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "bed.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var questions []rag.Question
	for i := range n {
		questions = append(questions, rag.Question{ID: fmt.Sprintf("q%03d", i), Text: strings.Repeat("x", i+1), Answerable: true, Relevant: []string{"b"}})
	}
	rep, err := db.PutDataset(t.Context(), store.DatasetInput{Name: "bed", Source: "memory", Now: "2026-01-01T00:00:00Z",
		Documents: func(yield func(rag.Document) error) error {
			for _, id := range []string{"a", "b", "c"} {
				if err := yield(rag.Document{ID: id, Text: "Text of " + id, Source: id, MediaType: "text/plain", Encoding: "utf-8"}); err != nil {
					return err
				}
			}
			return nil
		},
		Questions: func(map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
			return questions, nil, nil, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{db: db}
	if b.dataset, err = db.Dataset(t.Context(), rep.DatasetID); err != nil {
		t.Fatal(err)
	}
	if b.questions, err = db.Questions(t.Context(), rep.DatasetID); err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *sql.Tx) error {
		w, err := store.NewIndex(t.Context(), tx, strings.Repeat("0", 64), b.dataset.CorpusSHA256, "{}", "none", "now")
		if err != nil {
			return err
		}
		err = store.EachDocument(t.Context(), tx, b.dataset.ID, func(d *rag.Document) error {
			c := rag.Chunk{Key: d.ID + "::chunk::0000", DocID: d.ID, DocRowID: d.RowID, Kind: rag.KindChunk, End: len(d.Text), Text: d.Text}
			if c.RowID, err = w.Add(&c, 0); err != nil {
				return err
			}
			b.chunks = append(b.chunks, c)
			return nil
		})
		return errors.Join(err, w.Finish(1))
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// start makes or resumes a run of the systems.
func (b *bed) start(t *testing.T, fakes ...*fake) Plan {
	t.Helper()
	in := store.RunInput{Name: "bed", Label: "bed", DatasetID: b.dataset.ID, Mode: "mock", ConfigSHA256: strings.Repeat("0", 64), KValues: []int{1, 3},
		PrimaryK: 1, RetrievalDepth: 3, ContextK: 2, NDCGGain: "linear", CodeVersion: "test", Now: "now", Questions: len(b.questions)}
	for i := range fakes {
		in.Systems = append(in.Systems, store.SystemInput{Name: fmt.Sprint("s", i), Type: "fake", Config: "{}", ConfigSHA256: strings.Repeat("0", 64)})
	}
	run, err := b.db.StartRun(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	plan := Plan{Run: run, Corpus: b.dataset.Corpus(), Questions: b.questions, Depth: 3, MaxWorkers: 1, SystemWorkers: 1}
	for i, f := range fakes {
		f.chunks = b.chunks
		plan.Systems = append(plan.Systems, System{ID: run.SystemIDs[i], Name: fmt.Sprint("s", i), ContextK: 2, System: f})
	}
	return plan
}

func (b *bed) env() Env {
	return Env{DB: b.db, Now: time.Now, Progress: silent{}, SaveCalls: func(context.Context, *sql.Tx, []rag.Call) ([][]int64, error) { return nil, nil }}
}

// rows are the rows of a run without the times.
func (b *bed) rows(t *testing.T) []report.Table {
	t.Helper()
	var all []report.Table
	for _, text := range []string{
		"SELECT answer_id, system_id, question_id, status, error, text, citations, ranked, embedding_tokens, prompt_tokens, total_cost, metadata FROM answers ORDER BY answer_id",
		"SELECT answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context FROM hits ORDER BY answer_id, leg, rank",
		"SELECT answer_id, position, kind, name, input, output, prompt_tokens, cost_usd FROM steps ORDER BY answer_id, position",
	} {
		table, err := report.Query(t.Context(), b.db.Reader(), text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, table)
	}
	return all
}

func TestWorkersDoNotChangeRows(t *testing.T) {
	var want []report.Table
	for _, workers := range []int{1, 8} {
		b := newBed(t, 40)
		plan := b.start(t, &fake{}, &fake{}, &fake{})
		plan.MaxWorkers, plan.SystemWorkers = workers, min(workers, 3)
		res, err := Run(t.Context(), b.env(), plan)
		if err != nil || res.Answered != 120 || res.Failed != 0 || res.Stopped {
			t.Fatalf("%d workers: got %+v, %v", workers, res, err)
		}
		got := b.rows(t)
		if want == nil {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers: rows differ (-one worker +these)\n%s", workers, diff)
		}
	}
	if n := len(want[0].Rows); n != 120 {
		t.Errorf("got %d answers, want 120", n)
	}
}

func TestFailuresAreRowsAndAreAskedAgain(t *testing.T) {
	b := newBed(t, 6)
	f := &fake{fail: func(q rag.Question) error {
		switch q.ID {
		case "q001":
			return errors.New("no luck")
		case "q002":
			panic("out of range")
		}
		return nil
	}}
	plan := b.start(t, f)
	res, err := Run(t.Context(), b.env(), plan)
	if err != nil || res.Answered != 6 || res.Failed != 2 {
		t.Fatalf("got %+v, %v, want 6 answered and 2 failed", res, err)
	}
	table, err := report.Query(t.Context(), b.db.Reader(), "SELECT error FROM answers WHERE status = 'error' ORDER BY question_id")
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("got %v, %v", table, err)
	}
	if got := table.Rows[0][0]; got != "retrieve: no luck" {
		t.Errorf("got %q", got)
	}
	if got := table.Rows[1][0].(string); !strings.HasPrefix(got, "panic: out of range at ") || !strings.Contains(got, "bench_test.go") {
		t.Errorf("got %q, want the panic and its place", got)
	}
	f.fail = nil
	f.asked.Store(0)
	plan = b.start(t, f)
	if !plan.Run.Resumed {
		t.Fatal("the run was not resumed")
	}
	res, err = Run(t.Context(), b.env(), plan)
	if err != nil || res.Answered != 2 || res.Skipped != 4 || f.asked.Load() != 2 {
		t.Errorf("resumed: got %+v, %v and %d questions asked, want the 2 failed ones", res, err, f.asked.Load())
	}
}

func TestStopDrainsAndResumes(t *testing.T) {
	whole := newBed(t, 30)
	if _, err := Run(t.Context(), whole.env(), whole.start(t, &fake{}, &fake{})); err != nil {
		t.Fatal(err)
	}
	b := newBed(t, 30)
	stop := make(chan struct{})
	var once sync.Once
	f := &fake{}
	f.before = func() {
		if f.asked.Load() == 10 {
			once.Do(func() { close(stop) })
		}
	}
	env := b.env()
	env.Stop = stop
	res, err := Run(t.Context(), env, b.start(t, f, &fake{}))
	if err != nil || !res.Stopped || res.Answered != 11 {
		t.Fatalf("got %+v, %v, want 11 answered and stopped", res, err)
	}
	f2, g2 := &fake{}, &fake{}
	res, err = Run(t.Context(), b.env(), b.start(t, f2, g2))
	if err != nil || res.Stopped || f2.asked.Load() != 19 || g2.asked.Load() != 30 {
		t.Fatalf("resumed: got %+v, %v, asked %d and %d", res, err, f2.asked.Load(), g2.asked.Load())
	}
	if diff := cmp.Diff(whole.rows(t), b.rows(t)); diff != "" {
		t.Errorf("rows differ from an unbroken run (-whole +resumed)\n%s", diff)
	}
}

func TestCancelKeepsWhatIsWritten(t *testing.T) {
	b := newBed(t, 20)
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{}
	f.before = func() {
		if f.asked.Load() == 5 {
			cancel()
		}
	}
	if _, err := Run(ctx, b.env(), b.start(t, f)); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the cancellation", err)
	}
	good, err := b.db.GoodCells(t.Context(), 1)
	if err != nil || len(good) == 0 || len(good) > 6 {
		t.Errorf("got %d good cells, %v, want what was written before", len(good), err)
	}
}

func TestUnfinishedRunOfAnotherConfigurationIsNotResumed(t *testing.T) {
	b := newBed(t, 2)
	first := b.start(t, &fake{})
	in := store.RunInput{Name: "bed", Label: "bed", DatasetID: b.dataset.ID, Mode: "mock", ConfigSHA256: strings.Repeat("1", 64), KValues: []int{1},
		PrimaryK: 1, RetrievalDepth: 1, ContextK: 1, NDCGGain: "linear", CodeVersion: "test", Now: "now", Questions: 2}
	second, err := b.db.StartRun(t.Context(), in)
	if err != nil || second.Resumed || second.ID == first.Run.ID || second.Label != "bed_2" {
		t.Errorf("got %+v, %v, want a new run bed_2", second, err)
	}
}
