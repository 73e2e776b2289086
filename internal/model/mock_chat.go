package model

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// mockChat is mock:mock-llm: it recognises a prompt by a phrase in its system message and answers by a simple rule.
// Only system messages are looked at, so that no document and no question can choose the rule.
type mockChat struct {
	id     Identity
	tokens *counter
}

// mockReplies pairs the phrase of each prompt with the rule that answers it. A later prompt adds a line.
var mockReplies = []struct {
	marker string
	reply  func(ms []rag.Message) string
}{
	{prompt.MarkerAnswer, mockAnswer},
	{prompt.MarkerNoRetrieval, func([]rag.Message) string { return mockUnknown }},
	{prompt.MarkerHyde, mockHyde},
	{prompt.MarkerVariants, mockVariants},
	{prompt.MarkerSubQuestions, mockPlan},
	{prompt.MarkerSubAnswer, mockAnswer},
	{prompt.MarkerGroupedAnswer, mockAnswer},
	{prompt.MarkerRewrite, mockRewrite},
	{prompt.MarkerEnrich, mockEnrich},
	{prompt.MarkerSpanAnswer, mockAnswer},
	{prompt.MarkerJudge, mockJudge},
	{prompt.MarkerRerank, mockRerank},
}

const (
	mockUnknown   = "I could not find the answer from my own knowledge."
	mockAnswerMax = 1200 // code points
)

func openMockChat(r Ref, env Env) (ChatProvider, error) {
	if r.Model != "mock-llm" || r.Dims != 0 {
		return nil, unknownModel(r, "mock chat model", []string{"mock-llm"})
	}
	return &mockChat{Identity{Ref: r.String(), Mock: true, price: "mock-llm"}, newCounter(env.Tokens)}, nil
}

func (m *mockChat) Identity() Identity { return m.id }

func (m *mockChat) Params(req rag.ChatRequest) []Param {
	p := make([]Param, 1, 4)
	p[0] = Param{"model", `"mock-llm"`}
	if req.Temperature != nil {
		p = append(p, Param{"temperature", strconv.FormatFloat(*req.Temperature, 'g', -1, 64)})
	}
	if req.MaxTokens > 0 {
		p = append(p, Param{"max_tokens", strconv.Itoa(req.MaxTokens)})
	}
	if req.JSON {
		p = append(p, Param{"response_format", `"json_object"`})
	}
	return p
}

// SendChat implements ChatProvider. A prompt that no rule knows is an error, as an invented reply would be a silent one.
func (m *mockChat) SendChat(ctx context.Context, req rag.ChatRequest) (ChatResult, error) {
	if err := ctx.Err(); err != nil {
		return ChatResult{}, err
	}
	for _, r := range mockReplies {
		if !marked(req.Messages, r.marker) {
			continue
		}
		text := r.reply(req.Messages)
		return ChatResult{Text: text, Finish: "stop", Usage: TokenUsage{
			Prompt: m.tokens.messages(req.Messages), Completion: m.tokens.part(text),
		}}, nil
	}
	return ChatResult{}, errors.New("the mock model knows no reply to this prompt")
}

func marked(ms []rag.Message, marker string) bool {
	for _, m := range ms {
		if m.Role != "system" {
			continue
		}
		for _, p := range m.Parts {
			if strings.Contains(p, marker) {
				return true
			}
		}
	}
	return false
}

// mockAnswer scores the sentences of the context blocks by the distinct question tokens (more than two letters) they
// hold and joins the best two, the earlier one first on a tie. When these name no document of the context, the first
// three of its ids in sorted order are cited. No shared token, or no context: the refusal.
func mockAnswer(ms []rag.Message) string {
	user := ms[len(ms)-1].Parts
	wanted := questionWords(questionIn(user))
	var begins [256]bool // first letters of wanted, to pass over most tokens without a look-up
	for w := range wanted {
		begins[w[0]] = true
	}
	var best [2]sentence
	var ids []string
	buf := make([]byte, 0, 64)
	seen := make([]bool, len(wanted))
	for _, part := range user {
		id, text, ok := splitBlock(part)
		if !ok {
			continue
		}
		ids = append(ids, id)
		eachSentence(text, func(s string) {
			score := 0
			clear(seen)
			buf = eachToken(s, buf, func(token []byte) {
				if len(token) < 3 || !begins[token[0]] {
					return
				}
				if i, ok := wanted[string(token)]; ok && !seen[i] {
					seen[i] = true
					score++
				}
			})
			switch {
			case score > best[0].score:
				best[0], best[1] = sentence{s, score}, best[0]
			case score > best[1].score && s != best[0].text:
				best[1] = sentence{s, score}
			}
		})
	}
	if best[0].score == 0 {
		return rag.Refusal
	}
	text := strings.Join(strings.Fields(best[0].text+" "+best[1].text), " ")
	return cite(text, ids)
}

type sentence struct {
	text  string
	score int
}

// cite adds the first three ids when text holds none, keeping the whole within mockAnswerMax.
func cite(text string, ids []string) string {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	cites := ""
	if !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(text, "["+id+"]") }) {
		for _, id := range ids[:min(3, len(ids))] {
			cites += " [" + id + "]"
		}
	}
	room := max(0, mockAnswerMax-utf8.RuneCountInString(cites))
	n := 0
	for i := range text {
		if n == room {
			text = text[:i]
			break
		}
		n++
	}
	return text + cites
}

// questionWords numbers the distinct tokens of more than two letters.
func questionWords(q string) map[string]int {
	words := map[string]int{}
	eachToken(q, nil, func(token []byte) {
		if len(token) > 2 {
			if _, ok := words[string(token)]; !ok {
				words[string(token)] = len(words)
			}
		}
	})
	return words
}

// questionIn returns what follows the label in the last part of the user message.
func questionIn(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	_, q, _ := strings.Cut(parts[len(parts)-1], prompt.QuestionLabel)
	return q
}

// splitBlock takes a part "[doc_id | place]\ntext" apart.
func splitBlock(part string) (id, text string, ok bool) {
	if !strings.HasPrefix(part, "[") {
		return "", "", false
	}
	head, text, ok := strings.Cut(part, "]\n")
	if !ok {
		return "", "", false
	}
	i := strings.LastIndex(head, " | ")
	if i < 0 {
		return "", "", false
	}
	return head[1:i], text, true
}

// eachSentence cuts text after . ! ? followed by white space, after their full-width forms, and at blank lines.
func eachSentence(text string, f func(string)) {
	start := 0
	emit := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			f(s)
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '.' || c == '!' || c == '?':
			if i+1 < len(text) && text[i+1] <= ' ' {
				emit(i + 1)
			}
		case c == '\n' && i+1 < len(text) && text[i+1] == '\n':
			emit(i + 1)
		case c == 0xE3 || c == 0xEF:
			if s := text[i:]; strings.HasPrefix(s, "。") || strings.HasPrefix(s, "！") || strings.HasPrefix(s, "？") {
				emit(i + 3)
			}
		}
	}
	emit(len(text))
}
