// Package cli is the command line: one file a command. It is the only place that sees every family of components and
// wires them together.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// Version is the code version that runs record. The build sets it.
var Version = "dev"

// Streams are where a command reads and writes: data on Out, everything else on Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Exit codes.
const (
	exitOK     = 0 // all went well
	exitFailed = 1 // it ran and ended badly
	exitUsage  = 2 // it could not start
)

// app is what commands share.
type app struct {
	Streams
	getenv    func(string) string
	interrupt <-chan os.Signal
	now       func() time.Time
	dbPath    string // flag --db
}

// failure is an error of a command that had started: exit code 1.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// failed marks err as one of a command that had started.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// Main runs one command and returns its exit code: 0 fine, 1 ran and ended badly, 2 could not start.
func Main(ctx context.Context, args []string, s Streams, getenv func(string) string, interrupt <-chan os.Signal) int {
	a := &app{Streams: s, getenv: getenv, interrupt: interrupt, now: time.Now}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(s.Err, "ragbench:", err)
	if f := (failure{}); errors.As(err, &f) {
		return exitFailed
	}
	return exitUsage
}

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ragbench",
		Short: "Compare RAG architectures on your documents and questions, in one SQLite file",
		Long: "ragbench ingests documents into one SQLite file, runs retrieval-augmented-generation architectures (systems) on every\n" +
			"question, and keeps everything there: documents, chunks, vectors, rankings, traces, calls, scores.",
		Example: `  ragbench run -c configs/demo.yaml --mock      compare five systems on the bundled demo, without a key
  ragbench leaderboard                          the newest run
  ragbench sql hit_overlap                      which system finds what the others miss
  ragbench doc hybrid                           what a system does, its options and its trace`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       Version,
	}
	root.PersistentFlags().StringVar(&a.dbPath, "db", "", "the ragbench file; default: $RAGBENCH_DB, or the newest .db here")
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	})
	root.AddCommand(
		a.demoCommand(), a.loadCommand(), a.chunkPreviewCommand(), a.ingestCommand(), a.estimateCommand(), a.runCommand(),
		a.leaderboardCommand(), a.sqlCommand(), a.runsCommand(), a.reportCommand(),
		a.searchCommand(), a.askCommand(), a.adaptCommand(), a.whatIfCommand(),
		a.cacheCommand(), a.repriceCommand(), a.packCommand(),
		a.importCommand(), a.importRunCommand(), a.exportCommand(),
		a.judgeCommand(),
		a.listCommand(), a.docCommand(), a.docsCommand(),
	)
	return root
}

// Help shows examples first.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`

const usageTemplate = `{{if .HasExample}}Examples:
{{.Example}}

{{end}}Usage:{{if and .Runnable (not .HasAvailableSubCommands)}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND --help says more about a command.{{end}}
`
