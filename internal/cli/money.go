package cli

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"ragbench/internal/bench"
	"ragbench/internal/report"
)

// priceAge is how old a price may be before the run says so.
const priceAge = 90 * 24 * time.Hour

// priceWarnings lists models in use without a price, and prices that are old.
func priceWarnings(j *job, now time.Time) []string {
	list := []string{}
	for _, r := range usedModels(j.c) {
		p := j.m.price(r.ref)
		if p == nil {
			list = append(list, fmt.Sprintf("no price for %s: what it costs is unknown and missing from every sum; say it under pricing:, 0 for a server of your own", r.ref))
			continue
		}
		if day, err := time.Parse(time.DateOnly, p.AsOf); err == nil && now.Sub(day) > priceAge {
			list = append(list, fmt.Sprintf("the price of %s is of %s", r.ref, p.AsOf))
		}
	}
	return list
}

// unpriced lists the models in use without a price; billed are those that their provider certainly charges for, as no
// other server stands in for it.
func unpriced(j *job) (all, billed []string) {
	for _, r := range usedModels(j.c) {
		if j.m.price(r.ref) != nil {
			continue
		}
		all = append(all, r.ref)
		for prefix, variable := range map[string]string{"openai:": "OPENAI_BASE_URL", "anthropic:": "ANTHROPIC_BASE_URL"} {
			if strings.HasPrefix(r.ref, prefix) && j.m.env.Getenv(variable) == "" {
				billed = append(billed, r.ref)
			}
		}
	}
	return all, billed
}

// spending returns what the run has paid so far, with what it had paid before it was stopped; nil without a cap.
func (a *app) spending(ctx context.Context, j *job, runID int64) (func() float64, error) {
	if j.c.Run.MaxCostUSD == 0 || j.mode != "live" {
		return nil, nil
	}
	_, before, _, err := spent(ctx, j.f, runID)
	if err != nil {
		return nil, err
	}
	return func() float64 { return before + j.m.log.Spent().Paid }, nil
}

// spent reads what a run was charged, paid and saved, in dollars. charged is not valid when a price is unknown.
func spent(ctx context.Context, f *file, runID int64) (charged sql.NullFloat64, paid, saved float64, err error) {
	err = f.Reader().QueryRowContext(ctx, moneySQL.SQL("spend"), named("run_id", runID)).Scan(&charged, &paid, &saved)
	if err != nil {
		err = fmt.Errorf("read what run %d cost: %w", runID, err)
	}
	return charged, paid, saved, err
}

// probe measures the latency of single questions after a live run.
func (a *app) probe(ctx context.Context, j *job, env bench.Env, plan bench.Plan, res bench.Result) error {
	n := j.c.Run.ProbeQuestions
	if n == 0 {
		return nil
	}
	j.m.log.Fresh(true)
	defer j.m.log.Fresh(false)
	start := a.now()
	asked, err := bench.Probe(ctx, env, plan, n, res.Systems)
	if asked > 0 {
		a.say("latency probe: %d questions one at a time in %.1f s", asked, a.now().Sub(start).Seconds())
	}
	return err
}

// reportSpend says what a run cost, and keeps what a cap left undone.
func (a *app) reportSpend(ctx context.Context, j *job, runID int64, res bench.Result) error {
	if j.mode != "live" {
		return nil
	}
	charged, paid, saved, err := spent(ctx, j.f, runID)
	if err != nil {
		return err
	}
	text := "charged: unknown, as a price is"
	if charged.Valid {
		text = "charged $" + money(charged.Float64)
	}
	a.say("%s (what each system costs alone); paid $%s, saved $%s by stored calls", text, money(paid), money(saved))
	if j.c.Run.MaxCostUSD == 0 {
		return nil
	}
	return a.reportCap(ctx, j, runID, paid, res)
}

// reportCap keeps the state of the cap with the run and names the systems it left unfinished.
func (a *app) reportCap(ctx context.Context, j *job, runID int64, paid float64, res bench.Result) error {
	type count struct {
		Answered int `json:"answered"`
		Total    int `json:"total"`
	}
	var completed []string
	incomplete := map[string]count{}
	var names []string
	for _, s := range res.Systems {
		if s.Complete() {
			completed = append(completed, s.Name)
			continue
		}
		incomplete[s.Name] = count{s.Answered, s.Total}
		names = append(names, fmt.Sprintf("%s (%d of %d)", s.Name, s.Answered, s.Total))
	}
	err := j.f.Note(ctx, runID, "budget", map[string]any{
		"max_cost_usd": j.c.Run.MaxCostUSD, "spent_usd": paid, "stopped": res.Capped,
		"completed_systems": completed, "incomplete_systems": incomplete,
	})
	if err != nil {
		return err
	}
	if res.Capped {
		return fmt.Errorf("max_cost_usd: stopped after paying $%s of $%s; unfinished: %s; a higher cap goes on from there",
			money(paid), money(j.c.Run.MaxCostUSD), strings.Join(names, ", "))
	}
	return nil
}

// money writes dollars with as many digits as small amounts need.
func money(usd float64) string {
	if usd != 0 && usd < 0.01 {
		return fmt.Sprintf("%.3g", usd)
	}
	return fmt.Sprintf("%.2f", usd)
}

// priceBanner names the models of a run without a price, under its leaderboard.
func (a *app) priceBanner(ctx context.Context, f *file, runID int64) (string, error) {
	t, err := report.Query(ctx, f.Reader(), moneySQL.SQL("unpriced"), named("run_id", runID))
	if err != nil {
		return "", fmt.Errorf("read models without a price: %w", err)
	}
	if len(t.Rows) == 0 {
		return "", nil
	}
	var names []string
	for _, row := range t.Rows {
		names = append(names, fmt.Sprintf("%v (%v calls)", row[0], row[1]))
	}
	return "No price: " + strings.Join(names, ", ") + ". Their cost is unknown, not 0.", nil
}

// errUnpriced refuses a cap that could not be held.
func errUnpriced(models []string) error {
	return fmt.Errorf("max_cost_usd cannot be held: no price for %s; the section pricing can give one", strings.Join(models, ", "))
}
