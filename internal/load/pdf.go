package load

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// PagesKey is the key of a document's metadata that says where its pages are: JSON, [[page, start, end], …] with pages
// from 1 and offsets in code points of the text. Pages without text are left out.
const PagesKey = "pages"

// loadPDF reads the text of a PDF, pages apart by blank lines. One of pictures alone is kept as a document without text.
func loadPDF(ctx context.Context, f *File, yield func(rag.Document) error) error {
	b, err := f.Bytes()
	if err != nil {
		return err
	}
	engine, err := f.walk.pdf(ctx)
	if err != nil {
		return err
	}
	content, err := engine.Read(ctx, b)
	if err != nil {
		return err
	}
	d := f.packed(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(stated(content.Title))}, content.Author)
	if d.Metadata == nil {
		d.Metadata = map[string]string{}
	}
	var spans [][3]int
	var scans []int
	d.Text, spans, scans = join(content.Pages)
	pages, err := json.Marshal(spans)
	if err != nil {
		return err
	}
	switch {
	case len(spans) == 0:
		d.Metadata["status"] = StatusNoText
		f.Warn(StatusNoText, "", fmt.Sprintf("none of the %d pages has text; the file wants character recognition", len(content.Pages)))
	case len(scans) > 0:
		d.Metadata["status"] = StatusPartly
		f.Warn(StatusPartly, "", fmt.Sprintf("%d of %d pages are pictures without text, the first is page %d", len(scans), len(content.Pages), scans[0]))
		fallthrough
	default:
		d.Metadata[PagesKey] = string(pages)
	}
	return yield(d)
}

// join puts pages together and says where each lies, in code points, and which are pictures alone.
func join(pages []pdf.Page) (text string, spans [][3]int, scans []int) {
	var b strings.Builder
	at := 0
	for i, p := range pages {
		body := strings.ReplaceAll(p.Text, "\x00", "")
		if strings.TrimSpace(body) == "" {
			if p.Images {
				scans = append(scans, i+1)
			}
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
			at += 2
		}
		n := utf8.RuneCountInString(body)
		spans = append(spans, [3]int{i + 1, at, at + n})
		b.WriteString(body)
		at += n
	}
	return b.String(), spans, scans
}

// stated is the title that a PDF states, unless it is one of those that programs put there: nothing, or a file's name.
func stated(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	lower := strings.ToLower(title)
	if lower == "untitled" || lower == "(anonymous)" || strings.HasPrefix(lower, "microsoft word - ") {
		return ""
	}
	switch path.Ext(lower) {
	case ".doc", ".docx", ".pdf", ".tex", ".dvi", ".ps", ".indd", ".ppt", ".pptx", ".odt", ".rtf", ".txt", ".qxd":
		return ""
	}
	return title
}
