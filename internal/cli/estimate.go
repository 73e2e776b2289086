package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ragbench/internal/bench"
	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// What an estimate supposes (ragbench methodology): questions that are measured, seconds of a chat call and tokens a
// second on top, seconds of an embedding call, tokens a judge writes, and those of its instructions.
const (
	estimateQuestions = 6
	chatSeconds       = 0.7
	tokensPerSecond   = 70
	embedSeconds      = 0.25
	judgeCompletion   = 120
	judgeInstructions = 400
	embedBatch        = 96
)

// estimate is what a run would cost and take.
type estimate struct {
	Questions  int           `json:"questions"`
	Systems    []estimateRow `json:"systems"`
	USD        float64       `json:"usd"`      // of what has a price
	Unpriced   []string      `json:"unpriced"` // models whose price is unknown
	Seconds    float64       `json:"seconds"`
	MaxWorkers int           `json:"max_workers"`
}

// estimateRow is one system. Amounts of money are nil when a price is unknown.
type estimateRow struct {
	System    string   `json:"system"`
	About     bool     `json:"about"` // the number of calls differs between questions
	Calls     float64  `json:"calls_per_question"`
	Tokens    float64  `json:"tokens_per_question"`
	IngestUSD *float64 `json:"ingest_usd"`
	USD       *float64 `json:"usd_per_question"`
	JudgeUSD  *float64 `json:"judge_usd_per_question"`
	TotalUSD  *float64 `json:"total_usd"`
	Seconds   float64  `json:"seconds"`
	Failed    int      `json:"failed"` // of the questions that were measured
}

func (a *app) estimateCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "estimate -c CONFIG | --preset NAME",
		Short: "Say what a run would cost and how long it would take, without a call",
		Long: "estimate ingests into a temporary file and asks six questions, with mock models in place of the configured ones and at their\n" +
			"prices. It measures tokens, not quality; a system whose number of calls differs between questions is marked ~.",
		Example: "  ragbench estimate -c configs/all.yaml\n  ragbench estimate --preset standard --dataset ./my-documents --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.runConfig(o)
			if err != nil {
				return err
			}
			est, err := a.estimate(cmd.Context(), c)
			if err != nil {
				return failed(err)
			}
			return failed(est.write(a.Out, o.json))
		},
	}
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file")
	cmd.Flags().StringVar(&o.preset, "preset", "", "a ready list of systems instead of a configuration")
	cmd.Flags().StringVar(&o.over.Dataset, "dataset", "", "dataset folder, instead of the configuration's")
	overrideFlags(cmd, &o.over)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the estimate as JSON")
	return cmd
}

// estimate measures a configuration on mock models that are billed as the configured ones. c is not changed.
func (a *app) estimate(ctx context.Context, c *config.Config) (estimate, error) {
	dir, err := os.MkdirTemp("", "ragbench-estimate-")
	if err != nil {
		return estimate{}, err
	}
	defer os.RemoveAll(dir)
	f, err := open(ctx, filepath.Join(dir, "estimate.db"), store.Options{})
	if err != nil {
		return estimate{}, err
	}
	defer f.Close()
	own := *c
	own.Run.Mode, own.Cache = "mock", config.Cache{Enabled: true}
	quiet := *a
	quiet.Err = io.Discard
	m := quiet.newModels(f, &own)
	m.estimate = true
	j := &job{f: f, c: &own, m: m, mode: "mock"}
	if j.ds, _, err = quiet.storeDataset(ctx, f, own.Dataset); err != nil {
		return estimate{}, err
	}
	all, err := questionsOf(ctx, j)
	if err != nil {
		return estimate{}, err
	}
	run, err := quiet.measureJob(ctx, j, all)
	if err != nil {
		return estimate{}, fmt.Errorf("estimate: %w", err)
	}
	est, err := readEstimate(ctx, j, run, len(all))
	if err == nil {
		est.Unpriced, _ = unpriced(j)
	}
	return est, err
}

// measureJob asks a few questions, evenly spaced, and returns the run.
func (a *app) measureJob(ctx context.Context, j *job, all []rag.Question) (id int64, err error) {
	n := min(estimateQuestions, len(all))
	for i := range n {
		j.questions = append(j.questions, all[i*len(all)/n])
	}
	if j.list, err = a.build(j.f, j.c, j.m); err != nil {
		return 0, err
	}
	run, err := a.start(ctx, j, nil)
	if err != nil {
		return 0, err
	}
	plan := bench.Plan{Run: run, Corpus: j.ds.Corpus(), Systems: j.list, Questions: j.questions, MaxWorkers: j.c.Run.MaxWorkers, SystemWorkers: 1}
	for i := range j.list {
		plan.Depth = max(plan.Depth, j.c.Systems[i].Depth)
	}
	progress := newProgress(io.Discard, a.getenv, a.now)
	defer progress.close()
	_, err = bench.Run(ctx, bench.Env{DB: j.f.DB, Now: a.now, SaveCalls: model.SaveCarried, Progress: progress}, plan)
	return run.ID, err
}

// measured is a row of the statement estimate.
type measured struct {
	prompt, completion, chats, embeddings float64
	ingestTokens, ingestLLM               float64
	usd, ingest                           sql.NullFloat64
}

// readEstimate turns what was measured into an estimate for n questions.
func readEstimate(ctx context.Context, j *job, runID int64, n int) (est estimate, err error) {
	est = estimate{Questions: n, MaxWorkers: j.c.Run.MaxWorkers}
	rows, err := j.f.Reader().QueryContext(ctx, moneySQL.SQL("estimate"), named("run_id", runID))
	if err != nil {
		return est, fmt.Errorf("read the estimate: %w", err)
	}
	defer rows.Close()
	sum, longest := 0.0, 0.0
	for rows.Next() {
		var r estimateRow
		var got measured
		var asked int
		if err := rows.Scan(&r.System, &asked, &r.Failed, &got.usd, &got.prompt, &got.completion, &got.chats, &r.About, &got.embeddings,
			&got.ingestTokens, &got.ingestLLM, &got.ingest); err != nil {
			return est, fmt.Errorf("read the estimate: %w", err)
		}
		r.Calls, r.Tokens = got.chats+got.embeddings, got.prompt+got.completion
		r.Seconds = seconds(j.c, got, n)
		r.price(j, got, n)
		if r.TotalUSD != nil {
			est.USD += *r.TotalUSD
		} else {
			est.USD += got.ingest.Float64 + got.usd.Float64*float64(n)
		}
		sum, longest = sum+r.Seconds, max(longest, r.Seconds)
		est.Systems = append(est.Systems, r)
	}
	est.Seconds = max(sum/float64(j.c.Run.SystemWorkers), longest)
	return est, rows.Err()
}

// price fills in the money of a row; what has no price stays nil.
func (r *estimateRow) price(j *job, got measured, n int) {
	zero := 0.0
	r.JudgeUSD = &zero
	if judge := judgeRef(j.c); judge != "" {
		cost := j.m.price(judge).Cost(model.TokenUsage{Prompt: int(got.prompt) + judgeInstructions, Completion: judgeCompletion})
		usd := cost.USD * float64(max(1, j.c.Judge.Samples))
		if r.JudgeUSD = &usd; cost.Unknown {
			r.JudgeUSD = nil
		}
	}
	if got.usd.Valid {
		r.USD = &got.usd.Float64
	}
	if got.ingest.Valid {
		r.IngestUSD = &got.ingest.Float64
	}
	if r.USD != nil && r.IngestUSD != nil && r.JudgeUSD != nil {
		total := *r.IngestUSD + float64(n)*(*r.USD+*r.JudgeUSD)
		r.TotalUSD = &total
	}
}

// judgeRef is the model that judges, empty for none.
func judgeRef(c *config.Config) string {
	switch {
	case c.Judge.Kind != "llm":
		return ""
	case c.Judge.Model != "":
		return c.Judge.Model
	}
	return c.Models.Judge
}

// seconds is how long a system takes for n questions, ingestion included.
func seconds(c *config.Config, got measured, n int) float64 {
	one := got.chats*chatSeconds + got.completion/tokensPerSecond + got.embeddings*embedSeconds
	if judgeRef(c) != "" {
		one += float64(max(1, c.Judge.Samples)) * (chatSeconds + judgeCompletion/float64(tokensPerSecond))
	}
	const tokensPerText = 300
	ingest := (got.ingestTokens/tokensPerText/embedBatch*embedSeconds + got.ingestLLM/1000*chatSeconds) / float64(c.Run.IngestWorkers)
	return ingest + one*float64(n)/float64(c.Run.MaxWorkers)
}

// errDeclined ends a run whose cost was not agreed to.
var errDeclined = errors.New("not started: its cost was declined")
