package load

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ragbench/internal/load/htmltext"
	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
)

// exceptions are the real files that do not load with text, by the part of their name that tells them apart.
var exceptions = map[string]string{
	"random.bin":                    "skipped_format",
	"htmltests_charset-base.html":   StatusEmpty, // a page of one picture
	"non_text_searchable.pdf":       StatusNoText,
	"imagemagick-lzw.pdf":           StatusNoText,
	"encryption_r6-user-password":   StatusEncrypted,
	"libreoffice-writer-password":   StatusEncrypted,
	"example-docs_pdf_password.pdf": StatusEncrypted,
}

// TestEveryRealFile wants each file of the manifest to load, or to be refused under the right status.
func TestEveryRealFile(t *testing.T) {
	root := realFiles(t)
	outcomes := map[string]Outcome{}
	err := Survey(context.Background(), root, Options{}, func(o Outcome) error {
		outcomes[o.Path] = o
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(root, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest []struct{ File string }
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest) < 141 {
		t.Errorf("the manifest has %d files, want 141", len(manifest))
	}
	used := map[string]bool{}
	for _, m := range manifest {
		want := StatusLoaded
		for part, status := range exceptions {
			if strings.Contains(m.File, part) {
				want, used[part] = status, true
			}
		}
		o, ok := outcomes[m.File]
		if !ok || o.Status != want {
			t.Errorf("%s: status %q, want %q; %v", m.File, o.Status, want, o.Warnings)
		}
	}
	for part := range exceptions {
		if !used[part] {
			t.Errorf("no file of the manifest is called %s", part)
		}
	}
}

// passages are what real files must be read as: order, tables, notes and encodings that loaders get wrong.
var passages = map[string][]string{
	"docx/mammoth.js__test_test-data_endnotes.docx":                                          {"Ouch[^1].[^2]\n\n[^1]: A tachyon walks into a bar.\n[^2]: Fin."},
	"docx/mammoth.js__test_test-data_strict-format.docx":                                     {"Test"},
	"docx/mammoth.js__test_test-data_utf8-bom.docx":                                          {"This XML has a byte order mark."},
	"docx/unstructured__example-docs_category-level.docx":                                    {"# A Heading 1\n\n", "- A top level list item\n  - Next level\n", "\n\n## A Heading 2\n\n"},
	"docx/unstructured__example-docs_docx-hdrftr.docx":                                       {"First header para\n\nTable cell1 | Table cell2\n\nLast header para\n\nMain document"},
	"docx/unstructured__example-docs_tables-with-incomplete-rows.docx":                       {"a | b\nc | d\n"},
	"docx/markitdown__packages_markitdown_tests_test_files_equations.docx":                   {"sin^-1", "mλ/a"},
	"html/jsoup__src_test_resources_bomtests_bom_utf32le.html":                               {"BOM"},
	"html/jsoup__src_test_resources_htmltests_meta-charset-1.html":                           {"新"},
	"html/jsoup__src_test_resources_htmltests_meta-charset-3.html":                           {"新"},
	"html/unstructured__example-docs_fake-html-cp1252.html":                                  {"Der Preis betrug 15,50 €.", "L'été était très chaud"},
	"html/unstructured__example-docs_fake-html-with-base64-image.html":                       {"Test page"},
	"html/unstructured__example-docs_example-steelJIS-datasheet-utf-16.html":                 {"Classification: | Structural steel"},
	"html/unstructured__example-docs_fake-html-with-footer-and-header.html":                  {"Header\n\n# My First Heading\n\nMy first paragraph.\n\nFooter"},
	"epub/markitdown__packages_markitdown_tests_test_files_test.epub":                        {"# Chapter 1: Test Content\n\nThis is a test paragraph with some formatting."},
	"eml/unstructured__example-docs_fake-email.eml":                                          {"Subject: Test Email\n\nThis is a test email", "- Violets are blue"},
	"rtf/unstructured__example-docs_fake-doc.rtf":                                            {"Column 1 | Column 2\nRow 1, Cell 1 | Row 1, Cell 2\n"},
	"xml/unstructured__example-docs_factbook-utf-16.xml":                                     {"Canada\nOttawa\nJustin Trudeau"},
	"csv/unstructured__example-docs_stanley-cups-utf-16.csv":                                 {"Team: Blues\nLocation: STL\nStanley Cups: 1"},
	"csv/unstructured__example-docs_semicolon-delimited.csv":                                 {"Lorem, ipsum: consectetur\ndolor sit: adipiscing\namet: elit"},
	"csv/unstructured__example-docs_csv-with-escaped-commas.csv":                             {"A (4): A,A"},
	"csv/unstructured__example-docs_csv-with-line-delimiter.csv":                             {"col1: a\ncol2: b\ncol3: c"},
	"csv/unstructured__example-docs_single-column.csv":                                       {"Lorem, ipsum: adipiscing, elit"},
	"csv/csv-spectrum__csvs_utf8.csv":                                                        {"ʤ"},
	"ndjson/unstructured__example-docs_arbitrary-records.ndjson":                             {"sku: GRD-8842\nname: Garden Trowel\nprice: 12.5\nin_stock: true"},
	"json/unstructured__example-docs_simple.json":                                            {"These are a few of my favorite things:"},
	"pdf/sample-files__026-latex-multicolumn_multicolumn.pdf":                                {"Two-Column Document with Lorem Ipsum"},
	"pdf/unstructured__example-docs_pdf_multi-column-2p.pdf":                                 {"efficient passage retrieval to select candidate", "learned from a small number"},
	"pdf/sample-files__021-pdfa_crazyones-pdfa.pdf":                                          {"The misfits. The rebels. The troublemakers."},
	"pdf/pypdf__resources_multilang.pdf":                                                     {"Привет, мир", "你好世界", "مرحبا بالعالم"},
	"pdf/pypdf__resources_encryption_r5-empty-password.pdf":                                  {"pdf encryption test"},
	"pdf/markitdown___markitdown_tests_test_files_SPARSE-2024-INV-1234_borderless_table.pdf": {"INVENTORY RECONCILIATION REPORT\nReport ID: SPARSE-2024-INV-1234"},
}

// TestPassages finds the passages, and holds the text of every PDF against that of pdftotext where it is installed.
func TestPassages(t *testing.T) {
	root := realFiles(t)
	texts := map[string]string{}
	_, err := Walk(context.Background(), root, Options{OnError: "skip"}, func(d rag.Document) error {
		texts[d.Source] += d.Text + "\n"
		if d.MediaType == "application/pdf" && d.Metadata["status"] != StatusNoText {
			checkPages(t, d.Text, d.Metadata)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for source, list := range passages {
		for _, p := range list {
			if !strings.Contains(texts[source], p) {
				t.Errorf("%s lacks %q: %.600q", source, p, texts[source])
			}
		}
	}
	if len(engines()) < 2 {
		t.Log("pdftotext is not installed: PDFs are not compared")
		return
	}
	_, err = Walk(context.Background(), root, Options{OnError: "skip", Include: []string{"*.pdf"}, PDF: pdf.Options{Engine: "pdftotext"}}, func(d rag.Document) error {
		recall, precision := overlap(words(d.Text), words(texts[d.Source]))
		t.Logf("%-90s %5d words, recall %.3f, precision %.3f", d.Source, len(words(d.Text)), recall, precision)
		if len(words(d.Text)) > 20 && (recall < 0.95 || precision < 0.93) {
			t.Errorf("%s: of the words of pdftotext PDFium has %.3f, of its own %.3f are there; want .95 and .93", d.Source, recall, precision)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wordRE finds words; in scripts that do not part them, characters.
var wordRE = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}\pN\pM]+`)

func words(s string) []string { return wordRE.FindAllString(strings.ToLower(s), -1) }

// overlap compares multisets: the share of want that is in got, and of got that is in want.
func overlap(want, got []string) (recall, precision float64) {
	left := map[string]int{}
	for _, w := range want {
		left[w]++
	}
	n := 0
	for _, w := range got {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	return share(n, len(want)), share(n, len(got))
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// inOrder is the share of want that stands in got in the same order: the length of their longest common subsequence.
func inOrder(want, got []string) float64 {
	row := make([]int, len(got)+1)
	for _, w := range want {
		diagonal := 0
		for j, g := range got {
			above := row[j+1]
			if w == g {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return share(row[len(got)], len(want))
}

// ownTitles are the title elements of pages whose other metadata readability prefers.
var ownTitles = map[string]string{"readability__test_test-pages_003-metadata-preferred": "Title Element"}

// TestReadability reads pages of the readability project. Its expected texts are the main content, without menus and
// the like, which this package keeps: so every expected word must be there, in its order, and what is there over is
// measured only.
func TestReadability(t *testing.T) {
	root := filepath.Join(realFiles(t), "html")
	sources, err := filepath.Glob(filepath.Join(root, "readability__*_source.html"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range sources {
		page := readPage(t, name)
		stem := strings.TrimSuffix(filepath.Base(name), "_source.html")
		var meta struct{ Title, Lang string }
		if raw, err := os.ReadFile(filepath.Join(root, "..", "json", stem+"_expected-metadata.json")); err == nil {
			if err := json.Unmarshal(raw, &meta); err != nil {
				t.Fatal(err)
			}
			if own, ok := ownTitles[stem]; ok {
				meta.Title = own
			}
			// Readability may drop the name of the site.
			if recall, _ := overlap(words(meta.Title), words(page.Title)); recall < 0.6 {
				t.Errorf("%s: title %q, readability has %q", stem, page.Title, meta.Title)
			}
			if meta.Lang != "" && page.Meta["language"] != meta.Lang {
				t.Errorf("%s: language %q, want %q", stem, page.Meta["language"], meta.Lang)
			}
		}
		expected := strings.TrimSuffix(name, "source.html") + "expected.html"
		if _, err := os.Stat(expected); err != nil {
			continue
		}
		compared++
		want, got := words(readPage(t, expected).Text), words(page.Text)
		recall, precision := overlap(want, got)
		order := inOrder(want, got)
		t.Logf("%-60s %5d words, recall %.3f, in order %.3f, precision %.3f", stem, len(want), recall, order, precision)
		if math.Min(recall, order) < 0.99 {
			t.Errorf("%s: of the expected words %.3f are there and %.3f in order, want .99", stem, recall, order)
		}
	}
	if compared < 6 {
		t.Errorf("compared %d pages, want at least 6", compared)
	}
}

func readPage(t *testing.T, name string) *htmltext.Page {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f := &File{Path: filepath.Base(name), walk: newWalk(nil, Options{}, nil)}
	body, _, err := f.decodeHTML(b)
	if err != nil {
		t.Fatal(err)
	}
	return htmltext.Parse(body)
}
