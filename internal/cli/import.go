package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"ragbench/internal/dataset"
	"ragbench/internal/spec"
)

// importFormats are the layouts import reads.
var importFormats = []string{"beir"}

func (a *app) importCommand() *cobra.Command {
	var format, input, output, split, qrels string
	cmd := &cobra.Command{
		Use:     "import --format beir --input DIR --output DIR",
		Short:   "Turn a dataset of another layout into docs/, questions.jsonl and qrels.jsonl",
		Long:    "A BEIR folder has corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv. Document ids stay as they are. ragbench ingest and run also\nread a BEIR folder directly.",
		Example: "  ragbench import --format beir --input ../shared/data/scifact --output scifact",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "beir" {
				return spec.Unknown("format", format, importFormats)
			}
			if input == "" || output == "" {
				return fmt.Errorf("import needs --input DIR and --output DIR")
			}
			got, err := dataset.ImportBEIR(cmd.Context(), dataset.Paths{Root: input, Split: split, Qrels: qrels}, output)
			if err != nil {
				return failed(err)
			}
			for _, w := range got.Warnings {
				a.say("warning: %s", w.Message)
			}
			a.say("wrote %s: %d documents, %d questions, %d labels", output, got.Documents, got.Questions, got.Qrels)
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "beir", "layout of the input")
	cmd.Flags().StringVar(&input, "input", "", "folder to read")
	cmd.Flags().StringVar(&output, "output", "", "folder to write")
	cmd.Flags().StringVar(&split, "split", "test", "which labels: qrels/SPLIT.tsv")
	cmd.Flags().StringVar(&qrels, "qrels", "", "another file of labels")
	return cmd
}
