package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/model"
	"ragbench/internal/report"
)

// repriceOptions are the flags of reprice.
type repriceOptions struct {
	asOf, prices, format string
}

func (a *app) repriceCommand() *cobra.Command {
	var o repriceOptions
	cmd := &cobra.Command{
		Use:   "reprice [RUN] --as-of DATE | --prices FILE",
		Short: "Compute what a run costs at other prices, without a call",
		Long: "reprice goes through the stored calls of a run and computes the cost of every step, answer and ingestion again: at the prices that\n" +
			"the file and this program know for a day, or with those of a YAML file, written as the section pricing. What was paid at the time\n" +
			"stays with the calls. An unknown price makes the cost unknown.",
		Example: "  ragbench reprice --as-of 2026-10-01\n  ragbench reprice demo --prices new-prices.yaml --db demo.db",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.reprice(cmd.Context(), args, o) },
	}
	cmd.Flags().StringVar(&o.asOf, "as-of", "", "the day whose prices hold, as YYYY-MM-DD")
	cmd.Flags().StringVar(&o.prices, "prices", "", "YAML file with prices, before those of the file")
	formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) reprice(ctx context.Context, args []string, o repriceOptions) error {
	if o.asOf == "" && o.prices == "" {
		return errors.New("reprice needs prices: --as-of DATE or --prices FILE")
	}
	if o.asOf == "" {
		o.asOf = a.now().UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, o.asOf); err != nil {
		return fmt.Errorf("--as-of: want a day as YYYY-MM-DD, got %q", o.asOf)
	}
	var overrides []model.Price
	if o.prices != "" {
		text, err := os.ReadFile(o.prices)
		if err != nil {
			return fmt.Errorf("read prices: %w", err)
		}
		list, err := config.ParsePrices(o.prices, text)
		if err != nil {
			return err
		}
		overrides = overridePrices(list, a.now())
	}
	f, err := a.existing(ctx, false)
	if err != nil {
		return err
	}
	defer f.Close()
	id, err := findRun(ctx, f, args)
	if err != nil {
		return err
	}
	var t report.Table
	err = f.Write(ctx, func(tx *sql.Tx) error {
		t, err = a.repriceRun(ctx, tx, id, o, overrides)
		return err
	})
	if err != nil {
		return failed(fmt.Errorf("reprice run %d: %w", id, err))
	}
	return failed(t.Write(a.Out, o.format))
}

// repriceRun computes and writes every cost of a run and returns what a question costs before and after.
func (a *app) repriceRun(ctx context.Context, tx *sql.Tx, id int64, o repriceOptions, overrides []model.Price) (t report.Table, err error) {
	before, err := meanCosts(ctx, tx, id)
	if err != nil {
		return t, err
	}
	rows, err := storedPrices(ctx, tx)
	if err != nil {
		return t, err
	}
	r := &repricing{table: model.PriceTableAsOf(o.asOf, rows).With(overrides), answers: map[int64]*costs{}, prices: map[string]*model.Price{}}
	if err := r.calls(ctx, tx, id); err != nil {
		return t, err
	}
	if err := r.write(ctx, tx, id); err != nil {
		return t, err
	}
	if err := r.ingestions(ctx, tx, id); err != nil {
		return t, err
	}
	if err := model.SavePrices(ctx, tx, overrides); err != nil {
		return t, err
	}
	note := fmt.Sprintf(`{"as_of":%q,"prices":%q,"at":%q}`, o.asOf, o.prices, a.now().UTC().Format(time.RFC3339))
	if _, err := tx.ExecContext(ctx, moneySQL.SQL("note_repriced"), named("run_id", id), named("note", note)); err != nil {
		return t, err
	}
	after, err := meanCosts(ctx, tx, id)
	t = report.Table{Columns: []string{"system", "$/q before", "$/q after", "ingest $ before", "ingest $ after"}}
	for i := range after.Rows {
		b, n := before.Rows[i], after.Rows[i]
		t.Rows = append(t.Rows, []any{n[0], b[1], n[1], b[2], n[2]})
	}
	return t, err
}

// meanCosts reads what a question and the ingestion of each system cost.
func meanCosts(ctx context.Context, tx *sql.Tx, id int64) (t report.Table, err error) {
	rows, err := tx.QueryContext(ctx, moneySQL.SQL("mean_costs"), named("run_id", id))
	if err != nil {
		return t, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var usd, ingest sql.NullFloat64
		if err := rows.Scan(&name, &usd, &ingest); err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []any{name, nullable(usd), nullable(ingest)})
	}
	return t, rows.Err()
}

func nullable(v sql.NullFloat64) any {
	if !v.Valid {
		return nil
	}
	return v.Float64
}

// storedPrices reads the prices that the file knows.
func storedPrices(ctx context.Context, tx *sql.Tx) (list []model.Price, err error) {
	rows, err := tx.QueryContext(ctx, moneySQL.SQL("price_rows"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p model.Price
		if err := rows.Scan(&p.Model, &p.AsOf, &p.Input, &p.Output, &p.Cached, &p.Reasoning, &p.Source); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}
