package load

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ragbench/internal/load/container"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// lines is a text that a notebook keeps whole or as a list of lines.
type lines string

// UnmarshalJSON reads either form.
func (l *lines) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*l = lines(s)
	return nil
}

// notebook is a Jupyter notebook (nbformat 4, and 3 with its worksheets).
type notebook struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell }
	Metadata   struct {
		Title      string
		Kernelspec struct{ Language string }
		Language   struct{ Name string } `json:"language_info"`
	}
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines
	Input   lines
	Outputs []struct {
		Text lines
		Data map[string]json.RawMessage
	}
}

// loadNotebook reads the cells of a notebook: text as it is, code and printed output in fences; pictures are left out.
func loadNotebook(_ context.Context, f *File, yield func(rag.Document) error) error {
	body, encoding, err := f.Text()
	if err != nil {
		return err
	}
	var n notebook
	if err := json.Unmarshal([]byte(body), &n); err != nil {
		return fmt.Errorf("%w: %v", container.ErrBroken, err)
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	language := n.Metadata.Language.Name
	if language == "" {
		language = n.Metadata.Kernelspec.Language
	}
	var out []string
	add := func(s, mark string) {
		if s = strings.Trim(s, "\n"); strings.TrimSpace(s) == "" {
			return
		}
		if mark != "" {
			fence := "```"
			for strings.Contains(s, fence) {
				fence += "`"
			}
			s = fence + strings.TrimPrefix(mark, "-") + "\n" + s + "\n" + fence
		}
		out = append(out, s)
	}
	for _, c := range n.Cells {
		if c.Type != "code" {
			add(string(c.Source), "")
			continue
		}
		add(string(c.Source+c.Input), "-"+language)
		for _, o := range c.Outputs {
			shown := o.Text
			if raw, ok := o.Data["text/plain"]; ok && shown.UnmarshalJSON(raw) != nil {
				continue
			}
			add(string(shown), "-")
		}
	}
	all := f.withoutNUL(unixLines(strings.Join(out, "\n\n")), "")
	title := n.Metadata.Title
	if title == "" {
		title = firstHeading(all)
	}
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: all, Encoding: encoding})
}
