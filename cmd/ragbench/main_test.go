package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ragbench": main})
}

// TestScripts runs the commands as a user types them, one script a command.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			// The tiny dataset that most scripts use.
			return os.CopyFS(filepath.Join(e.WorkDir, "tiny"), os.DirFS(filepath.Join(root, "cmd/ragbench/testdata/tiny")))
		},
	})
}
