package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// poppler runs pdftotext on every file.
type poppler struct{ program string }

func newPoppler(context.Context, Options) (Engine, error) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, fmt.Errorf("the PDF engine pdftotext is not installed (it comes with the poppler tools): %w", err)
	}
	return poppler{program}, nil
}

// Close does nothing: no process is left running.
func (poppler) Close() error { return nil }

// Read passes the file through standard input and output. Pages end in a form feed.
func (p poppler) Read(ctx context.Context, data []byte) (*File, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, p.program, "-enc", "UTF-8", "-", "-")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &problems
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && strings.Contains(problems.String(), "password"):
		return nil, ErrEncrypted
	case errors.As(err, &exit):
		first, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		return nil, fmt.Errorf("%w: %s", ErrBroken, first)
	case err != nil:
		return nil, fmt.Errorf("run pdftotext: %w", err)
	}
	f := &File{}
	for _, text := range strings.Split(strings.TrimSuffix(out.String(), "\f"), "\f") {
		f.Pages = append(f.Pages, Page{Text: text, Images: true})
	}
	tidy(f.Pages)
	return f, nil
}
