package cli

import (
	"github.com/spf13/cobra"

	"ragbench/internal/demo"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "demo DIR",
		Short:   "Write the bundled demo dataset into a folder",
		Long:    "The demo is an invented ferry and bus operator: documents, questions of twelve kinds and graded labels. Files that exist\nwith other content are never replaced.",
		Example: "  ragbench demo demo && ragbench run -c configs/demo.yaml",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := demo.Write(args[0]); err != nil {
				return failed(err)
			}
			a.say("wrote the demo dataset to %s", args[0])
			return nil
		},
	}
}
