package report

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/rag"
	"ragbench/internal/score/scoretest"
)

var (
	scriptElement = regexp.MustCompile(`(?s)<script>.*?</script>`)
	dataElement   = regexp.MustCompile(`(?s)<script type="application/json" id="questions-data">(.*?)</script>`)
	styleElement  = regexp.MustCompile(`(?s)<style>.*?</style>`)
	anyTag        = regexp.MustCompile(`<[a-zA-Z!/][^>]*>`)
	attribute     = regexp.MustCompile(`\s([a-z-]+)="([^"]*)"`)
)

// markup is the page without script, style and data: what a browser reads as elements and text.
func markup(page string) string {
	page = dataElement.ReplaceAllString(page, "")
	page = scriptElement.ReplaceAllString(page, "")
	return styleElement.ReplaceAllString(page, "")
}

func TestHTMLHasNothingFromOutside(t *testing.T) {
	page := render(t, addRun(t, "mock"), Options{})
	allowed := map[string]bool{"src": false, "href": true, "srcset": false, "action": false, "poster": false, "data": false}
	for _, tag := range anyTag.FindAllString(markup(page), -1) {
		for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
			name, value := a[1], a[2]
			if loads, ok := allowed[name]; ok && (!loads || !strings.HasPrefix(value, "#") && value != "data:,") {
				t.Errorf("%s: loads or leads elsewhere", tag)
			}
			if strings.HasPrefix(name, "on") {
				t.Errorf("%s: runs script", tag)
			}
		}
	}
	for _, style := range styleElement.FindAllString(page, -1) {
		for _, bad := range []string{"url(", "@import", "http:", "https:"} {
			if strings.Contains(style, bad) {
				t.Errorf("the style holds %q", bad)
			}
		}
	}
	scripts := scriptElement.FindAllString(page, -1)
	if len(scripts) != 1 {
		t.Fatalf("got %d scripts, want 1", len(scripts))
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttpRequest", "import("} {
		if strings.Contains(scripts[0], bad) {
			t.Errorf("the script holds %q", bad)
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") {
		t.Error("the page does not forbid connections")
	}
}

func TestHTMLInsertsTextAsText(t *testing.T) {
	page := markup(render(t, addRun(t, "mock"), Options{Title: hostile[0] + "\x1b]0;owned\a"}))
	known := strings.Fields("html head meta link title style body header main footer section nav a p h1 h2 h3 h4 div dl dt dd ul li span strong em " +
		"small bdi code pre details summary table caption thead tbody tr th td button abbr i figure figcaption svg g path text circle " +
		"form label input select option noscript !DOCTYPE")
	ours := map[string]bool{}
	for _, name := range known {
		ours[name] = true
	}
	for _, tag := range anyTag.FindAllString(page, -1) {
		name := strings.FieldsFunc(tag, func(r rune) bool { return strings.ContainsRune("</> \n", r) })[0]
		if !ours[name] {
			t.Errorf("%s: not an element of the page", tag)
		}
	}
	for _, r := range page {
		if r != '\n' && r != '\t' && unsafeRune(r) {
			t.Fatalf("the page holds the control character %U", r)
		}
	}
	for _, want := range []string{
		"<h1><bdi>&lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;␛]0;owned␇</bdi></h1>",
		"boom ␛[31mred␛[0m␇",
		"name: trial # &lt;/script&gt;",
		"SELECT &#39;&lt;img src=x onerror=&#34;document.title=&#39;owned&#39;&#34;&gt;&#39;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// data reads the JSON of a page.
func data(t *testing.T, page string) explorerData {
	t.Helper()
	m := dataElement.FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no data")
	}
	if strings.ContainsAny(m[1], "<>&\u2028\u2029") {
		t.Error("the data holds a character that HTML or JavaScript would act on")
	}
	var d explorerData
	if err := json.Unmarshal([]byte(m[1]), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestHTMLDataReadsBackEqual(t *testing.T) {
	d := data(t, render(t, addRun(t, "mock"), Options{}))
	var texts []string
	for _, q := range d.Questions {
		texts = append(texts, q.Text)
	}
	var want []string
	for i := range 5 {
		want = append(want, "question "+hostile[i])
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bm25", "peer", "no_retrieval"}, d.Systems); diff != "" {
		t.Errorf("systems (-want +got):\n%s", diff)
	}
	var first questionDetail
	if err := json.Unmarshal(d.Details[0], &first); err != nil {
		t.Fatal(err)
	}
	if first.Reference != "reference "+hostile[5] {
		t.Errorf("reference: got %q", first.Reference)
	}
	if got, want := len(first.Answers), 3; got != want {
		t.Fatalf("got %d answers, want %d", got, want)
	}
	if got, want := first.Answers[0].Text, "answer "+hostile[1]; got != want {
		t.Errorf("answer: got %q, want %q", got, want)
	}
	if got, want := first.Answers[2].Error, "boom "+hostile[2]; got != want {
		t.Errorf("error: got %q, want %q", got, want)
	}
	text := func(n any) string { return d.Texts[int(n.(float64))] }
	var lines []string
	for _, h := range first.Answers[0].Hits {
		lines = append(lines, fmt.Sprint(h[0], text(h[1]), h[2], h[3], h[4])+" "+text(h[5]))
	}
	wantHits := []string{ // rank, document, score, grade, flags, passage: doc_a alone is relevant, two are in the context
		"1doc_c1 <nil> 1 third " + hostile[7],
		"2doc_a0.5 1 3 first " + hostile[3],
		"3doc_b0.333333 <nil> 0 second " + hostile[4],
	}
	if diff := cmp.Diff(wantHits, lines); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if got, want := text(first.Answers[1].Hits[0][5]), "doc_a "+hostile[0]; got != want {
		t.Errorf("passage of an imported hit: got %q, want the text of the document %q", got, want)
	}
}

func TestHTMLFragments(t *testing.T) {
	page := render(t, addRun(t, "mock"), Options{File: "my file.db"})
	for _, want := range []string{
		"<strong>Mock run.</strong>",
		"2 January 2026, 03:04 UTC, took 1m1s",
		"3 documents, 5 questions (1 unanswerable)",
		`<li class="t-warn"><span aria-hidden="true">▲</span> 1 error<`,
		"1 missing cell<",
		"1 answer of unknown cost<",
		"0 unlabelled questions",
		"1 dataset warning<",
		"no judge has read the answers",
		`<abbr title="a price is unknown">–</abbr>`,
		`<abbr title="nothing retrieved; error">–</abbr>`,
		`<abbr title="an imported ranking has no answers, times or costs">–</abbr>`,
		"<td class=\"num\" data-sort=\"0\" title=\"0 of 4 answers have a recall@3\">0 &#43; 1 error</td>",
		"Gain is linear: the gain of a document is its grade, as trec_eval has it.",
		"Of 4 labelled as relevant, some system finds 3 and none finds 1.",
		"ragbench run -c config.yaml --mock --db again.db",
		"sqlite3 -box &#39;my file.db&#39; &#34;SELECT system, recall, ndcg, latency_p50_ms FROM leaderboard WHERE run_id = 1 ORDER BY ndcg DESC, system_id&#34;",
		"<code>step_error</code>",
		"<code>missing</code>",
		`data-question="q1"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, id := range []string{"leaderboard-section", "tradeoff", "categories", "costs", "failures", "questions", "repro"} {
		if strings.Count(page, `id="`+id+`"`) != 1 {
			t.Errorf("section %s: want it once", id)
		}
	}
}

func TestHTMLLiveRunHasNoBanner(t *testing.T) {
	page := render(t, addRun(t, "live"), Options{})
	if strings.Contains(page, "Mock run.") || strings.Contains(page, "--mock") {
		t.Error("a live run is called a mock run")
	}
}

func TestHTMLExponentialGain(t *testing.T) {
	db := addRun(t, "live")
	if _, err := db.Exec("UPDATE runs SET ndcg_gain = 'exponential'"); err != nil {
		t.Fatal(err)
	}
	if page := render(t, db, Options{}); !strings.Contains(page, "Gain is exponential: the gain of a document is 2^grade − 1.") {
		t.Error("the legend does not name the gain")
	}
}

func TestHTMLSameBytes(t *testing.T) {
	db := addRun(t, "mock")
	first := render(t, db, Options{})
	for range 3 {
		if render(t, db, Options{}) != first {
			t.Fatal("the page differs from the page before")
		}
	}
}

func TestHTMLKeepsToItsSize(t *testing.T) {
	db := addRun(t, "mock")
	all := data(t, render(t, db, Options{}))
	if len(all.Details) != 5 {
		t.Fatalf("got details of %d questions, want 5", len(all.Details))
	}
	part := render(t, db, Options{MaxBytes: 4000})
	d := data(t, part)
	if n := len(d.Details); n == 0 || n == 5 || len(d.Questions) != 5 {
		t.Errorf("got %d questions and %d details, want 5 and some", len(d.Questions), n)
	}
	if m := dataElement.FindStringSubmatch(part); len(m[1]) > 4200 {
		t.Errorf("got %d bytes of data, want about 4000", len(m[1]))
	}
	if !strings.Contains(part, "To keep the page small it has the details of the first") {
		t.Error("the page does not say that details are left out")
	}
	limited := render(t, db, Options{MaxQuestions: 2})
	if d := data(t, limited); len(d.Questions) != 2 || len(d.Details) != 2 {
		t.Errorf("got %d questions and %d details, want 2 and 2", len(d.Questions), len(d.Details))
	}
	if !strings.Contains(limited, "The page lists 2 of 5 questions") {
		t.Error("the page does not say that questions are left out")
	}
}

func TestHTMLWithoutResults(t *testing.T) {
	db, _ := scoretest.Open(t)
	if err := WriteHTML(context.Background(), db, io.Discard, Options{}); !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("a file without runs: got %v, want %v", err, rag.ErrNotFound)
	}
	if err := WriteHTML(context.Background(), db, io.Discard, Options{RunID: 9}); !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("an unknown run: got %v, want %v", err, rag.ErrNotFound)
	}
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		_, err := tx.Exec(`
INSERT INTO datasets (dataset_id, name, sha256, corpus_sha256, source, num_documents, num_questions, created_at) VALUES (1, 'd', printf('%064d', 1), printf('%064d', 1), '', 0, 0, '2026-01-01T00:00:00Z');
INSERT INTO runs (run_id, name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k, retrieval_depth, context_k, ndcg_gain, code_version, started_at)
VALUES (1, 'n', 'n', 1, 'live', 'running', '', printf('%064d', 1), 0, '[5]', 5, 5, 5, 'linear', 'v', '2026-01-01T00:00:00Z')`)
		return err
	})
	page := render(t, db, Options{})
	for _, want := range []string{"the run is not finished", "The run has no systems.", "No question was asked yet.", "No steps were traced."} {
		if !strings.Contains(page, want) {
			t.Errorf("an empty run: the page lacks %q", want)
		}
	}
}
