package demo

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestDocumentSizes(t *testing.T) {
	docs := readDocs(t)
	var long, longest, short, total, plain int
	for id, d := range docs {
		n := len(strings.Fields(d.text))
		total += n
		longest = max(longest, n)
		if n >= 2000 {
			long++
		}
		if n <= 120 {
			short++
		}
		switch first, _, _ := strings.Cut(d.text, "\n"); path.Ext(d.file) {
		case ".md":
			if !strings.HasPrefix(first, "# ") {
				t.Errorf("%s: got first line %q, want a title", id, first)
			}
		case ".txt":
			plain++
		default:
			t.Errorf("%s: got file %s, want .md or .txt", id, d.file)
		}
		if !strings.HasSuffix(d.text, "\n") || strings.Contains(d.text, "\r") {
			t.Errorf("%s: want Unix lines with a final line end", id)
		}
	}
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"documents", len(docs), 60},
		{"words", total, 20000},
		{"documents of 2000 words or more", long, 4},
		{"words in the longest document", longest, 3000},
		{"documents of at most 120 words", short, 15},
		{"plain text documents", plain, 3},
	} {
		if c.got < c.want {
			t.Errorf("%s: got %d, want at least %d", c.what, c.got, c.want)
		}
	}
}

var tableRow = regexp.MustCompile(`(?m)^\| ([^|]+) \|(.+)\|$`)

// rows returns the table rows of a text: first cell to the rest of the row.
func rows(text string) map[string]string {
	out := make(map[string]string)
	for _, m := range tableRow.FindAllStringSubmatch(text, -1) {
		out[m[1]] = strings.TrimSpace(m[2])
	}
	return out
}

func TestVesselSheetsAreNearTwins(t *testing.T) {
	docs := readDocs(t)
	ids := []string{"doc_vessel_fulmar", "doc_vessel_gannet", "doc_vessel_kittiwake", "doc_vessel_petrel"}
	for i, a := range ids {
		ra := rows(docs[a].text)
		if len(ra) < 15 {
			t.Fatalf("%s: got %d rows, want at least 15", a, len(ra))
		}
		for _, b := range ids[i+1:] {
			rb := rows(docs[b].text)
			differ := 0
			for label, v := range ra {
				w, ok := rb[label]
				if !ok {
					t.Errorf("%s has no row %q of %s", b, label, a)
				}
				if v != w {
					differ++
				}
			}
			if differ < 8 {
				t.Errorf("%s and %s: got %d rows that differ, want at least 8", a, b, differ)
			}
			if got := overlap(docs[a].text, docs[b].text); got < .55 {
				t.Errorf("%s and %s: got word overlap %.2f, want at least .55", a, b, got)
			}
		}
	}
}

// overlap is the Jaccard measure of the words of two texts.
func overlap(a, b string) float64 {
	left := make(map[string]bool)
	for _, w := range strings.Fields(a) {
		left[w] = true
	}
	right := make(map[string]bool)
	both := 0
	for _, w := range strings.Fields(b) {
		if !right[w] && left[w] {
			both++
		}
		right[w] = true
	}
	return float64(both) / float64(len(left)+len(right)-both)
}

func TestDelayPolicyVersionsContradict(t *testing.T) {
	docs := readDocs(t)
	facts := map[string]*regexp.Regexp{
		"date in force":   regexp.MustCompile(`In force from (\d+ \w+ \d{4})`),
		"first threshold": regexp.MustCompile(`destination (\d+) minutes or more`),
		"claim window":    regexp.MustCompile(`reach us within (\d+) days`),
		"least payment":   regexp.MustCompile(`Amounts below £(\d+)`),
		"answer":          regexp.MustCompile(`answers within (\d+) working days`),
		"accommodation":   regexp.MustCompile(`accommodation up to £(\d+)`),
	}
	for what, re := range facts {
		seen := make(map[string]string)
		for _, year := range []string{"2021", "2023", "2025"} {
			id := "doc_delay_compensation_policy_" + year
			m := re.FindStringSubmatch(docs[id].text)
			if m == nil {
				t.Errorf("%s: no %s", id, what)
				continue
			}
			if other, ok := seen[m[1]]; ok {
				t.Errorf("%s: got %s in %s and %s, want different values", what, m[1], other, id)
			}
			seen[m[1]] = id
		}
	}
}

func TestFareSheetsHaveTablesAndCodes(t *testing.T) {
	docs := readDocs(t)
	for id, code := range map[string]string{
		"doc_fare_sheet_p_2026": `PX-\d{4}`,
		"doc_fare_sheet_v_2026": `VX-\d{4}`,
		"doc_fare_sheet_f_2026": `FR-\d{4}`,
	} {
		n := 0
		for label := range rows(docs[id].text) {
			if regexp.MustCompile("^" + code + "$").MatchString(label) {
				n++
			}
		}
		if n < 7 {
			t.Errorf("%s: got %d rows with a code, want at least 7", id, n)
		}
	}
}

func TestNoSheetIsNamedTwice(t *testing.T) {
	code := regexp.MustCompile(`^[A-Z]{2}-\d{2,4}$`)
	owner := make(map[string]string)
	for id, d := range readDocs(t) {
		for label := range rows(d.text) {
			if !code.MatchString(label) {
				continue
			}
			if other, ok := owner[label]; ok {
				t.Errorf("code %s has a row in %s and in %s", label, other, id)
			}
			owner[label] = id
		}
	}
	if len(owner) < 40 {
		t.Errorf("got %d codes in tables, want at least 40", len(owner))
	}
}
