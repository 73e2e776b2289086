package load

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/load/pdf"
	"ragbench/internal/text"
)

// A page of a PDF made for a test: lines of text, or a picture where there are none.
type pdfPage []string

// pdfOf writes a PDF. trailer is added to its trailer, for an encryption dictionary.
func pdfOf(trailer string, pages ...pdfPage) string {
	var b strings.Builder
	var offsets []int
	object := func(body string) int {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
		return len(offsets)
	}
	stream := func(dict, data string) int {
		return object(fmt.Sprintf("<<%s /Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
	}
	b.WriteString("%PDF-1.4\n")
	object("<</Type /Catalog /Pages 2 0 R>>")
	var kids []string
	first := 5 // the objects of the first page follow the fixed ones
	for i := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", first+2*i+1))
	}
	object(fmt.Sprintf("<</Type /Pages /Count %d /Kids [%s]>>", len(pages), strings.Join(kids, " ")))
	object("<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>")
	stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x80")
	for _, p := range pages {
		content := "q 500 0 0 700 50 50 cm /I Do Q"
		if len(p) > 0 {
			content = "BT /F 12 Tf 14 TL 50 700 Td"
			for _, line := range p {
				content += " (" + line + ") Tj T*"
			}
			content += " ET"
		}
		c := stream("", content)
		object(fmt.Sprintf("<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources <</Font <</F 3 0 R>> /XObject <</I 4 0 R>>>>>>", c))
	}
	info := object("<</Title (A stated title) /Author (An author)>>")
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d /Root 1 0 R /Info %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, info, trailer, xref)
	return b.String()
}

// locked is an encryption dictionary that the empty password does not open.
var locked = " /ID [<00><00>] /Encrypt <</Filter /Standard /V 1 /R 2 /P -4 /O <" + strings.Repeat("ab", 32) + "> /U <" + strings.Repeat("cd", 32) + ">>>"

// engines are those that run here.
func engines() []string {
	out := []string{"pdfium"}
	if _, err := exec.LookPath("pdftotext"); err == nil {
		out = append(out, "pdftotext")
	}
	return out
}

func TestPDF(t *testing.T) {
	files := map[string]string{
		"broken.pdf":    "%PDF-1.4\nnothing more",
		"encrypted.pdf": pdfOf(locked, pdfPage{"secret"}),
		"good.pdf":      pdfOf("", pdfPage{"First page,", "caf\\351 and retrie-", "val."}, pdfPage{"Second page."}),
		"none.pdf":      pdfOf("", nil, nil),
		"partly.pdf":    pdfOf("", pdfPage{"Text."}, nil, pdfPage{"More."}),
		"text.pdf":      "not a PDF",
	}
	for _, engine := range engines() {
		var got []string
		docs := map[string]string{}
		o := Options{PDF: pdf.Options{Engine: engine}}
		err := SurveyFS(context.Background(), mapFS(files), ".", o, func(x Outcome) error {
			got = append(got, fmt.Sprintf("%s %s %d %d", x.Path, x.Status, x.Documents, len(x.Warnings)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"broken.pdf broken 0 1", "encrypted.pdf encrypted 0 1", "good.pdf loaded 1 0", "none.pdf no_text 1 1", "partly.pdf partly_scanned 1 1", "text.pdf broken 0 1"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: outcomes (-want +got):\n%s", engine, diff)
		}
		o.OnError = "skip"
		all, _, err := collectFS(t, files, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			docs[d.Source] = d.Text
			checkPages(t, d.Text, d.Metadata)
			if engine == "pdfium" && (d.Title != "A stated title" || d.Metadata["author"] != "An author") {
				t.Errorf("%s: title %q, metadata %v", d.Source, d.Title, d.Metadata)
			}
		}
		wantText := map[string]string{"good.pdf": "First page,\ncafé and retrieval.\n\nSecond page.", "none.pdf": "", "partly.pdf": "Text.\n\nMore."}
		if diff := cmp.Diff(wantText, docs); diff != "" {
			t.Errorf("%s: texts (-want +got):\n%s", engine, diff)
		}
	}
}

// checkPages wants page spans in order, within the text and without anything but white space between them.
func checkPages(t *testing.T, body string, meta map[string]string) {
	t.Helper()
	raw, ok := meta[PagesKey]
	if !ok {
		if body != "" {
			t.Errorf("a text without pages: %v", meta)
		}
		return
	}
	var spans [][3]int
	if err := json.Unmarshal([]byte(raw), &spans); err != nil {
		t.Fatal(err)
	}
	end, page := 0, 0
	for _, s := range spans {
		if s[0] <= page || s[1] < end || s[2] <= s[1] || strings.TrimSpace(text.Slice(body, end, s[1])) != "" {
			t.Errorf("pages %s: span %v after page %d, which ends at %d", raw, s, page, end)
		}
		page, end = s[0], s[2]
	}
	if n := text.RuneCount(body); end != n {
		t.Errorf("pages %s end at %d of %d", raw, end, n)
	}
}

func TestStatedTitles(t *testing.T) {
	for in, want := range map[string]string{
		" A  title ": "A title", "Untitled": "", "(anonymous)": "", "Microsoft Word - x": "", "report-final.docx": "", "Version 2.0": "Version 2.0",
	} {
		if got := stated(in); got != want {
			t.Errorf("title %q = %q, want %q", in, got, want)
		}
	}
}
