package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestHTMLInBrowser opens the page in Chromium, with a question open: the script runs under the page's own policy, fills
// the explorer, and shows hostile text as text.
func TestHTMLInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds to start")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, []byte(render(t, addRun(t, "mock"), Options{Title: "hostile"})), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", "file://"+file+"#q=q1")
	cmd.WaitDelay = 5 * time.Second
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	for _, line := range strings.Split(errs.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the console says: %s", line)
		}
	}
	dom := string(out)
	for _, want := range []string{
		"<title>hostile: ragbench report</title>",
		`<p id="f-count" role="status">5 questions</p>`,
		`<bdi class="q-text" dir="auto">question &lt;/script&gt;&lt;script&gt;document.title='owned'&lt;/script&gt;</bdi>`,
		`<bdi class="q-text" dir="auto">question ␛[31mred␛[0m␇</bdi>`,
		`answer &lt;img src=x onerror="document.title='owned'"&gt;</p>`,
		`<span class="mark rel">relevant</span><span class="mark ctx">in context</span>`,
		`<bdi>generate:answer</bdi>`,
		`boom ␛[31mred␛[0m␇`,
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page in the browser lacks %q", want)
		}
	}
	if n := len(regexp.MustCompile(`<article class="card">`).FindAllString(dom, -1)); n != 3 {
		t.Errorf("got %d answers of the open question, want 3", n)
	}
	if strings.Contains(dom, "<img") {
		t.Error("text has become an element")
	}
}
