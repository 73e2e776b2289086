package text

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	versus    = regexp.MustCompile(`(?i)\s(?:vs\.?|versus)\s`)
	compareOf = regexp.MustCompile(`(?i)^compare\s+(.+?)\s+and\s+(.+)$`)
	suffixOf  = regexp.MustCompile(`(?i)\s+(?:by|for)\s+.*$`)
	clause    = regexp.MustCompile(`(?i)\s+and\s+(what|which|who|when|where|how|why|did|does|do|is|are)\s`)
)

// notEntities are the words that begin a question or a command, which a capital does not make a name.
var notEntities = map[string]bool{
	"what": true, "which": true, "who": true, "when": true, "where": true, "how": true, "why": true, "did": true, "does": true,
	"do": true, "is": true, "are": true, "compare": true, "contrast": true, "summarize": true, "explain": true,
}

// Variants words a question in up to limit ways without a model: the question itself, the sides of a comparison, its
// clauses, and its capitalised names. Wordings of fewer than two words are dropped; the question always stays.
func Variants(question string, limit int) []string {
	clean := strings.TrimRight(strings.TrimSpace(Normalise(question)), "? ")
	if clean == "" {
		return []string{question}
	}
	list := append([]string{clean}, comparison(clean)...)
	list = append(list, clauses(clean)...)
	list = append(list, entities(clean)...)
	seen := map[string]bool{}
	var out []string
	for i, v := range list {
		v = strings.TrimSpace(v)
		if seen[v] || i > 0 && len(strings.Fields(v)) < 2 {
			continue
		}
		seen[v] = true
		if out = append(out, v); len(out) == limit {
			break
		}
	}
	return out
}

// SubQuestions splits a question of several parts without a model: its clauses, else the sides of its comparison, each
// of two words or more, without repeats in any case. A question that does not split gives none.
func SubQuestions(question string) []string {
	clean := strings.TrimRight(strings.TrimSpace(Normalise(question)), "? ")
	parts := clauses(clean)
	if len(parts) == 0 {
		parts = comparison(clean)
	}
	seen := map[string]bool{}
	var out []string
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if key := strings.ToLower(p); len(strings.Fields(p)) >= 2 && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

// comparison returns the two sides of "A vs B", or of "compare A and B by C" with the shared "by C" on each.
func comparison(q string) []string {
	if at := versus.FindStringIndex(q); at != nil {
		return []string{q[:at[0]], q[at[1]:]}
	}
	m := compareOf.FindStringSubmatch(q)
	if m == nil {
		return nil
	}
	suffix := suffixOf.FindString(m[2])
	return []string{m[1] + suffix, strings.TrimSuffix(m[2], suffix) + suffix}
}

// clauses splits at "and" before a question word; nil when there is one part only.
func clauses(q string) []string {
	at := clause.FindAllStringSubmatchIndex(q, -1)
	if at == nil {
		return nil
	}
	var parts []string
	start := 0
	for _, m := range at {
		parts = append(parts, q[start:m[0]])
		start = m[2]
	}
	return append(parts, q[start:])
}

// entities returns the runs of words that begin with a capital, longer than two letters, that do not begin with a
// question or command word.
func entities(q string) []string {
	var out, run []string
	flush := func() {
		if name := strings.Join(run, " "); len(run) > 0 && len(name) > 2 && !notEntities[strings.ToLower(run[0])] {
			out = append(out, name)
		}
		run = nil
	}
	for _, w := range strings.Fields(q) {
		word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word == "" || !unicode.IsUpper([]rune(word)[0]) {
			flush()
			continue
		}
		run = append(run, word)
		if strings.TrimRight(w, ",;:.)") != w {
			flush()
		}
	}
	flush()
	return out
}
