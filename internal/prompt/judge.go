package prompt

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"ragbench/internal/rag"
)

// MarkerJudge is the phrase of the judge's prompt; see MarkerAnswer.
const MarkerJudge = "Judge the answer in the data below on five axes."

var (
	judgeTemplate      = mustLoad("judge", "data")
	judgeRetryTemplate = mustLoad("judge_retry", "reply", "problem")
)

// judging lists the prompts of this file.
var judging = []*Template{judgeTemplate, judgeRetryTemplate}

// JudgeData is what a judge is shown.
type JudgeData struct {
	Question   string   `json:"question"`
	Answerable bool     `json:"answerable"`
	Reference  string   `json:"reference_answer"`
	Answer     string   `json:"model_answer"`
	Keywords   []string `json:"expected_keywords"`
	Category   string   `json:"category"`
	AnswerType string   `json:"answer_type"`
	Blocks     []Block  `json:"-"` // becomes retrieved_context
}

// Judge asks for a judgment on five axes. All data stands in one JSON object, so that no text can end its field; the
// blocks are its last field, a part each, so that the log stores a passage once.
func Judge(d JudgeData) []rag.Message {
	if d.Keywords == nil {
		d.Keywords = []string{}
	}
	head := strings.TrimSuffix(encode(d), "}")
	list := []string{head + `,"retrieved_context":"`}
	for _, b := range d.Blocks {
		list = append(list, inside(b.Part()))
	}
	return judgeTemplate.fill(value{blocks: append(list, `"}`)})
}

// JudgeRetry are the messages that follow a reply of the judge that cannot be used. They show it the reply.
func JudgeRetry(reply, problem string) []rag.Message {
	if strings.TrimSpace(reply) == "" {
		reply = "(an empty reply)"
	}
	return judgeRetryTemplate.fill(value{text: reply}, value{text: problem})
}

// JudgeVersion identifies the wording of both prompts: the version and the first digits of their hashes.
func JudgeVersion() string {
	return "judge/" + strconv.Itoa(judgeTemplate.Version) + " " + judgeTemplate.SHA256[:8] + judgeRetryTemplate.SHA256[:4]
}

// encode writes v as JSON and leaves <, > and & as they are, which a model reads more easily.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // unreachable: texts and booleans always have a JSON form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// inside is s as it stands between the quotes of a JSON string.
func inside(s string) string {
	q := encode(s)
	return q[1 : len(q)-1]
}
