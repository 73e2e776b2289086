package demo

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sum adds its operands.
func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// computed holds, for each question that needs the calculator, the figures as the evidence or the question writes them,
// the computation over them and the result as the reference writes it.
var computed = []struct {
	id       string
	operands []string
	compute  func(x []float64) float64
	want     string
}{
	{"q062", []string{"13.60", "6.80"}, func(x []float64) float64 { return 2*x[0] + x[1] }, "34.00"},
	{"q063", []string{"54.00", "13.60"}, sum, "67.60"},
	{"q064", []string{"176.00", "20", "4.5"}, func(x []float64) float64 { return x[0] * (1 + x[1]/100 + x[2]/100) }, "219.12"},
	{"q065", []string{"640", "802"}, func(x []float64) float64 { return 100 * (x[1] - x[0]) / x[0] }, "25.3"},
	{"q066", []string{"318", "449"}, func(x []float64) float64 { return 100 * x[0] / x[1] }, "70.8"},
	{"q067", []string{"9.80", "83.00"}, func(x []float64) float64 { return 10*x[0] - x[1] }, "15.00"},
	{"q068", []string{"24.00", "6.5", "4.70"}, func(x []float64) float64 { return x[0] + x[1]*x[2] }, "54.55"},
	{"q069", []string{"19,380", "2,356", "51"}, func(x []float64) float64 { return (x[0] - x[1]) / x[2] }, "333.80"},
	{"q070", []string{"2.8", "410"}, func(x []float64) float64 { return x[0] * 1000 / x[1] }, "6.8"},
	{"q071", []string{"27,300", "1,150"}, func(x []float64) float64 { return x[0] + x[1] + 300 }, "28,750"},
	{"q072", []string{"612,400", "1,304,100"}, func(x []float64) float64 { return 100 * x[0] / x[1] }, "47.0"},
	{"q073", []string{"600,000", "6,000"}, func(x []float64) float64 { return x[0] / x[1] }, "100"},
	{"q074", []string{"82.00"}, func(x []float64) float64 { return x[0] / 5 }, "16.40"},
	{"q075", []string{"38", "40"}, func(x []float64) float64 { return 3 * x[0] * (1 - x[1]/100) }, "68.40"},
	{"q090", []string{"1,020", "17,300", "2,180", "61,000", "7,400", "3,100", "6,250", "880", "140", "260", "95"}, sum, "99,625"},
	{"q091", []string{"320", "340", "360", "396"}, sum, "1,416"},
	{"q093", []string{"310", "185", "96"}, sum, "591"},
	{"q096", []string{"19.4", "1.6"}, sum, "21.0"},
	{"q098", []string{"18", "26", "9", "12"}, func(x []float64) float64 { return sum(x) + 2 }, "67"},
}

// number reads a figure with thousands commas.
func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// quoted joins the question and its evidence.
func quoted(q question) string {
	var b strings.Builder
	b.WriteString(q.Question)
	for _, e := range q.Evidence {
		b.WriteString("\n" + e.Quote)
	}
	return b.String()
}

// byTool returns the questions that require the tool, by identifier.
func byTool(t *testing.T, tool string) map[string]question {
	t.Helper()
	out := make(map[string]question)
	for _, q := range readQuestions(t) {
		for _, name := range q.Tools {
			if name == tool {
				out[q.ID] = q
			}
		}
	}
	return out
}

func TestCalculatedAnswers(t *testing.T) {
	questions := byTool(t, "calculator")
	for _, c := range computed {
		q, ok := questions[c.id]
		if !ok {
			t.Errorf("%s: no such question with the calculator", c.id)
			continue
		}
		delete(questions, c.id)
		var x []float64
		for _, s := range c.operands {
			if !contains(quoted(q), s) {
				t.Errorf("%s: figure %s is neither in the question nor in the evidence", c.id, s)
			}
			x = append(x, number(t, s))
		}
		_, fraction, _ := strings.Cut(c.want, ".")
		half := math.Pow(10, -float64(len(fraction)))/2 + 1e-9
		if got := c.compute(x); math.Abs(got-number(t, c.want)) > half {
			t.Errorf("%s: got %v, want %s", c.id, got, c.want)
		}
		if !contains(q.reference(), c.want) {
			t.Errorf("%s: %s is not in the reference %q", c.id, c.want, q.reference())
		}
	}
	for id := range questions {
		t.Errorf("%s: the calculated answer is not checked", id)
	}
}

// date reads a day such as 2 May 1968.
func date(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse("2 January 2006", s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDatesBetween(t *testing.T) {
	for _, c := range []struct{ id, from, to, want string }{
		{"q076", "3 February 2025", "24 February 2025", "21"},
		{"q077", "12 January 2026", "30 January 2026", "18"},
		{"q078", "30 September 2026", "15 February 2027", "138"},
		{"q083", "12 March 2025", "2 June 2025", "82"},
		{"q085", "1 January 2026", "31 July 2028", "942"},
		{"q086", "20 May 2025", "18 November 2025", "182"},
		{"q084", "22 August 2024", "27 August 2024", "5"},
	} {
		q, ok := byTool(t, "date_calc")[c.id]
		if !ok {
			t.Fatalf("%s: no such question with date_calc", c.id)
		}
		days := int(date(t, c.to).Sub(date(t, c.from)).Hours() / 24)
		if got := strconv.Itoa(days); got != c.want {
			t.Errorf("%s: got %s days, want %s", c.id, got, c.want)
		}
		if !contains(strings.ReplaceAll(q.reference(), "Five", "5"), c.want) {
			t.Errorf("%s: %s is not in the reference %q", c.id, c.want, q.reference())
		}
		for _, day := range []string{c.from, c.to} {
			dayMonth := day[:strings.LastIndex(day, " ")]
			if !contains(quoted(q), dayMonth) {
				t.Errorf("%s: %s is neither in the question nor in the evidence", c.id, dayMonth)
			}
		}
	}
}

func TestDatesShifted(t *testing.T) {
	for _, c := range []struct {
		id, from            string
		years, months, days int
		want                string
	}{
		{"q080", "14 November 2025", 0, 0, 60, "13 January 2026"},
		{"q081", "10 May 2022", 0, 0, 28, "7 June 2022"},
		{"q082", "30 April 2026", 0, -6, 0, "30 October 2025"},
		{"q087", "5 March 2026", 3, 0, 0, "5 March 2029"},
		{"q088", "25 July 2026", 0, -9, 0, "25 October 2025"},
		{"q089", "20 December 2025", 0, 12, 0, "20 December 2026"},
	} {
		q, ok := byTool(t, "date_calc")[c.id]
		if !ok {
			t.Fatalf("%s: no such question with date_calc", c.id)
		}
		if got := date(t, c.from).AddDate(c.years, c.months, c.days).Format("2 January 2006"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.id, got, c.want)
		}
		if !contains(q.reference(), c.want) {
			t.Errorf("%s: %s is not in the reference %q", c.id, c.want, q.reference())
		}
	}
}

func TestFullYears(t *testing.T) {
	from, to := date(t, "2 May 1968"), date(t, "1 April 1991")
	if from.AddDate(22, 0, 0).After(to) || !from.AddDate(23, 0, 0).After(to) {
		t.Errorf("q079: got another count of full years from %v to %v, want 22", from, to)
	}
}
