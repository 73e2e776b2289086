package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// shared is the finished run of the demo that several tests read. It is made by the first that asks.
var shared struct {
	once sync.Once
	dir  string
	err  error
}

// demoRun returns the path of a file with a finished run of configs/demo.yaml. Tests only read it. Beside it is the dataset,
// in the folder demo.
func demoRun(t *testing.T) string {
	t.Helper()
	shared.once.Do(func() {
		shared.err = errors.New("the demo run came to no end in another test")
		shared.err = makeDemoRun(t)
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return filepath.Join(shared.dir, "demo.db")
}

func makeDemoRun(t *testing.T) (err error) {
	config, err := filepath.Abs("../../configs/demo.yaml")
	if err != nil {
		return err
	}
	if shared.dir, err = os.MkdirTemp("", "ragbench"); err != nil {
		return err
	}
	ragbench := program(t)
	dataset := filepath.Join(shared.dir, "demo")
	must(t, ragbench(t.Context(), "demo", dataset))
	must(t, ragbench(t.Context(), "run", "-c", config, "--mock", "--dataset", dataset, "--db", filepath.Join(shared.dir, "demo.db")))
	return nil
}

// program returns a function that makes a command of this test binary under the name ragbench, in a folder of its own and
// without keys.
func program(t *testing.T) func(ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "ragbench")
	if err := os.Symlink(self, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	return func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "OPENAI_API_KEY=", "ANTHROPIC_API_KEY=", "RAGBENCH_DB=")
		return cmd
	}
}

// must runs a command to its end and returns what it wrote to stdout.
func must(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args[1:], " "), err, &stdout, &stderr)
	}
	return stdout.String()
}

// write writes a configuration and returns its path.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
