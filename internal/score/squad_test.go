package score

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ragbench/internal/text"
)

// squadArticle is what SQuAD's rule takes out after lower-casing and deleting ASCII punctuation.
var squadArticle = regexp.MustCompile(`\b(a|an|the)\b`)

// squadTokens is the published normalisation of SQuAD 1.1 and 2.0.
func squadTokens(s string) []string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	return strings.Fields(squadArticle.ReplaceAllString(s, " "))
}

// squadScores are SQuAD's exact match and F1: for no answer both are 1 when both sides are empty, else 0.
func squadScores(answer string, references []string) (em, f1 float64) {
	references = slices.DeleteFunc(slices.Clone(references), func(r string) bool { return len(squadTokens(r)) == 0 })
	if len(references) == 0 {
		references = []string{""}
	}
	a := squadTokens(answer)
	for _, ref := range references {
		r := squadTokens(ref)
		if slices.Equal(a, r) {
			em = 1
		}
		if len(a) == 0 || len(r) == 0 {
			if len(a) == len(r) {
				f1 = 1
			}
			continue
		}
		left, same := map[string]int{}, 0
		for _, t := range r {
			left[t]++
		}
		for _, t := range a {
			if left[t] > 0 {
				left[t]--
				same++
			}
		}
		if same > 0 {
			p, q := float64(same)/float64(len(a)), float64(same)/float64(len(r))
			f1 = max(f1, 2*p*q/(p+q))
		}
	}
	return em, f1
}

type squadQuestion struct {
	Text       string
	Answers    []string
	Answerable bool
	Plausible  []string `json:"plausible_answers"`
}

func squadQuestions(t *testing.T) []squadQuestion {
	t.Helper()
	f, err := os.Open("../../../shared/data/squad2-dev/queries.jsonl")
	if err != nil {
		t.Skipf("no SQuAD questions: %v", err)
	}
	defer f.Close()
	var list []squadQuestion
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var q squadQuestion
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// insideWord matches what the two normalisations treat differently: punctuation or a symbol that touches a letter or a
// digit on both sides, a symbol that SQuAD keeps, and a script without spaces.
var insideWord = regexp.MustCompile(`[\pL\pN_][^\pL\pN\pM\s]+[\pL\pN_]|[^\x00-\x7f]|_`)

// TestSQuAD scores answers to SQuAD's questions by its rule and by ours: a reference as it is, another one, one inside a
// sentence, another question's, the question itself, and none. They may differ only where the texts hold what the
// documented differences are about.
func TestSQuAD(t *testing.T) {
	questions := squadQuestions(t)
	compared, differ, sumSquad, sumOurs := 0, 0, 0.0, 0.0
	for i, q := range questions {
		if !q.Answerable {
			continue
		}
		other := questions[(i+17)%len(questions)]
		answers := []string{
			q.Answers[0], q.Answers[len(q.Answers)-1], "It was the " + q.Answers[0] + ", as the text says.", q.Text, "",
			strings.Join(append(other.Answers, other.Plausible...), " "),
		}
		for _, a := range answers {
			em, f1 := squadScores(a, q.Answers)
			gotF1, gotEM := Best(a, q.Answers)
			compared++
			sumSquad, sumOurs = sumSquad+f1, sumOurs+gotF1
			if math.Abs(em-gotEM) < 1e-12 && math.Abs(f1-gotF1) < 1e-12 {
				continue
			}
			differ++
			if !insideWord.MatchString(a + "\n" + strings.Join(q.Answers, "\n")) {
				t.Errorf("%q against %q: got EM %v, F1 %v, SQuAD has %v, %v", a, q.Answers, gotEM, gotF1, em, f1)
			}
		}
	}
	if compared < 15000 || differ*100 > compared*3 {
		t.Errorf("got %d pairs compared and %d different, want over 15000 and at most 3 %%", compared, differ)
	}
	squad, ours := sumSquad/float64(compared), sumOurs/float64(compared)
	if math.Abs(squad-ours) > 0.002 {
		t.Errorf("mean F1: got %.4f, SQuAD's rule has %.4f", ours, squad)
	}
	t.Logf("%d pairs, %d different (%.2f %%); mean F1 %.4f, by SQuAD's rule %.4f", compared, differ, 100*float64(differ)/float64(compared), ours, squad)
}

// TestSQuADAbstaining repeats the published figure of a system that never answers: EM = F1 = 52.1 by SQuAD's rule. The
// refusal metric sees the same share.
func TestSQuADAbstaining(t *testing.T) {
	questions := squadQuestions(t)
	em, f1, unanswerable := 0.0, 0.0, 0
	for _, q := range questions {
		e, f := squadScores("", q.Answers)
		em, f1 = em+e, f1+f
		if !q.Answerable {
			unanswerable++
		}
	}
	n := float64(len(questions))
	if math.Abs(100*em/n-52.1) > 0.05 || math.Abs(100*f1/n-52.1) > 0.05 || math.Abs(100*float64(unanswerable)/n-52.1) > 0.05 {
		t.Errorf("got EM %.2f, F1 %.2f, unanswerable %.2f %%, want 52.1", 100*em/n, 100*f1/n, 100*float64(unanswerable)/n)
	}
	if !text.Refuses("I could not find the answer in the provided documents.") {
		t.Error("the refusal sentence is not seen as a refusal")
	}
}
