package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"ragbench/internal/rag"
)

// openAIDecider is a decision model of OpenAI or of a compatible endpoint: POST /decisions with one predicate a question
// (OpenAI Decisions API, public beta). Answers are read by their position; anything but a probability is unknown.
type openAIDecider struct {
	ref  Ref
	id   Identity
	base string
	key  string
	http doer
}

func openOpenAIDecider(r Ref, env Env) (DecideProvider, error) {
	_, id, err := openAIClient(r, env)
	if err != nil {
		return nil, err
	}
	_, key, err := openAIAddress(r, env)
	if err != nil {
		return nil, err
	}
	return &openAIDecider{ref: r, id: id, base: id.BaseURL, key: key, http: newDoer(env.client())}, nil
}

func (d *openAIDecider) Identity() Identity { return d.id }

type decisionRequest struct {
	Model     string             `json:"model"`
	Input     string             `json:"input"`
	Questions []decisionQuestion `json:"questions"`
}

type decisionQuestion struct {
	Type         string `json:"type"`
	Name         string `json:"name"`
	Instructions string `json:"instructions"`
}

type decisionReply struct {
	Model   string `json:"model"`
	Answers []struct {
		Type        string          `json:"type"`
		Probability json.RawMessage `json:"probability"`
	} `json:"answers"`
	Usage struct {
		InputTokens        int `json:"input_tokens"`
		OutputTokens       int `json:"output_tokens"`
		InputTokensDetails struct {
			CachedTokens int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
}

// SendDecide implements DecideProvider.
func (d *openAIDecider) SendDecide(ctx context.Context, input string, ps []rag.Predicate) (DecideResult, error) {
	body := decisionRequest{Model: d.ref.Model, Input: input, Questions: make([]decisionQuestion, len(ps))}
	for i, p := range ps {
		body.Questions[i] = decisionQuestion{"predicate", p.Name, p.Instructions}
	}
	rep, err := d.post(ctx, body)
	if err != nil {
		return DecideResult{}, err
	}
	if err := checkServed(d.ref, rep.Model); err != nil {
		return DecideResult{}, err
	}
	if len(rep.Answers) != len(ps) {
		return DecideResult{}, &CallError{Message: fmt.Sprintf("the reply has %d answers for %d predicates", len(rep.Answers), len(ps))}
	}
	out := DecideResult{Served: rep.Model, Usage: TokenUsage{
		Prompt: rep.Usage.InputTokens, Completion: rep.Usage.OutputTokens, Cached: rep.Usage.InputTokensDetails.CachedTokens,
	}}
	for i, p := range ps {
		a := rep.Answers[i]
		dec := rag.Decision{Name: p.Name}
		var value *float64
		switch err := json.Unmarshal(a.Probability, &value); {
		case a.Type == "refusal":
			dec.Reason = "the model declined"
		case a.Type != "predicate":
			dec.Reason = fmt.Sprintf("the answer is of type %q", a.Type)
		case err != nil || value == nil:
			dec.Reason = "the answer has no probability"
		default:
			dec.Probability = value
		}
		out.Decisions = append(out.Decisions, dec)
	}
	return out, nil
}

func (d *openAIDecider) post(ctx context.Context, body any) (rep decisionReply, err error) {
	b, err := json.Marshal(body)
	if err != nil {
		return rep, fmt.Errorf("encode request: %w", err) // unreachable: strings only
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+"/decisions", bytes.NewReader(b))
	if err != nil {
		return rep, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if d.key != "" {
		req.Header.Set("Authorization", "Bearer "+d.key)
	}
	res, err := d.http.Do(req)
	if err != nil {
		return rep, err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&rep); err != nil {
		return rep, &CallError{Message: "read reply: " + err.Error()}
	}
	return rep, nil
}
