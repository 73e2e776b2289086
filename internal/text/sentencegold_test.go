package text

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goldEnd is one hand-checked place of testdata/sentences.tsv.
type goldEnd struct {
	set, doc, sample string
	at               int
	ends             bool
}

func goldEnds(t *testing.T) (list []goldEnd) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "sentences.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		at, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, goldEnd{set: f[0], doc: f[1], at: at, ends: f[3] == "1", sample: f[4]})
	}
	return list
}

// TestSentencesOnRealText holds precision and recall over hand-checked places of eight data sets in English and Chinese.
// Of the places drawn at random, all but a few must be right; of those on which three splitters disagreed, most.
func TestSentencesOnRealText(t *testing.T) {
	texts := map[string]map[string]string{}
	type count struct{ tp, fp, fn, all int }
	counts := map[string]*count{"R": {}, "H": {}}
	for _, g := range goldEnds(t) {
		if texts[g.set] == nil {
			texts[g.set] = documents(t, g.set)
		}
		found := false
		s := texts[g.set][g.doc]
		for _, span := range Sentences(s) {
			found = found || span[1] == g.at
		}
		c := counts[g.sample]
		c.all++
		switch {
		case found && g.ends:
			c.tp++
		case found:
			c.fp++
			t.Logf("wrong end: %s %s %d: %q", g.set, g.doc, g.at, s[max(0, g.at-40):min(len(s), g.at+20)])
		case g.ends:
			c.fn++
			t.Logf("missed end: %s %s %d: %q", g.set, g.doc, g.at, s[max(0, g.at-40):min(len(s), g.at+20)])
		}
	}
	for sample, least := range map[string]float64{"R": .99, "H": .85} {
		c := counts[sample]
		right := float64(c.all-c.fp-c.fn) / float64(c.all)
		t.Logf("sample %s: %d places, precision %.3f, recall %.3f, right %.3f", sample, c.all,
			float64(c.tp)/float64(c.tp+c.fp), float64(c.tp)/float64(c.tp+c.fn), right)
		if right < least {
			t.Errorf("sample %s: %.3f of the places are right, want at least %.3f", sample, right, least)
		}
	}
}

func documents(t *testing.T, set string) map[string]string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", set, "corpus.jsonl")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no shared data: " + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var d struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		out[d.ID] = d.Text
	}
	return out
}
