package load

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// zipped packs parts, given as name and content in turn.
func zipped(t *testing.T, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// one loads a single file that gives one document.
func one(t *testing.T, name, body string) (rag.Document, []rag.Warning) {
	t.Helper()
	docs, warns, err := collectFS(t, map[string]string{name: body}, Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(docs) != 1 {
		t.Fatalf("%s gives %d documents, want 1", name, len(docs))
	}
	return docs[0], warns
}

const (
	rels = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	kind = `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	word = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>`
)

// docxOf makes a Word document of a body.
func docxOf(t *testing.T, body string) string {
	t.Helper()
	return zipped(t,
		"[Content_Types].xml", `<Types/>`,
		"_rels/.rels", rels+`<Relationship Id="r1" `+kind+`officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/_rels/document.xml.rels", rels+
			`<Relationship Id="r1" `+kind+`styles" Target="styles.xml"/><Relationship Id="r2" `+kind+`numbering" Target="/word/numbering.xml"/>`+
			`<Relationship Id="r3" `+kind+`footnotes" Target="footnotes.xml"/><Relationship Id="r4" `+kind+`header" Target="header1.xml"/>`+
			`<Relationship Id="r5" `+kind+`comments" Target="comments.xml"/><Relationship Id="r6" `+kind+`hyperlink" Target="../../../etc/passwd" TargetMode="External"/></Relationships>`,
		"word/document.xml", word+body+`</w:body></w:document>`,
		"word/styles.xml", `<w:styles xmlns:w="w"><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style></w:styles>`,
		"word/numbering.xml", `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
		"word/footnotes.xml", "\ufeff"+`<?xml version="1.0"?><w:footnotes xmlns:w="w"><w:footnote w:id="-1"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/header1.xml", `<w:hdr xmlns:w="w"><w:p><w:r><w:t>Letterhead</w:t></w:r></w:p></w:hdr>`,
		"word/comments.xml", `<w:comments xmlns:w="w"><w:comment w:id="0"><w:p><w:r><w:t>Remark</w:t></w:r></w:p></w:comment></w:comments>`,
		"docProps/core.xml", `<c:coreProperties xmlns:c="c" xmlns:dc="dc"><dc:title> The  title </dc:title><dc:creator>An Author</dc:creator></c:coreProperties>`,
	)
}

func para(text string) string {
	return `<w:p><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func item(level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func wordCell(text string) string { return `<w:tc>` + para(text) + `</w:tc>` }

func TestDocx(t *testing.T) {
	body := `<w:p><w:pPr><w:pStyle w:val="Mine"/></w:pPr><w:r><w:t>Sec</w:t></w:r><w:r><w:t>tion</w:t></w:r></w:p>` +
		`<w:p><w:r><w:t>A claim</w:t><w:footnoteReference w:id="2"/></w:r><w:r><w:tab/><w:t>and</w:t><w:br/><w:t>more</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>` +
		item("0", "one") + item("1", "deeper") + item("0", "two") + para("After the list") +
		`<w:tbl><w:tr>` + wordCell("a") + wordCell("b &amp; c") + `</w:tr><w:tr>` + wordCell("d") + `<w:tc><w:p/></w:tc></w:tr></w:tbl>` +
		`<w:p><w:r><w:t>Anchor</w:t><mc:AlternateContent><mc:Choice><w:txbxContent>` + para("Boxed") + `</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>` + para("Boxed") + `</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
		`<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>` + para("In a control") + `</w:sdtContent></w:sdt>` +
		`<w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>`
	d, warns := one(t, "a.docx", docxOf(t, body))
	want := "Letterhead\n\n## Section\n\nA claim[^1] and\nmore\n\n1. one\n  - deeper\n2. two\n\nAfter the list\n\na | b & c\nd |\n\nAnchor\n\nBoxed\n\nIn a control\n\n1/2\n\n[^1]: The note."
	if diff := cmp.Diff(want, d.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if d.Title != "The title" || d.Metadata["author"] != "An Author" || d.Encoding != "binary" {
		t.Errorf("title %q, metadata %v, encoding %s", d.Title, d.Metadata, d.Encoding)
	}
	if diff := cmp.Diff([]string{"comments_left_out a.docx"}, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestPresentation(t *testing.T) {
	shape := func(ph, text string) string {
		return `<p:sp><p:nvPr><p:ph type="` + ph + `"/></p:nvPr><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	slide := func(inner string) string { return `<p:sld xmlns:p="p" xmlns:a="a">` + inner + `</p:sld>` }
	d, _ := one(t, "a.pptx", zipped(t,
		"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", rels+`<Relationship Id="r1" `+kind+`slide" Target="slides/slide1.xml"/><Relationship Id="r2" `+kind+`slide" Target="slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", slide(shape("title", "Last")+shape("sldNum", "2")+`<a:tbl><a:tr><a:tc><a:p><a:t>x</a:t></a:p></a:tc><a:tc><a:p><a:t>y</a:t></a:p></a:tc></a:tr></a:tbl>`),
		"ppt/slides/slide2.xml", slide(shape("ctrTitle", "First")+shape("body", "Point")),
		"ppt/slides/_rels/slide2.xml.rels", rels+`<Relationship Id="n" `+kind+`notesSlide" Target="../notesSlides/n.xml"/></Relationships>`,
		"ppt/notesSlides/n.xml", slide(shape("body", "Say hello")),
	))
	if want := "## First\n\nPoint\n\nNotes: Say hello\n\n## Last\n\nx | y"; d.Text != want {
		t.Errorf("text = %q, want %q", d.Text, want)
	}
	if got, want := d.Metadata[PagesKey], "[[1,0,33],[2,35,49]]"; got != want {
		t.Errorf("pages = %s, want %s", got, want)
	}
}

func TestWorkbook(t *testing.T) {
	body := zipped(t,
		"_rels/.rels", rels+`<Relationship Id="r" `+kind+`officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/><sheet name="Empty" sheetId="2" r:id="r2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", rels+`<Relationship Id="r1" `+kind+`worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" `+kind+`worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r3" `+kind+`sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r4" `+kind+`styles" Target="styles.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<sst><si><t>item</t></si><si><r><t>rope</t></r><r><t>, long</t></r><rPh><t>x</t></rPh></si></sst>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>bought</t></is></c><c r="D1" t="str"><f>x</f><v>share</v></c></row>`+
			`<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" s="1"><v>45292</v></c><c r="C4" s="2"><v>45292.5</v></c><c r="D4" s="3"><v>0.25</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml", `<worksheet><sheetData/></worksheet>`,
	)
	d, warns := one(t, "a.xlsx", body)
	if want := "item: rope, long\nbought: 2024-01-01\ncolumn 3: 2024-01-01 12:00:00\nshare: 25%"; d.Text != want {
		t.Errorf("text = %q, want %q", d.Text, want)
	}
	if d.Title != "a, row Prices:4" || len(warns) > 0 {
		t.Errorf("title %q, warnings %v", d.Title, warns)
	}
}

func TestOpenDocument(t *testing.T) {
	ns := ` xmlns:o="o" xmlns:t="t" xmlns:b="b" xmlns:d="d"`
	d, _ := one(t, "a.odt", zipped(t, "content.xml", `<o:document-content`+ns+`><o:automatic-styles><t:p>no</t:p></o:automatic-styles><o:body><o:text>`+
		`<t:h t:outline-level="2">Head</t:h><t:p>One<t:s/>two<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>Noted</t:p></t:note-body></t:note>.</t:p>`+
		`<t:list><t:list-item><t:p>a</t:p><t:list><t:list-item><t:p>b</t:p></t:list-item></t:list></t:list-item></t:list>`+
		`<b:table><b:table-row><b:table-cell><t:p>x</t:p></b:table-cell><b:table-cell><t:p>y</t:p></b:table-cell></b:table-row></b:table>`+
		`<t:p>Anchor<d:text-box><t:p>Boxed</t:p></d:text-box></t:p></o:text></o:body></o:document-content>`))
	if want := "## Head\n\nOne two[^1].\n\n- a\n  - b\n\nx | y\n\nAnchor\n\nBoxed\n\n[^1]: Noted"; d.Text != want {
		t.Errorf("text = %q, want %q", d.Text, want)
	}
	_, _, err := collectFS(t, map[string]string{"a.odt": zipped(t, "META-INF/manifest.xml", `<m><e><encryption-data/></e></m>`, "content.xml", "x")}, Options{})
	if statusOf(err) != StatusEncrypted {
		t.Errorf("an encrypted text: %v, want status %s", err, StatusEncrypted)
	}
}

func TestBook(t *testing.T) {
	d, _ := one(t, "a.epub", zipped(t,
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/c.opf"/></rootfiles></container>`,
		"OEBPS/c.opf", `<package xmlns:dc="d"><metadata><dc:title>A book</dc:title><dc:creator>Someone</dc:creator></metadata><manifest><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="i" href="i.png" media-type="image/png"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="i"/></spine></package>`,
		"OEBPS/a b.xhtml", `<html><body><h1>One</h1><p>First.</p></body></html>`,
		"OEBPS/b.xhtml", `<?xml version="1.0"?><html><body><p>Second.</p></body></html>`,
	))
	if want := "# One\n\nFirst.\n\nSecond."; d.Text != want || d.Title != "A book" || d.Metadata["author"] != "Someone" {
		t.Errorf("got %q, title %q, %v; want %q", d.Text, d.Title, d.Metadata, want)
	}
}

func TestMail(t *testing.T) {
	d, warns := one(t, "a.eml", strings.ReplaceAll(`From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>
Subject: =?iso-8859-1?Q?Gr=FC=DFe?=
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

Caf=E9 at =805=
0.
--y
Content-Type: text/html

<p>not this</p>
--y--
--x
Content-Type: application/pdf; name=a.pdf
Content-Disposition: attachment; filename="a.pdf"
Content-Transfer-Encoding: base64

AAAA
--x--
`, "\n", "\r\n"))
	if want := "From: Jürgen <j@example.org>\nSubject: Grüße\n\nCafé at €50."; d.Text != want || d.Title != "Grüße" {
		t.Errorf("got %q, title %q; want %q", d.Text, d.Title, want)
	}
	if diff := cmp.Diff([]string{"attachments_left_out a.eml"}, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestNotebook(t *testing.T) {
	d, _ := one(t, "a.ipynb", `{"cells":[{"cell_type":"markdown","source":["# T\n","text"]},{"cell_type":"code","source":"x = 1\nx","outputs":[{"text":["out\n"]},{"data":{"text/plain":"1","image/png":"AAAA"}}]}],"metadata":{"language_info":{"name":"python"}}}`)
	if want := "# T\ntext\n\n```python\nx = 1\nx\n```\n\n```\nout\n```\n\n```\n1\n```"; d.Text != want || d.Title != "T" {
		t.Errorf("got %q, title %q; want %q", d.Text, d.Title, want)
	}
}

func TestRichText(t *testing.T) {
	d, _ := one(t, "a.rtf", `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\info{\title A title}{\author X}}{\*\generator Y;}`+
		`Caf\'e9 \u8364?5 \b bold\b0\par Next\line line{\pict 0102}\par{\trowd\cellx1\cellx2 a\cell b\cell\row}\uc0\u-10179\u-8704 end}`)
	if want := "Café €5 bold\n\nNext\nline\n\na | b\n😀end"; d.Text != want || d.Title != "A title" {
		t.Errorf("got %q, title %q; want %q", d.Text, d.Title, want)
	}
}

func TestXML(t *testing.T) {
	d, _ := one(t, "a.xml", `<?xml version="1.0" encoding="iso-8859-1"?><a><title>T</title><b>caf`+"\xe9"+` &amp; <i>tea</i></b><!-- no --><c><![CDATA[<raw>]]></c></a>`)
	if want := "T\ncafé &\ntea\n<raw>"; d.Text != want || d.Title != "T" || d.Encoding != "iso-8859-1" {
		t.Errorf("got %q in %s, title %q; want %q", d.Text, d.Encoding, d.Title, want)
	}
}
