package pdf

import (
	"context"
	"strings"
	"testing"
)

func TestTidy(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"line ends", "a\r\nb\rc\x0cd", "a\nb\nc\nd"},
		{"a word cut by PDFium's mark", "ef\x02ficient, us\ufffeing", "efficient, using"},
		{"a word cut by a hyphen", "retrie-\nval and", "retrieval and"},
		{"a name", "Jean-\nPaul, Lucene\x02BM25", "Jean-Paul, Lucene-BM25"},
		{"a hyphen that the file has elsewhere", "a dual-encoder; the dual-\nencoder, a Dual\x02encoder", "a dual-encoder; the dual-encoder, a Dual-encoder"},
		{"a dash at the end of a line", "5 -\nthe", "5 -\nthe"},
		{"ligatures", "e\ufb03cient \ufb01ve", "efficient five"},
		{"control characters", "a\x03b\u00a0c", "ab c"},
		{"spaces at the ends of lines", "a \t\nb  \n\n", "a\nb"},
	} {
		pages := []Page{{Text: tt.in}}
		tidy(pages)
		if pages[0].Text != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, pages[0].Text, tt.want)
		}
	}
}

func TestUnknownEngine(t *testing.T) {
	if _, err := Open(context.Background(), Options{Engine: "pdftotxt"}); err == nil || !strings.Contains(err.Error(), `did you mean "pdftotext"`) {
		t.Errorf("got %v, want a suggestion", err)
	}
}
