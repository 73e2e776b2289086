package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// collect walks root and returns the documents and the warnings.
func collect(t *testing.T, root string, o Options) ([]rag.Document, []rag.Warning) {
	t.Helper()
	var docs []rag.Document
	warns, err := Walk(context.Background(), root, o, func(d rag.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs, warns
}

// collectFS is collect for files given as a map.
func collectFS(t *testing.T, files map[string]string, o Options) ([]rag.Document, []rag.Warning, error) {
	t.Helper()
	var docs []rag.Document
	warns, err := WalkFS(context.Background(), mapFS(files), ".", o, func(d rag.Document) error {
		docs = append(docs, d)
		return nil
	})
	return docs, warns, err
}

// mapFS holds files in memory.
func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, body := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(body)}
	}
	return fsys
}

// brief lists warnings as code and subject.
func brief(ws []rag.Warning) (out []string) {
	for _, w := range ws {
		out = append(out, w.Code+" "+w.Subject)
	}
	return out
}

func sources(ds []rag.Document) (out []string) {
	for _, d := range ds {
		out = append(out, d.Source)
	}
	return out
}

func TestHostileCorpus(t *testing.T) {
	docs, warns := collect(t, filepath.Join("..", "ragtest", "testdata", "hostile"), Options{})
	byID := map[string]rag.Document{}
	bySource := map[string]rag.Document{}
	for i, d := range docs {
		byID[d.ID], bySource[d.Source] = d, d
		if i > 0 && docs[i-1].Source > d.Source {
			t.Errorf("%s comes after %s", d.Source, docs[i-1].Source)
		}
		if strings.ContainsAny(d.Text, "\x00\ufeff") || d.Encoding == "" || d.MediaType == "" {
			t.Errorf("%s: text holds NUL or a mark, or a field is missing: %s %s", d.Source, d.Encoding, d.MediaType)
		}
	}
	for source, want := range map[string]string{
		"utf8_bom.txt": "utf-8", "utf16le_bom.txt": "utf-16le", "utf16le_plain.txt": "utf-16le", "latin1.txt": "windows-1252",
	} {
		if got := bySource[source].Encoding; got != want {
			t.Errorf("encoding of %s = %q, want %q", source, got, want)
		}
	}
	if a, b := bySource["utf16le_bom.txt"].Text, bySource["utf16le_plain.txt"].Text; a != b || !strings.Contains(a, "4 €") {
		t.Errorf("UTF-16 with and without mark differ: %q and %q", a, b)
	}
	lf := bySource["lines_lf.txt"].Text
	if bySource["lines_crlf.txt"].Text != lf || bySource["lines_cr.txt"].Text != lf {
		t.Errorf("line ends change the text: %q %q %q", lf, bySource["lines_crlf.txt"].Text, bySource["lines_cr.txt"].Text)
	}
	if bySource["nfc.txt"].Text == bySource["nfd.txt"].Text {
		t.Error("the text of a document is normalised, so offsets no longer fit the file")
	}
	for source, want := range map[string]string{
		"preface.md": "Timetable", "front_matter.md": "Lost property: ships and piers", "unclosed_fence.md": "unclosed fence",
		"x/readme.md": "North pier", "y/readme.md": "South pier", "twin_a.txt": "twin a",
	} {
		if got := bySource[source].Title; got != want {
			t.Errorf("title of %s = %q, want %q", source, got, want)
		}
	}
	if bySource["front_matter.md"].Metadata["owner"] != "Harbour office" {
		t.Errorf("metadata of front_matter.md = %v", bySource["front_matter.md"].Metadata)
	}
	for _, id := range []string{"007", "7", "1e5", "q1", "title-only", "nothing", "nul-row", "long-row", "after-long-row", text.DocumentID("x/readme.md"), text.DocumentID("文件 名.txt")} {
		if _, ok := byID[id]; !ok {
			t.Errorf("document %s is missing", id)
		}
	}
	if got := byID["1e5"].Metadata; !cmp.Equal(got, map[string]string{"year": "2024", "tags": `["a","b"]`, "nested": `{"k":null}`}) {
		t.Errorf("metadata of row 1e5 = %v", got)
	}
	if got, want := byID["nul-row"].Text, "leftright \ufffd half a pair"; got != want {
		t.Errorf("text of row nul-row = %q, want %q", got, want)
	}
	want := []string{
		"skipped_hidden .gitattributes",
		"skipped_binary blob.txt",
		"empty_document " + text.DocumentID("bom_only.txt"),
		"empty_document " + text.DocumentID("empty.txt"),
		"nul_removed holds_nul.txt",
		"encoding_fallback latin1.txt",
		"title_as_text title-only",
		"empty_document nothing",
		"replaced_characters rows.jsonl",
		"nul_removed rows.jsonl",
		"empty_document " + text.DocumentID("spaces.txt"),
		"encoding_guessed utf16le_plain.txt",
	}
	if diff := cmp.Diff(want, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestSkippingRules(t *testing.T) {
	docs, warns, err := collectFS(t, map[string]string{
		"a.txt": "a", "b/.hidden/x.txt": "x", "b/c.txt": "c", ".git/config.txt": "x", "node_modules/readme.md": "x",
		"big.txt": strings.Repeat("x", 2000), "p.png": "\x89PNG", "q.PNG": "\x89PNG", "Makefile": "all:", "B.TXT": "upper case",
	}, Options{MaxFileMB: 0.001})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"B.TXT", "a.txt", "b/c.txt"}, sources(docs)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	want := []string{"skipped_hidden .git", "skipped_hidden b/.hidden", "skipped_size big.txt", "skipped_folder node_modules", "skipped_format (no extension)", "skipped_format .png"}
	if diff := cmp.Diff(want, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestOrderIsThatOfPaths(t *testing.T) {
	docs, _, err := collectFS(t, map[string]string{"a/z.txt": "1", "a.txt": "2", "a-b.txt": "3", "é.txt": "4", "z.txt": "5"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a-b.txt", "a.txt", "a/z.txt", "z.txt", "é.txt"}, sources(docs)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestPatterns(t *testing.T) {
	files := map[string]string{"a.txt": "", "b.md": "", "old/c.md": "", "old/deep/d.md": "", "keep/e.md": "", "n1.txt": "", "n2.txt": ""}
	for _, tt := range []struct {
		include, exclude []string
		want             []string
	}{
		{nil, nil, []string{"a.txt", "b.md", "keep/e.md", "n1.txt", "n2.txt", "old/c.md", "old/deep/d.md"}},
		{[]string{"*.md"}, nil, []string{"b.md", "keep/e.md", "old/c.md", "old/deep/d.md"}},
		{[]string{"*.md"}, []string{"old/"}, []string{"b.md", "keep/e.md"}},
		{[]string{"old/*.md"}, nil, []string{"old/c.md"}},
		{[]string{"old/**/*.md"}, nil, []string{"old/c.md", "old/deep/d.md"}},
		{[]string{"n[!1].txt", "?.txt"}, nil, []string{"a.txt", "n2.txt"}},
	} {
		docs, _, err := collectFS(t, files, Options{Include: tt.include, Exclude: tt.exclude})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, sources(docs)); diff != "" {
			t.Errorf("include %v exclude %v (-want +got):\n%s", tt.include, tt.exclude, diff)
		}
	}
	for _, o := range []Options{{Include: []string{"[a"}}, {Exclude: []string{""}}, {OnError: "ignore"}, {MaxFileMB: -1}} {
		if err := o.Validate(); err == nil {
			t.Errorf("options %+v are accepted", o)
		}
	}
}

func TestRepeatedIDs(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"two rows":         {map[string]string{"c.jsonl": `{"id":"1","text":"a"}` + "\n\n" + `{"_id":1,"text":"b"}`}, []string{`"1"`, "c.jsonl:1", "c.jsonl:3"}},
		"same stem":        {map[string]string{"a/doc_x.md": "1", "b/doc_x.txt": "2"}, []string{`"doc_x"`, "a/doc_x.md", "b/doc_x.txt"}},
		"same slug":        {map[string]string{"a b.txt": "1", "a_b.txt": "2"}, []string{"a b.txt", "a_b.txt"}},
		"NFC and NFD name": {map[string]string{"caf\u00e9.txt": "1", "cafe\u0301.txt": "2"}, []string{"caf\u00e9.txt"}},
	} {
		for _, onError := range []string{"raise", "skip"} {
			_, _, err := collectFS(t, tt.files, Options{OnError: onError})
			if err == nil {
				t.Errorf("%s, %s: no error", name, onError)
				continue
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: error %q does not name %s", name, err, part)
				}
			}
		}
	}
}

func TestOnError(t *testing.T) {
	files := map[string]string{"a.jsonl": `{"id":"1","text":"a"}` + "\n{broken\n" + `{"id":"2"}` + "\n" + `{"id":"3","text":"c"}`, "b.txt": "b"}
	_, _, err := collectFS(t, files, Options{})
	if err == nil || !strings.Contains(err.Error(), "load a.jsonl: a.jsonl:2: not a JSON object") {
		t.Errorf("raise: %v", err)
	}
	docs, warns, err := collectFS(t, files, Options{OnError: "skip"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.jsonl", "a.jsonl", "b.txt"}, sources(docs)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"skipped_row a.jsonl:2", "skipped_row a.jsonl:3"}, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestErrorOfYieldStopsTheWalk(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	fsys := fstest.MapFS{"a.jsonl": {Data: []byte("{\"text\":\"1\"}\n{\"text\":\"2\"}\n")}, "b.txt": {}}
	_, err := WalkFS(context.Background(), fsys, ".", Options{OnError: "skip"}, func(rag.Document) error {
		n++
		return stop
	})
	if err != stop || n != 1 {
		t.Errorf("got error %v after %d documents, want %v after 1", err, n, stop)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := WalkFS(ctx, fsys, ".", Options{}, func(rag.Document) error { return nil }); err != context.Canceled {
		t.Errorf("cancelled walk = %v, want %v", err, context.Canceled)
	}
}

func TestManyWarningsAreCounted(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("%02d.txt", i)] = " "
	}
	_, warns, err := collectFS(t, files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if last := warns[len(warns)-1]; len(warns) != mostOfAKind+1 || last.Message != "and 30 more" {
		t.Errorf("got %d warnings, the last %v", len(warns), last)
	}
}

func TestLinksAndOddFiles(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "docs")
	outside := filepath.Join(dir, "secret.txt")
	mustWrite(t, outside, "outside")
	mustWrite(t, filepath.Join(root, "in.txt"), "inside")
	mustWrite(t, filepath.Join(root, "sub", "q?.txt"), "a name with a question mark")
	for name, target := range map[string]string{
		"again.txt": "in.txt", "abs.txt": outside, "up.txt": "../secret.txt", "gone.txt": "nowhere.txt", "loop": ".", "self.txt": "self.txt",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	docs, warns := collect(t, root, Options{})
	if diff := cmp.Diff([]string{"again.txt", "in.txt", "sub/q?.txt"}, sources(docs)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	want := []string{"skipped_link abs.txt", "skipped_link gone.txt", "skipped_link loop", "skipped_irregular pipe.txt", "skipped_link self.txt", "skipped_link up.txt"}
	if diff := cmp.Diff(want, brief(warns)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}

	link := filepath.Join(dir, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if docs, _ := collect(t, link, Options{}); len(docs) != 3 {
		t.Errorf("a root that is a link gives %d documents, want 3", len(docs))
	}
	if docs, _ := collect(t, filepath.Join(root, "in.txt"), Options{}); len(docs) != 1 || docs[0].Source != "in.txt" {
		t.Errorf("a root that is a file gives %v", sources(docs))
	}
	if _, err := Walk(context.Background(), filepath.Join(dir, "absent"), Options{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent root = %v, want not exist", err)
	}
}

func TestHugeRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	body := strings.Repeat("twelve chars", 3<<20/12)
	mustWrite(t, path, `{"_id":"huge","text":"`+body+`"}`+"\n")
	docs, _ := collect(t, path, Options{})
	if len(docs) != 1 || docs[0].Text != body {
		t.Errorf("a row of 3 MB is not read whole")
	}
	if _, err := Walk(context.Background(), path, Options{MaxFileMB: 1}, nil); err == nil || !strings.Contains(err.Error(), "c.jsonl:1: line of more than 1048576 bytes") {
		t.Errorf("a row over the limit = %v", err)
	}
}

func mustWrite(t *testing.T, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTableIsComplete(t *testing.T) {
	seen := map[string]string{}
	for _, e := range All {
		for _, ext := range e.New.Extensions {
			if ext != strings.ToLower(ext) || ext[0] != '.' {
				t.Errorf("extension %q of %s is not lower-case with a dot", ext, e.Name)
			}
			if other := seen[ext]; other != "" {
				t.Errorf("extension %s belongs to %s and to %s", ext, other, e.Name)
			}
			seen[ext] = e.Name
		}
		if e.New.Load == nil || e.New.MediaType == "" || e.Doc == "" {
			t.Errorf("format %s is incomplete", e.Name)
		}
	}
}
