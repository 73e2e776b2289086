package cli

import (
	"context"
	"errors"
	"fmt"

	"ragbench/internal/config"
	"ragbench/internal/report"
)

// expect compares the run's means with the configuration's expect block, to the last digit.
func (a *app) expect(ctx context.Context, f *file, runID int64, c *config.Config) error {
	if len(c.Expect) == 0 {
		return nil
	}
	t, err := report.Query(ctx, f.Reader(), cliSQL.SQL("means"), named("run_id", runID))
	if err != nil {
		return fmt.Errorf("read the means: %w", err)
	}
	got := map[[2]string]any{}
	for _, row := range t.Rows {
		got[[2]string{row[0].(string), row[1].(string)}] = row[2]
	}
	var wrong []error
	for _, e := range c.Expect {
		if v, ok := got[[2]string{e.System, e.Metric}]; !ok || v != e.Value {
			wrong = append(wrong, fmt.Errorf("%s:%d: %s of %s is %v, expected %v", c.File, e.Line, e.Metric, e.System, v, e.Value))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	a.say("all %d expected scores hold", len(c.Expect))
	return nil
}
