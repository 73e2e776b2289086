package ragtest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ragbench/internal/rag"
	"ragbench/internal/rerank"
	"ragbench/internal/spec"
	"ragbench/internal/systems"
	"ragbench/internal/text"
	"ragbench/internal/trace"
)

// checker holds what one system says to one question against what is promised of every system.
type checker struct {
	t     *testing.T
	entry *spec.Entry[systems.Kind]
	docs  map[string]bool // of the corpus
}

func (k *checker) check(q rag.Question, a asked) {
	k.t.Helper()
	reranked := slices.ContainsFunc(a.Steps, func(s rag.Step) bool { return s.Kind == rag.StepRerank })
	for _, problem := range slices.Concat(
		k.list(rag.LegFinal, a.Ranking.Hits, !reranked),
		k.legs(a, reranked),
		k.context(a),
		k.steps(a),
	) {
		k.t.Errorf("%s: %s", short(q), problem)
	}
}

// list checks one ranked list: ranks from 1 without a gap, each chunk once, a finite score, and, when it is ordered by
// score, no score above the one before.
func (k *checker) list(leg string, hits []rag.Hit, byScore bool) (problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, leg+": "+fmt.Sprintf(format, args...)) }
	seen := map[int64]bool{}
	for i, h := range hits {
		switch c := h.Chunk; {
		case h.Rank != i+1:
			bad("hit %d has rank %d", i+1, h.Rank)
		case seen[c.RowID]:
			bad("hit %d is chunk %s again", i+1, c.Key)
		case c.RowID == 0 || c.Key == "" || text.Blank(c.Text):
			bad("hit %d has no chunk: %+v", i+1, c)
		case !k.docs[c.DocID]:
			bad("hit %d is of document %q, which the corpus lacks", i+1, c.DocID)
		case math.IsNaN(h.Score) || math.IsInf(h.Score, 0):
			bad("hit %d has score %v", i+1, h.Score)
		case byScore && i > 0 && h.Score > hits[i-1].Score:
			bad("hit %d scores %v, above %v before it", i+1, h.Score, hits[i-1].Score)
		}
		seen[h.Chunk.RowID] = true
	}
	return problems
}

// legs checks the lists behind the ranking: each in order, ties by chunk, each with the output of its step; and the
// ranking holds nothing that no leg holds.
func (k *checker) legs(a asked, reranked bool) (problems []string) {
	byName := map[string][]rag.Hit{}
	found := map[int64]bool{}
	for _, leg := range a.Ranking.Legs {
		if _, twice := byName[leg.Name]; twice || leg.Name == rag.LegFinal {
			problems = append(problems, fmt.Sprintf("leg %q is there twice", leg.Name))
		}
		byName[leg.Name] = leg.Hits
		problems = append(problems, k.list(leg.Name, leg.Hits, true)...)
		for i, h := range leg.Hits {
			found[h.Chunk.RowID] = true
			if i > 0 && h.Score == leg.Hits[i-1].Score && h.Chunk.RowID < leg.Hits[i-1].Chunk.RowID && !isFusion(leg.Name) {
				problems = append(problems, fmt.Sprintf("%s: hit %d ties with the one before and has the smaller chunk id", leg.Name, i+1))
			}
		}
	}
	searches := map[string]int{}
	for _, s := range a.Steps {
		name, ok := strings.CutSuffix(s.Name, "_search")
		if s.Kind != rag.StepRetrieve || !ok {
			continue
		}
		leg := name
		if n := searches[name]; n > 0 {
			leg = fmt.Sprintf("%s#%d", name, n)
		}
		searches[name]++
		if want := trace.Preview(trace.Chunks(byName[leg])); s.Output != want {
			problems = append(problems, fmt.Sprintf("step %s found %q, its leg %s holds %q", s.Name, s.Output, leg, want))
		}
	}
	if len(searches) == 0 {
		return problems
	}
	whole := true // what was found is what is ranked
	for i, h := range a.Ranking.Hits {
		whole = whole && found[h.Chunk.RowID] && !wider(h.Chunk, a.Ranking.Legs)
		if !found[h.Chunk.RowID] && !wider(h.Chunk, a.Ranking.Legs) {
			problems = append(problems, fmt.Sprintf("final: hit %d is in no leg, nor around a hit of one", i+1))
		}
	}
	if len(searches) == 1 && k.searches() == 1 && len(a.Ranking.Legs) == 1 && !reranked && whole {
		for i, h := range a.Ranking.Hits {
			if l := a.Ranking.Legs[0].Hits; i >= len(l) || l[i].Chunk.RowID != h.Chunk.RowID || l[i].Score != h.Score {
				problems = append(problems, fmt.Sprintf("final: hit %d differs from the only leg", i+1))
			}
		}
	}
	return problems
}

// wider tells whether c holds something smaller that a leg found, as a parent holds its child and a window its sentence.
func wider(c rag.Chunk, legs []rag.Leg) bool {
	for _, leg := range legs {
		for _, h := range leg.Hits {
			s := h.Chunk
			inside := s.DocRowID == c.DocRowID && c.Start <= s.Start && s.End <= c.End
			if inside && (s.Kind != c.Kind || s.End-s.Start < c.End-c.Start) {
				return true
			}
		}
	}
	return false
}

// isFusion tells a leg that is itself a fusion of lists, whose ties go to the chunk seen first, from a search.
func isFusion(leg string) bool {
	base, _, _ := strings.Cut(leg, "#")
	return base == "variant" || base == "subquestion" || base == "fused"
}

// searches counts the kinds of search the system must make.
func (k *checker) searches() (n int) {
	for _, step := range k.entry.New.Required {
		if strings.HasSuffix(step, "_search") {
			n++
		}
	}
	return n
}

// context checks what the generator reads and cites: hits of the ranking, and documents among those.
func (k *checker) context(a asked) (problems []string) {
	ranked := map[int64]bool{}
	docs := map[string]bool{}
	for _, h := range a.Ranking.Hits {
		ranked[h.Chunk.RowID] = true
		docs[h.Chunk.DocID] = true
	}
	for i, h := range a.Ranking.Context {
		if !ranked[h.Chunk.RowID] {
			problems = append(problems, fmt.Sprintf("context: block %d is not in the ranking", i+1))
		}
	}
	for _, id := range a.Answer.Citations {
		if !docs[id] {
			problems = append(problems, fmt.Sprintf("the answer cites %q, which was not retrieved", id))
		}
	}
	if a.Answer.Text == "" {
		problems = append(problems, "the answer is empty")
	}
	if len(a.Ranking.Hits) == 0 && !a.Answer.Refused {
		problems = append(problems, fmt.Sprintf("nothing was found and the answer is no refusal: %q", a.Answer.Text))
	}
	return problems
}

// steps checks the trace: the required steps are there, every step is one that the entry names, none failed, and the
// previews are short.
func (k *checker) steps(a asked) (problems []string) {
	var made []string
	for _, s := range a.Steps {
		name := string(s.Kind) + ":" + s.Name
		made = append(made, name)
		if !slices.ContainsFunc(k.entry.New.Trace, func(t string) bool { return stands(strings.Trim(t, "[]"), name) }) {
			problems = append(problems, fmt.Sprintf("step %s is not in the trace that the table promises", name))
		}
		if s.Error != "" {
			problems = append(problems, fmt.Sprintf("step %s failed: %s", name, s.Error))
		}
		if n := max(utf8.RuneCountInString(s.Input), utf8.RuneCountInString(s.Output)); n > trace.PreviewChars {
			problems = append(problems, fmt.Sprintf("step %s keeps a preview of %d characters", name, n))
		}
	}
	for _, want := range k.entry.New.Required {
		if !slices.ContainsFunc(made, func(name string) bool { return stands(want, name) }) {
			problems = append(problems, fmt.Sprintf("the required step %s is missing from %v", want, made))
		}
	}
	return problems
}

// stands tells whether a step of the table stands for one that was made. <reranker> stands for the name of any reranker.
func stands(entry, made string) bool {
	return entry == made || entry == "rerank:<reranker>" && slices.Contains(rerank.All.Names(), strings.TrimPrefix(made, "rerank:"))
}

// spent checks that the steps say all that the models were asked for between two readings of the meter.
func (k *checker) spent(q rag.Question, a asked, calls int, u rag.Usage) {
	k.t.Helper()
	sum := trace.Usage(a.Steps)
	if sum.PromptTokens != u.PromptTokens || sum.CompletionTokens != u.CompletionTokens || sum.EmbeddingTokens != u.EmbeddingTokens {
		k.t.Errorf("%s: the steps say %d prompt, %d completion and %d embedding tokens, the models %d, %d and %d", short(q),
			sum.PromptTokens, sum.CompletionTokens, sum.EmbeddingTokens, u.PromptTokens, u.CompletionTokens, u.EmbeddingTokens)
	}
	if got, want := sum.Total(), u.Total(); got.Unknown || want.Unknown || math.Abs(got.USD-want.USD) > 1e-12 {
		k.t.Errorf("%s: the steps cost %+v, the models charged %+v", short(q), got, want)
	}
	if a.calls != calls {
		k.t.Errorf("%s: the steps hold %d calls, the models answered %d", short(q), a.calls, calls)
	}
}
