package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ragbench/internal/report"
	"ragbench/internal/spec"
	"ragbench/internal/sqlfile"
	"ragbench/queries"
)

func (a *app) sqlCommand() *cobra.Command {
	var params []string
	var format string
	var show bool
	cmd := &cobra.Command{
		Use:   "sql [NAME | STATEMENT]",
		Short: "Run a stored analysis, or any SELECT, on the file",
		Long: "Without an argument, sql lists the analyses. NAME runs one of them; anything that holds a space is run as a statement of\n" +
			"your own, read-only, with bm25_search and vector_search at hand.",
		Example: `  ragbench sql                                     the analyses
  ragbench sql leaderboard --format md
  ragbench sql slowest_steps -p limit=20
  ragbench sql --show hit_overlap                  its SQL, to paste into sqlite3
  ragbench sql "SELECT doc_id, title FROM documents LIMIT 5"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listQueries(format)
			}
			if show {
				q, err := queries.Find(args[0])
				if err != nil {
					return err
				}
				fmt.Fprintln(a.Out, q.SQL)
				return nil
			}
			return a.runSQL(cmd.Context(), args[0], params, format)
		},
	}
	cmd.Flags().StringArrayVarP(&params, "param", "p", nil, "NAME=VALUE of a parameter; the word null is NULL")
	formatFlag(cmd, &format)
	cmd.Flags().BoolVar(&show, "show", false, "print the SQL instead of running it")
	return cmd
}

// formatFlag adds --format and its short form --json.
func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "table", strings.Join(report.Formats, ", "))
	cmd.Flags().BoolFunc("json", "short for --format json", func(string) error {
		*format = "json"
		return nil
	})
}

// listQueries lists the analyses with their summaries and parameters.
func (a *app) listQueries(format string) error {
	t := report.Table{Columns: []string{"name", "summary", "parameters"}}
	for _, q := range queries.All() {
		var ps []string
		for _, p := range q.Params {
			ps = append(ps, p.Name+"="+p.Default)
		}
		t.Rows = append(t.Rows, []any{q.Name, q.Summary, strings.Join(ps, " ")})
	}
	return t.Write(a.Out, format)
}

// runSQL runs an analysis or a statement and writes its rows.
func (a *app) runSQL(ctx context.Context, text string, params []string, format string) error {
	var q sqlfile.Query
	if strings.ContainsAny(text, " \n\t") {
		if len(params) > 0 {
			return errors.New("-p goes with a stored analysis; write values into a statement of your own")
		}
		if err := onlySelect(text); err != nil {
			return err
		}
		q.SQL = text
	} else {
		var err error
		if q, err = queries.Find(text); err != nil {
			return err
		}
	}
	args, err := bind(q, params)
	if err != nil {
		return err
	}
	f, err := a.existing(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := report.Query(ctx, f.Reader(), q.SQL, args...)
	if err != nil {
		return failed(fmt.Errorf("run the statement: %w", err))
	}
	return failed(t.Write(a.Out, format))
}

// onlySelect refuses a second statement, as the driver would run all of them and return the last, and a statement that
// does more than read: ATTACH and VACUUM INTO make files even where the database cannot be written.
func onlySelect(text string) error {
	code, rest, _ := strings.Cut(sqlfile.Code(text), ";")
	if strings.TrimSpace(rest) != "" {
		return errors.New("one statement at a time: text follows the semicolon")
	}
	code = strings.TrimSpace(code)
	rest = strings.TrimLeftFunc(code, unicode.IsLetter)
	switch first := strings.ToUpper(strings.TrimSuffix(code, rest)); first {
	case "SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA":
		return nil
	case "":
		return errors.New("no statement: it begins with SELECT or WITH")
	default:
		return fmt.Errorf("a statement here only reads: it begins with %s, want SELECT or WITH", first)
	}
}

// bind turns -p values into the arguments of a query, with its defaults for the rest.
func bind(q sqlfile.Query, params []string) ([]any, error) {
	given := map[string]string{}
	for _, p := range params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, fmt.Errorf("-p %s: want NAME=VALUE", p)
		}
		given[name] = value
	}
	var names []string
	var args []any
	for _, p := range q.Params {
		names = append(names, p.Name)
		value, ok := given[p.Name]
		if !ok {
			value = p.Default
		}
		delete(given, p.Name)
		args = append(args, sql.Named(p.Name, value2SQL(value)))
	}
	for name := range given {
		if len(names) == 0 {
			return nil, fmt.Errorf("query %s takes no parameters", q.Name)
		}
		return nil, spec.Unknown("parameter of "+q.Name, name, names)
	}
	return args, nil
}

// value2SQL reads a parameter as typed: null, a whole number, a number or a text. Quotes keep a text a text.
func value2SQL(s string) any {
	if s == "null" {
		return nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}
