package load

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
)

// failure loads one file that must be refused and returns its status and the error.
func failure(t *testing.T, name, body string) (string, error) {
	t.Helper()
	docs, _, err := collectFS(t, map[string]string{name: body}, Options{})
	if err == nil {
		t.Errorf("%s gives %d documents, want an error", name, len(docs))
		return StatusLoaded, nil
	}
	return statusOf(err), err
}

func TestArchivesThatAreRefused(t *testing.T) {
	good := docxOf(t, para("x"))
	locked := []byte(good) // the flag of encryption in every entry of the directory
	for i := 0; i+10 < len(locked); i++ {
		if string(locked[i:i+4]) == "PK\x01\x02" {
			locked[i+8] |= 1
		}
	}
	corrupt := strings.Replace(zipped(t, "word/document.xml", strings.Repeat("<w:p/>", 2000)), "PK\x01\x02", "PK\x01\x02", 1)
	corrupt = corrupt[:60] + strings.Repeat("\xff", 8) + corrupt[68:]
	for _, tt := range []struct{ name, file, body, want string }{
		{"not an archive", "a.docx", "plain text", StatusBroken},
		{"empty", "a.xlsx", "", StatusBroken},
		{"cut off", "a.docx", good[:len(good)/2], StatusBroken},
		{"corrupt data", "a.docx", corrupt, StatusBroken},
		{"another archive", "a.docx", zipped(t, "x.txt", "x"), StatusBroken},
		{"another archive", "a.epub", zipped(t, "x.txt", "x"), StatusBroken},
		{"encrypted entries", "a.docx", string(locked), StatusEncrypted},
		{"old binary or encrypted document", "a.docx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), StatusEncrypted},
		{"bad XML", "a.docx", docxOf(t, "<w:p><w:r></w:p>"), StatusBroken},
		{"a bomb of one part", "a.docx", docxOf(t, para(strings.Repeat("bomb ", 1<<19))), StatusBomb},
		{"a bomb of shared texts", "a.xlsx", zipped(t, "_rels/.rels", rels+"</Relationships>", "xl/workbook.xml", "<workbook>"+strings.Repeat(" ", 3<<20)+"</workbook>"), StatusBomb},
	} {
		if got, err := failure(t, tt.file, tt.body); got != tt.want {
			t.Errorf("%s: status %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestBombOfManyParts unpacks, within the ratio of each part, to more than all parts together may.
func TestBombOfManyParts(t *testing.T) {
	body := strings.Repeat("word ", 900<<10/5)
	spine, manifest := "", ""
	parts := []string{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>`}
	for i := range 30 {
		id := fmt.Sprintf("c%d", i)
		manifest += `<item id="` + id + `" href="` + id + `" media-type="text/html"/>`
		spine += `<itemref idref="` + id + `"/>`
		parts = append(parts, id, body)
	}
	parts = append(parts, "c.opf", `<package><manifest>`+manifest+`</manifest><spine>`+spine+`</spine></package>`)
	_, _, err := collectFS(t, map[string]string{"a.epub": zipped(t, parts...)}, Options{MaxFileMB: 1})
	if statusOf(err) != StatusBomb {
		t.Errorf("27 MB out of a file of at most 1 MB: %v, want status %s", err, StatusBomb)
	}
}

// TestEntitiesDoNotExpand reads the "billion laughs" in each format made of XML: the decoder knows no entity but XML's five.
func TestEntitiesDoNotExpand(t *testing.T) {
	laughs := `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
	for name, body := range map[string]string{
		"a.xml":    laughs + `<x>&c;</x>`,
		"file.xml": laughs + `<x>&f;</x>`,
		"a.docx":   zipped(t, "word/document.xml", laughs+`<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&c;</w:t></w:r></w:p></w:body></w:document>`),
		"a.odt":    zipped(t, "content.xml", laughs+`<o><p>&c;</p></o>`),
	} {
		status, err := failure(t, name, body)
		if status != StatusBroken || err != nil && !strings.Contains(err.Error(), "invalid character entity") {
			t.Errorf("%s: status %s: %v, want %s because of its entity", name, status, err, StatusBroken)
		}
	}
	d, _ := one(t, "a.html", laughs+`<p>&c; &amp;</p>`)
	if strings.Contains(d.Text, "ha") {
		t.Errorf("HTML expands an entity of the file: %q", d.Text)
	}
}

// TestDeepNesting reads what is nested far deeper than anybody writes.
func TestDeepNesting(t *testing.T) {
	const depth = 100_000
	const tables = depth / 10
	d, _ := one(t, "a.docx", docxOf(t, strings.Repeat("<w:tbl><w:tr><w:tc>", tables)+para("x")+strings.Repeat("</w:tc></w:tr></w:tbl>", tables)))
	if !strings.Contains(d.Text, "x") {
		t.Errorf("text of a deep table = %q", d.Text)
	}
	if d, _ := one(t, "a.xml", strings.Repeat("<a>", depth)+"x"+strings.Repeat("</a>", depth)); d.Text != "x" {
		t.Errorf("text of deep elements = %q", d.Text)
	}
	if got, err := failure(t, "a.json", strings.Repeat("[", depth)); got != StatusBroken {
		t.Errorf("deep lists: status %s (%v), want %s", got, err, StatusBroken)
	}
	if d, _ := one(t, "a.rtf", `{\rtf1 `+strings.Repeat("{", depth)+"x"+strings.Repeat("}", depth)+"}"); d.Text != "x" {
		t.Errorf("text of deep groups = %q", d.Text)
	}
	mail := ""
	for i := range 50 {
		mail += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	if got, err := failure(t, "a.eml", mail+"\r\nx\r\n"); got != StatusBomb {
		t.Errorf("deep parts: status %s (%v), want %s", got, err, StatusBomb)
	}
}

// TestHugeLines reads files of one line of 100 MB. They are refused, and reading them takes a fraction of that memory.
func TestHugeLines(t *testing.T) {
	const size = 100 << 20
	for name, head := range map[string]string{
		"a.csv":   "text\n\"",
		"a.jsonl": `{"text": "`,
		"a.json":  `[{"text": "`,
		"b.json":  `{"text": "`,
		"nul.csv": "text\n\x00",
		"a.txt":   "",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		docs := 0
		warns, err := WalkFS(context.Background(), longFile{name, head, size}, name, Options{MaxFileMB: 1, OnError: "skip"}, func(rag.Document) error {
			docs++
			return nil
		})
		runtime.ReadMemStats(&after)
		if err != nil || docs > 0 || len(warns) != 1 {
			t.Errorf("%s: %d documents, warnings %v, %v; want none but a warning", name, docs, warns, err)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 24 {
			t.Errorf("%s: %d MB allocated to refuse 100 MB, want at most 24", name, got)
		}
	}
}

// longFile is a file system of one file: head, and words without a line end up to size.
type longFile struct {
	name, head string
	size       int64
}

// Open opens the file.
func (l longFile) Open(name string) (fs.File, error) {
	if name != l.name {
		return nil, fs.ErrNotExist
	}
	rest := io.LimitReader(endless{}, l.size-int64(len(l.head)))
	return &openLong{longFile: l, Reader: io.MultiReader(strings.NewReader(l.head), rest)}, nil
}

type openLong struct {
	longFile
	io.Reader
}

func (o *openLong) Stat() (fs.FileInfo, error) { return o, nil }
func (o *openLong) Close() error               { return nil }
func (o *openLong) Name() string               { return o.name }
func (o *openLong) Size() int64                { return o.size }
func (o *openLong) Mode() fs.FileMode          { return 0o444 }
func (o *openLong) ModTime() time.Time         { return time.Time{} }
func (o *openLong) IsDir() bool                { return false }
func (o *openLong) Sys() any                   { return nil }

// endless gives words without end.
type endless struct{}

// Read fills b.
func (endless) Read(b []byte) (int, error) {
	for n := 0; n < len(b); {
		n += copy(b[n:], "0123456789abcde ")
	}
	return len(b), nil
}

// TestBadFilesAreSkipped goes on after each kind of bad file and says why, under its own code.
func TestBadFilesAreSkipped(t *testing.T) {
	files := map[string]string{
		"a.docx": "x", "b.docx": docxOf(t, para(strings.Repeat("bomb ", 1<<19))), "c.docx": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xxxxxxxx",
		"d.json": `[{"text": "a"}, {"text"`, "e.txt": "good", "f.csv": "a,b\n1,\"2\n",
	}
	docs, warns, err := collectFS(t, files, Options{OnError: "skip"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"d.json", "e.txt"}, sources(docs)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	want := []string{"broken a.docx", "bomb b.docx", "encrypted c.docx", "broken d.json", "skipped_row f.csv:2"}
	if diff := cmp.Diff(want, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	var got []string
	err = SurveyFS(context.Background(), mapFS(files), ".", Options{}, func(o Outcome) error {
		got = append(got, fmt.Sprintf("%s %s %d", o.Path, o.Status, o.Documents))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := []string{"a.docx broken 0", "b.docx bomb 0", "c.docx encrypted 0", "d.json broken 1", "e.txt loaded 1", "f.csv empty 0"}
	if diff := cmp.Diff(outcomes, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// TestNamesInArchives wants no part of an archive to be reached by a name that leads out of it.
func TestNamesInArchives(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"../../evil/document.xml", "/word/document.xml"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(word + para("inside") + "</w:body></w:document>")); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if d, _ := one(t, "a.docx", b.String()); d.Text != "inside" {
		t.Errorf("text = %q, want inside", d.Text)
	}
}
