package judge

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"ragbench/internal/prompt"
	"ragbench/internal/rag"
)

// maxTokens bounds a judge's reply: reasons of a few sentences and eight values.
const maxTokens = 1200

// maxShown is how much of a bad reply the retry shows, in code points.
const maxShown = 2000

// LLM judges by a chat model.
type LLM struct {
	Chat            rag.Chat
	NumSamples      int
	Temperature     float64 // above 0 for more than one sample
	MaxContextChars int     // of the passages, in code points
}

var _ Judge = (*LLM)(nil)

// Name implements Judge: the model reference.
func (j *LLM) Name() string { return j.Chat.Ref() }

// Version implements Judge: the version and hash of the prompts.
func (j *LLM) Version() string { return prompt.JudgeVersion() }

// Samples implements Judge.
func (j *LLM) Samples() int { return max(1, j.NumSamples) }

// Judge implements Judge. Each sample is one call, and a second that shows the model its reply where that could not be
// used. A call that fails is not made again here: the model's own log has done so where it may help.
func (j *LLM) Judge(ctx context.Context, c *Case, samples []int) ([]Verdict, error) {
	messages := prompt.Judge(j.data(c))
	list := make([]Verdict, 0, len(samples))
	for _, s := range samples {
		v := j.sample(ctx, messages, s, c.Rounds[s])
		if err := ctx.Err(); err != nil && v.Status != OK {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

// data is what the model is shown. The passages are cut at MaxContextChars.
func (j *LLM) data(c *Case) prompt.JudgeData {
	d := prompt.JudgeData{
		Question: c.Question, Answerable: c.Answerable, Reference: c.Reference, Answer: c.Answer, Keywords: c.Keywords,
		Category: c.Category, AnswerType: c.AnswerType,
	}
	left := j.MaxContextChars
	for _, b := range c.Context {
		n := utf8.RuneCountInString(b.Part())
		if n > left {
			b.Text = short(b.Text, max(0, utf8.RuneCountInString(b.Text)-(n-left)))
		}
		if b.Text == "" || left <= 0 {
			break
		}
		left -= n
		d.Blocks = append(d.Blocks, b)
	}
	return d
}

// sample makes one judgment. round distinguishes it from earlier ones that failed, so that no stored reply is met again.
func (j *LLM) sample(ctx context.Context, messages []rag.Message, sample, round int) Verdict {
	req := rag.ChatRequest{
		Messages: messages, MaxTokens: maxTokens, Temperature: &j.Temperature, JSON: true,
		Repeat: 100*round + sample, Purpose: "judge",
	}
	v := Verdict{Sample: sample, Round: round}
	for attempt := 0; ; attempt++ {
		reply, err := j.Chat.Chat(ctx, req)
		v.Calls = append(v.Calls, reply.Call)
		if err != nil {
			v.Status, v.Reason = Failed, short(err.Error(), maxReason)
			return v
		}
		got, err := parseReply(reply.Text)
		if err == nil {
			got.Sample, got.Round, got.Calls = v.Sample, v.Round, v.Calls
			if attempt > 0 {
				got.Repair = strings.TrimPrefix(got.Repair+",asked again: "+v.Reason, ",")
			}
			return got
		}
		v.Status, v.Reason = Unparsed, err.Error()
		if reply.Finish != "stop" {
			v.Reason += " (" + reply.Finish + ")"
		}
		if attempt > 0 {
			return v
		}
		req.Messages = slices.Concat(messages, prompt.JudgeRetry(short(reply.Text, maxShown), err.Error()))
		req.Purpose = "judge_retry"
	}
}
