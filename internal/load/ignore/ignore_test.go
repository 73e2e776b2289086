package ignore

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// cases hold ignore files by folder and paths to ask for; those with a final slash are folders.
var cases = []struct {
	lists map[string]string
	paths []string
}{
	{
		map[string]string{"": "# a comment\n\n*.log\n!keep.log\n/top.txt\nbuild/\nsub/x.txt\n\\#hash\n\\!bang\nspace\\ \ntrail  \n"},
		[]string{"a.log", "d/a.log", "keep.log", "d/keep.log", "top.txt", "d/top.txt", "build/", "d/build/", "sub/x.txt", "d/sub/x.txt", "#hash", "!bang", "space ", "space", "trail", "x.log.txt"},
	},
	{
		map[string]string{"": "**/deep\na/**/z\nabc/**\n*.[oa]\nf[!0-9].md\nq?.md\nfoo**bar\nfile[\n[[:digit:]].txt\nx[a-].c\n[]]e\n"},
		[]string{"deep", "a/deep", "a/z", "a/b/z", "a/b/c/z", "abc/q", "abc/d/q", "m.o", "m.a", "m.c", "f1.md", "fx.md", "q1.md", "q12.md", "fooxbar", "foo/bar", "file[", "7.txt", "x.txt", "x-.c", "xa.c", "]e"},
	},
	{
		map[string]string{"": "*.md\ndocs/*\n!docs/in.md\n", "docs": "!out.md\nin.md\n", "docs/sub": "*\n"},
		[]string{"a.md", "docs/in.md", "docs/out.md", "docs/x.txt"},
	},
	{
		map[string]string{"": "/*\n!/keep\n*.tmp\r\nä*\n", "keep": "*\n!*.txt\n"},
		[]string{"other", "keep/", "keep/a.txt", "keep/b.bin", "a.tmp", "keep/a.tmp", "äpfel", "keep/äpfel.txt"},
	},
}

func matches(t *testing.T, lists map[string]string, p string) bool {
	t.Helper()
	dir := strings.HasSuffix(p, "/")
	p = strings.TrimSuffix(p, "/")
	var ls Lists
	parts := strings.Split(p, "/")
	for i := range parts {
		folder := strings.Join(parts[:i], "/")
		if body, ok := lists[folder]; ok {
			l, err := Read(strings.NewReader(body), folder)
			if err != nil {
				t.Fatal(err)
			}
			ls = append(ls, l)
		}
		if at := strings.Join(parts[:i+1], "/"); ls.Match(at, i+1 < len(parts) || dir) {
			return true
		}
	}
	return false
}

// TestAgainstGit asks git itself about every case.
func TestAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	for i, c := range cases {
		dir := t.TempDir()
		if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
		for folder, body := range c.lists {
			write(t, filepath.Join(dir, folder, ".gitignore"), body)
		}
		for _, p := range c.paths {
			if strings.HasSuffix(p, "/") {
				if err := os.MkdirAll(filepath.Join(dir, p), 0o755); err != nil {
					t.Fatal(err)
				}
				continue
			}
			write(t, filepath.Join(dir, p), "x")
		}
		for _, p := range c.paths {
			cmd := exec.Command(git, "-C", dir, "check-ignore", "-q", "--no-index", strings.TrimSuffix(p, "/"))
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			var problems bytes.Buffer
			cmd.Stderr = &problems
			want := cmd.Run() == nil
			if problems.Len() > 0 {
				t.Fatalf("git check-ignore %s: %s", p, &problems)
			}
			if got := matches(t, c.lists, p); got != want {
				t.Errorf("case %d: %q passed over = %v, git says %v", i, p, got, want)
			}
		}
	}
}

func write(t *testing.T, name, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMatch(t *testing.T) {
	l, err := Read(strings.NewReader("*.log\n!keep.log\nbuild/\n"), ".")
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]bool{"a.log": true, "x/a.log": true, "keep.log": false, "build": false, "log": false} {
		if got := (Lists{l}).Match(p, false); got != want {
			t.Errorf("%s passed over = %v, want %v", p, got, want)
		}
	}
	if !(Lists{l}).Match(path.Join("x", "build"), true) {
		t.Error("the folder x/build is entered")
	}
}
