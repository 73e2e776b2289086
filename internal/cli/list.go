package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/chunk"
	"ragbench/internal/index"
	"ragbench/internal/judge"
	"ragbench/internal/load"
	"ragbench/internal/load/pdf"
	"ragbench/internal/model"
	"ragbench/internal/report"
	"ragbench/internal/rerank"
	"ragbench/internal/score"
	"ragbench/internal/spec"
	"ragbench/internal/systems"
	"ragbench/internal/text/tokens"
)

// families are the tables that list and doc show, in the order of the pipeline.
func families() []family {
	return []family{
		familyOf("formats", "format", load.All),
		familyOf("engines", "PDF engine", pdf.Engines),
		familyOf("chunkers", "chunker", chunk.All),
		familyOf("tokenizers", "tokenizer", tokens.All),
		familyOf("analyses", "analysis", index.Tokenizers),
		familyOf("formulas", "formula", index.Formulas),
		familyOf("models", "model provider", model.Providers),
		familyOf("rerankers", "reranker", rerank.All),
		familyOf("systems", "system", systems.All),
		familyOf("metrics", "metric", score.Metrics), familyOf("answer_metrics", "metric", score.AnswerMetrics),
		familyOf("span_metrics", "metric", score.SpanMetrics),
		familyOf("judge_metrics", "metric", judge.Metrics),
	}
}

// family is one table of variants, without the constructors.
type family struct {
	name, singular string
	entries        []spec.Entry[struct{}]
}

// familyOf drops the constructors of a table.
func familyOf[New any](name, singular string, t spec.Table[New]) family {
	f := family{name: name, singular: singular}
	for _, e := range t {
		f.entries = append(f.entries, spec.Entry[struct{}]{Name: e.Name, Title: e.Title, Doc: e.Doc, Cite: e.Cite, Options: e.Options})
	}
	return f
}

// familyNames lists the families.
func familyNames() []string {
	var names []string
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

func (a *app) listCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "list FAMILY",
		Short:   "List systems, chunkers and the other components",
		Long:    "FAMILY is one of " + strings.Join(familyNames(), ", ") + ".",
		Example: "  ragbench list systems\n  ragbench list chunkers --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"systems"}
			}
			for _, f := range families() {
				if f.name == args[0] {
					t := report.Table{Columns: []string{"name", "title"}}
					for _, e := range f.entries {
						t.Rows = append(t.Rows, []any{e.Name, e.Title})
					}
					return t.Write(a.Out, format)
				}
			}
			return spec.Unknown("family", args[0], familyNames())
		},
	}
	formatFlag(cmd, &format)
	return cmd
}
