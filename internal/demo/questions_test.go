package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// minimums are the categories and how many questions each has at least.
var minimums = map[string]int{
	"direct_fact": 10, "paraphrase": 10, "multi_hop": 8, "comparison": 6, "numeric_reasoning": 8, "date_arithmetic": 8,
	"aggregation": 7, "temporal_conflict": 10, "distractor": 8, "unanswerable": 24, "exact_identifier": 10, "long_context": 10,
}

func TestCounts(t *testing.T) {
	questions := readQuestions(t)
	if len(questions) < 160 {
		t.Errorf("got %d questions, want at least 160", len(questions))
	}
	count := make(map[string]int)
	ids := make(map[string]bool)
	texts := make(map[string]string)
	for _, q := range questions {
		count[q.Category]++
		if ids[q.ID] {
			t.Errorf("%s: the identifier is taken", q.ID)
		}
		ids[q.ID] = true
		if other, ok := texts[q.Question]; ok {
			t.Errorf("%s asks the same as %s", q.ID, other)
		}
		texts[q.Question] = q.ID
	}
	for category, want := range minimums {
		if got := count[category]; got < want {
			t.Errorf("%s: got %d questions, want at least %d", category, got, want)
		}
	}
	if len(count) != len(minimums) {
		t.Errorf("got categories %v, want the %d of the list", count, len(minimums))
	}
	if got := float64(count["unanswerable"]) / float64(len(questions)); got < .15 {
		t.Errorf("got %.3f of the questions unanswerable, want at least .15", got)
	}
}

func TestFields(t *testing.T) {
	for _, q := range readQuestions(t) {
		if !slices.Contains([]string{"easy", "medium", "hard"}, q.Difficulty) {
			t.Errorf("%s: got difficulty %q", q.ID, q.Difficulty)
		}
		if !slices.Contains([]string{"date", "number", "entity", "person", "list", "text", "boolean", "none"}, q.AnswerType) {
			t.Errorf("%s: got answer type %q", q.ID, q.AnswerType)
		}
		if !slices.Contains([]string{"lexical", "computation", "multi_hop", "default"}, q.Hint) {
			t.Errorf("%s: got routing hint %q", q.ID, q.Hint)
		}
		if q.Keywords == nil || q.Relevant == nil || q.Tools == nil || q.Evidence == nil {
			t.Errorf("%s: got a list that is null, want an empty one", q.ID)
		}
		if q.Answerable == (q.Category == "unanswerable") {
			t.Errorf("%s: got answerable %v in category %s", q.ID, q.Answerable, q.Category)
		}
		filled := q.Reference != nil && len(q.Keywords) > 0 && len(q.Relevant) > 0 && len(q.Evidence) > 0 && q.AnswerType != "none"
		empty := q.Reference == nil && len(q.Keywords) == 0 && len(q.Relevant) == 0 && len(q.Evidence) == 0 && q.AnswerType == "none"
		if q.Answerable && !filled || !q.Answerable && !empty {
			t.Errorf("%s: answer fields do not fit answerable %v", q.ID, q.Answerable)
		}
		if n := len(strings.Fields(q.reference())); n > 45 {
			t.Errorf("%s: got a reference of %d words, want at most 45", q.ID, n)
		}
		for _, tool := range q.Tools {
			if tool != "calculator" && tool != "date_calc" {
				t.Errorf("%s: got required tool %q", q.ID, tool)
			}
		}
	}
}

// contains reports whether phrase occurs in text as whole words, whatever the case.
func contains(text, phrase string) bool {
	text, phrase = strings.ToLower(text), strings.ToLower(phrase)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(phrase)
		before, after := []rune(text[:start]), []rune(text[end:])
		if (len(before) == 0 || !word(before[len(before)-1])) && (len(after) == 0 || !word(after[0])) {
			return true
		}
		from = start + 1
	}
}

func TestKeywords(t *testing.T) {
	docs := readDocs(t)
	for _, q := range readQuestions(t) {
		for _, k := range q.Keywords {
			if !contains(q.reference(), k) {
				t.Errorf("%s: keyword %q is not in the reference %q", q.ID, k, q.reference())
			}
			cited := slices.ContainsFunc(q.Relevant, func(id string) bool { return contains(docs[id].text, k) })
			if len(q.Tools) == 0 && !cited {
				t.Errorf("%s: keyword %q is in none of %v", q.ID, k, q.Relevant)
			}
		}
	}
}

func TestEvidenceIsVerbatim(t *testing.T) {
	docs := readDocs(t)
	for _, q := range readQuestions(t) {
		for _, e := range q.Evidence {
			if !strings.Contains(docs[e.Doc].text, e.Quote) || e.Quote == "" {
				t.Errorf("%s: quote %q is not in %s", q.ID, e.Quote, e.Doc)
			}
			if !slices.Contains(q.Relevant, e.Doc) {
				t.Errorf("%s: evidence from %s, which is not relevant", q.ID, e.Doc)
			}
		}
	}
}

func TestNoQuestionIsInADocument(t *testing.T) {
	plain := func(s string) string {
		return strings.ToLower(strings.Trim(strings.Join(strings.Fields(s), " "), " ?.!"))
	}
	docs := readDocs(t)
	for _, q := range readQuestions(t) {
		for id, d := range docs {
			if strings.Contains(plain(d.text), plain(q.Question)) {
				t.Errorf("%s: the question is written in %s", q.ID, id)
			}
		}
	}
}

func TestQrels(t *testing.T) {
	docs := readDocs(t)
	grades := make(map[string]map[string]int)
	for _, r := range readQrels(t) {
		if _, ok := docs[r.Doc]; !ok {
			t.Errorf("%s: unknown document %s", r.Question, r.Doc)
		}
		if r.Relevance < 1 || r.Relevance > 3 {
			t.Errorf("%s %s: got relevance %d, want 1 to 3", r.Question, r.Doc, r.Relevance)
		}
		if grades[r.Question] == nil {
			grades[r.Question] = make(map[string]int)
		}
		if _, ok := grades[r.Question][r.Doc]; ok {
			t.Errorf("%s %s: judged twice", r.Question, r.Doc)
		}
		grades[r.Question][r.Doc] = r.Relevance
	}
	for _, q := range readQuestions(t) {
		best, relevant := 0, 0
		for id, g := range grades[q.ID] {
			best = max(best, g)
			if g >= 2 {
				relevant++
			}
			if (g >= 2) != slices.Contains(q.Relevant, id) {
				t.Errorf("%s %s: grade %d does not agree with relevant_doc_ids %v", q.ID, id, g, q.Relevant)
			}
		}
		if q.Answerable && best != 3 || !q.Answerable && len(grades[q.ID]) > 0 {
			t.Errorf("%s: answerable %v with qrels %v", q.ID, q.Answerable, grades[q.ID])
		}
		if relevant != len(q.Relevant) {
			t.Errorf("%s: got %d qrels of grade 2 or 3, want %v", q.ID, relevant, q.Relevant)
		}
		delete(grades, q.ID)
	}
	if len(grades) > 0 {
		t.Errorf("qrels for unknown questions: %v", grades)
	}
}

var identifier = regexp.MustCompile(`[A-Z#][A-Z]*[A-Z0-9-]*\d`)

func TestCategoriesAreWhatTheySay(t *testing.T) {
	docs := readDocs(t)
	related := make(map[string]int)
	for _, r := range readQrels(t) {
		if r.Relevance == 1 {
			related[r.Question]++
		}
	}
	for _, q := range readQuestions(t) {
		n := len(q.Relevant)
		switch q.Category {
		case "multi_hop", "comparison":
			if n < 2 || n > 4 {
				t.Errorf("%s: %s with %d relevant documents, want 2 to 4", q.ID, q.Category, n)
			}
		case "aggregation":
			if n < 3 || n > 6 {
				t.Errorf("%s: aggregation over %d documents, want 3 to 6", q.ID, n)
			}
		case "numeric_reasoning":
			if !slices.Contains(q.Tools, "calculator") {
				t.Errorf("%s: numeric_reasoning without calculator", q.ID)
			}
		case "date_arithmetic":
			if !slices.Contains(q.Tools, "date_calc") {
				t.Errorf("%s: date_arithmetic without date_calc", q.ID)
			}
		case "temporal_conflict", "distractor":
			if related[q.ID] == 0 {
				t.Errorf("%s: %s without a look-alike of grade 1", q.ID, q.Category)
			}
		case "long_context":
			if words := len(strings.Fields(docs[q.Relevant[0]].text)); words < 2000 {
				t.Errorf("%s: long_context on %s, which has %d words", q.ID, q.Relevant[0], words)
			}
		case "exact_identifier":
			code := identifier.FindString(q.Question)
			if code == "" || !contains(docs[q.Relevant[0]].text, code) {
				t.Errorf("%s: identifier %q is not in %s", q.ID, code, q.Relevant[0])
			}
		case "paraphrase":
			asked := content(q.Question)
			quoted := make(map[string]bool)
			for _, e := range q.Evidence {
				for w := range content(e.Quote) {
					quoted[w] = true
				}
			}
			shared := 0
			for w := range asked {
				if quoted[w] {
					shared++
				}
			}
			if shared > 1 {
				t.Errorf("%s: the paraphrase shares %d content words with its evidence, want at most 1", q.ID, shared)
			}
		}
	}
}

// content returns the lower-case words of more than three letters.
func content(s string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 3 {
			out[w] = true
		}
	}
	return out
}
