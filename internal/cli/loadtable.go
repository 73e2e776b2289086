package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/load"
	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/report"
)

func (a *app) loadCommand() *cobra.Command {
	var format string
	var o load.Options
	cmd := &cobra.Command{
		Use:   "load PATH",
		Short: "Show what loading a folder or a file would give: a line for each file, nothing is stored",
		Long: "Reads every file below PATH as ingest does and prints its format, its status (loaded, empty, no_text, partly_scanned,\n" +
			"encrypted, broken, bomb, skipped_…), the documents and characters it gives, the encoding it was read in, and what there is\n" +
			"to know about it.",
		Example: "  ragbench load docs\n  ragbench load reports --include '*.pdf' --pdf-engine pdftotext --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.load(cmd.Context(), args[0], o, format)
		},
	}
	formatFlag(cmd, &format)
	cmd.Flags().StringSliceVar(&o.Include, "include", nil, "only files that match one of these patterns")
	cmd.Flags().StringSliceVar(&o.Exclude, "exclude", nil, "no files that match one of these patterns")
	cmd.Flags().Float64Var(&o.MaxFileMB, "max-file-mb", load.DefaultMaxFileMB, "larger files are passed over")
	cmd.Flags().StringVar(&o.PDF.Engine, "pdf-engine", "", "what reads PDFs: "+strings.Join(pdf.Engines.Names(), " or "))
	cmd.Flags().StringSliceVar(&o.Tabular.TextColumns, "text-columns", nil, "the columns of tables that make the text")
	cmd.Flags().StringVar(&o.Tabular.IDColumn, "id-column", "", "the column of tables that names the documents")
	return cmd
}

// load prints the table of outcomes and, on stderr, how many there are of each status.
func (a *app) load(ctx context.Context, path string, o load.Options, format string) error {
	o.PDF.CacheDir = codeCache()
	if err := o.Validate(); err != nil {
		return err
	}
	t := report.Table{Columns: []string{"file", "format", "status", "documents", "characters", "encoding", "warnings"}}
	var order []string
	count := map[string]int{}
	documents := 0
	err := load.Survey(ctx, path, o, func(x load.Outcome) error {
		t.Rows = append(t.Rows, []any{x.Path, orNil(x.Format), x.Status, int64(x.Documents), int64(x.Characters), orNil(x.Encoding), orNil(messages(x.Warnings))})
		if count[x.Status] == 0 {
			order = append(order, x.Status)
		}
		count[x.Status]++
		documents += x.Documents
		return nil
	})
	if err != nil {
		return failed(err)
	}
	if err := t.Write(a.Out, format); err != nil {
		return err
	}
	var parts []string
	for _, status := range order {
		parts = append(parts, fmt.Sprintf("%d %s", count[status], status))
	}
	if len(parts) > 0 {
		a.say("%d files, %d documents: %s", len(t.Rows), documents, strings.Join(parts, ", "))
	}
	return nil
}

// messages joins warnings, those about a row with the row.
func messages(ws []rag.Warning) string {
	var out []string
	for _, w := range ws {
		s := w.Code + ": " + w.Message
		if _, row, ok := strings.Cut(w.Subject, ":"); ok && w.Code == "skipped_row" {
			s = "row " + row + ": " + w.Message
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// codeCache is the folder where compiled code is kept between processes, or "".
func codeCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "ragbench", "pdfium")
}
