package main

import (
	"errors"
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(cleaner{m}, map[string]func(){"ragbench": main})
}

// cleaner removes what tests share once all have run.
type cleaner struct{ m *testing.M }

func (c cleaner) Run() int {
	defer func() {
		if shared.dir != "" {
			os.RemoveAll(shared.dir)
		}
	}()
	return c.m.Run()
}

// TestScripts runs the commands as a user types them, one script a command.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	demo := demoRun(t)
	api := httptest.NewServer(endpoint{})
	t.Cleanup(api.Close)
	t.Run("script", func(t *testing.T) { // ends when its parallel scripts have ended
		testscript.Run(t, testscript.Params{
			Dir:           "testdata/script",
			UpdateScripts: *update,
			Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
			Setup: func(e *testscript.Env) error {
				e.Setenv("ROOT", root)
				e.Setenv("DEMO_DB", demo)
				e.Setenv("API", api.URL)
				// The tiny dataset that most scripts use.
				return os.CopyFS(filepath.Join(e.WorkDir, "tiny"), os.DirFS(filepath.Join(root, "cmd/ragbench/testdata/tiny")))
			},
		})
	})
}

// exits is the script command "exits CODE PROGRAM ARG...", which runs a program that must exit with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...: %v", err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("got exit code %d, want %d", got, want)
	}
}
