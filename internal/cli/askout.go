package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/report"
	"ragbench/internal/trace"
)

// answerStream writes an answer as it grows. A call that starts over, with a text that does not go on from the one
// shown, begins a new line.
type answerStream struct {
	w     io.Writer
	shown string
}

// show is called with the text so far.
func (s *answerStream) show(text string) {
	rest, ok := strings.CutPrefix(text, s.shown)
	if !ok {
		fmt.Fprintln(s.w)
		rest = text
	}
	s.shown = text
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 {
			fmt.Fprintln(s.w)
		}
		fmt.Fprint(s.w, report.Cell(line))
	}
}

// chatModel gives the embedded interface a name that its method does not have.
type chatModel = rag.Chat

// streaming is a chat model whose answers are shown while they come.
type streaming struct {
	chatModel
	show func(text string)
}

// Chat implements rag.Chat.
func (s streaming) Chat(ctx context.Context, req rag.ChatRequest) (rag.ChatReply, error) {
	if req.Purpose == "answer" {
		req.Stream = s.show
	}
	return s.chatModel.Chat(ctx, req)
}

// stream has the answers of a chat model shown while they come.
func (m *models) stream(ref string, show func(text string)) error {
	c, err := m.chat(ref)
	if err != nil || c == nil {
		return err
	}
	m.chats[ref] = streaming{c, show}
	return nil
}

// askJSON is what ask prints for programs.
type askJSON struct {
	System    string        `json:"system"`
	Question  string        `json:"question"`
	Answer    string        `json:"answer"`
	Refused   bool          `json:"refused"`
	Citations []string      `json:"citations"`
	Passages  []passageJSON `json:"passages"`
	Steps     []stepJSON    `json:"steps"`
	CostUSD   *float64      `json:"cost_usd"` // null: unknown
}

type passageJSON struct {
	Rank     int     `json:"rank"`
	Document string  `json:"document"`
	Chunk    string  `json:"chunk"`
	Score    float64 `json:"score"`
	Text     string  `json:"text"`
}

type stepJSON struct {
	Step     string         `json:"step"`
	MS       float64        `json:"ms"`
	Output   string         `json:"output"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// asJSON lays an answer out for programs.
func (x asked) asJSON(system string) askJSON {
	out := askJSON{
		System: system, Question: x.question, Answer: x.answer.Text, Refused: x.answer.Refused,
		Citations: append([]string{}, x.answer.Citations...), Passages: []passageJSON{}, Steps: []stepJSON{},
	}
	for i, h := range x.read {
		out.Passages = append(out.Passages, passageJSON{i + 1, h.Chunk.DocID, h.Chunk.Key, h.Score, h.Chunk.Text})
	}
	for _, s := range x.steps {
		out.Steps = append(out.Steps, stepJSON{string(s.Kind) + ":" + s.Name, float64(s.Latency.Microseconds()) / 1000, s.Output, s.Metadata})
	}
	if total := trace.Usage(x.steps).Total(); !total.Unknown {
		out.CostUSD = &total.USD
	}
	return out
}
