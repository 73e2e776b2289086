package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"ragbench/internal/report"
)

// confirm sees to it that a live run costs what the user wants it to: it lists what has no price, refuses a cap that
// cannot be held, estimates the run, and asks when that is above the threshold. Without a terminal, or in CI, such a run
// is refused unless --yes was given.
func (a *app) confirm(ctx context.Context, j *job, warnings []string) error {
	for _, w := range warnings {
		a.say("warning: %s", w)
	}
	all, billed := unpriced(j)
	if j.c.Run.MaxCostUSD > 0 && len(all) > 0 {
		return errUnpriced(all)
	}
	if j.yes {
		return nil
	}
	est, err := a.estimate(ctx, j.c)
	if err != nil {
		return err
	}
	a.say("estimated cost: $%s for %d questions in %d systems, about %v", money(est.USD), est.Questions, len(est.Systems),
		time.Duration(est.Seconds*float64(time.Second)).Round(time.Second))
	why := ""
	switch {
	case est.USD > j.c.Run.ConfirmUSD:
		why = fmt.Sprintf("that is above cost_confirm_threshold_usd ($%s)", money(j.c.Run.ConfirmUSD))
	case len(billed) > 0:
		why = fmt.Sprintf("the price of %s is unknown", strings.Join(billed, ", "))
	default:
		return nil
	}
	if !a.interactive() {
		return fmt.Errorf("%s: say --yes to run it without being asked (ragbench estimate shows it system by system)", why)
	}
	if err := est.write(a.Err, false); err != nil {
		return err
	}
	a.say("%s. Run it? [y/N]", why)
	line, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return failed(errDeclined)
	}
	return nil
}

// interactive tells whether somebody can be asked: a terminal, and no CI.
func (a *app) interactive() bool {
	switch strings.ToLower(a.getenv("CI")) {
	case "", "0", "false", "no":
	default:
		return false
	}
	in, ok := a.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// write shows an estimate, a row a system.
func (e estimate) write(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(e)
	}
	t := report.Table{Columns: []string{"system", "calls/q", "tokens/q", "ingest $", "$/q", "judge $/q", "total $", "time"}}
	for _, r := range e.Systems {
		name := r.System
		if r.About {
			name = "~ " + name
		}
		t.Rows = append(t.Rows, []any{name, round(r.Calls, 10), round(r.Tokens, 1), amount(r.IngestUSD), amount(r.USD), amount(r.JudgeUSD),
			amount(r.TotalUSD), time.Duration(r.Seconds * float64(time.Second)).Round(time.Second).String()})
	}
	if err := t.Write(w, "table"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d questions: $%s in about %v\n", e.Questions, money(e.USD), time.Duration(e.Seconds*float64(time.Second)).Round(time.Second))
	if err == nil && len(e.Unpriced) > 0 {
		_, err = fmt.Fprintf(w, "No price: %s. Their cost is unknown, not 0.\n", strings.Join(e.Unpriced, ", "))
	}
	for _, r := range e.Systems {
		if err == nil && r.Failed > 0 {
			_, err = fmt.Fprintf(w, "%s failed on %d of the measured questions: its cost is a lower bound.\n", r.System, r.Failed)
		}
	}
	return err
}

// amount is money in a table; nil, shown as a blank, when it is unknown.
func amount(usd *float64) any {
	if usd == nil {
		return nil
	}
	return money(*usd)
}

func round(v, to float64) float64 { return float64(int(v*to+.5)) / to }
