package fakeserver

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
)

// Dims is the length of the vectors.
const Dims = 16

// vector follows from the words of a text: each adds to one place, so that texts with the same words are near each other.
func vector(text string) []any {
	var v [Dims]float64
	v[0] = .125 // so that no text has a vector of zeros
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(strings.Trim(w, ".,;:?!()[]\"'")))
		v[h.Sum32()%Dims]++
	}
	out := make([]any, Dims)
	for i, x := range v {
		out[i] = x
	}
	return out
}

// embed is OpenAI's embeddings.
func (s *Server) embed(e *exchange) {
	if scripted(e) {
		return
	}
	var req struct {
		Input      []string
		Dimensions int
	}
	if json.Unmarshal(e.body, &req) != nil || len(req.Input) == 0 {
		e.fail(http.StatusBadRequest, "invalid_request", "input", "input: want a list of texts")
		return
	}
	type item struct {
		Object    string `json:"object"`
		Index     int    `json:"index"`
		Embedding []any  `json:"embedding"`
	}
	tokens := 0
	data := make([]item, len(req.Input))
	for i, text := range req.Input {
		words := strings.Fields(text)
		if e.model == "truncating-embedding" && len(words) > 8 {
			words = words[:8]
			text = strings.Join(words, " ")
		}
		tokens += max(1, len(words))
		data[i] = item{"embedding", i, vector(text)}
	}
	last := len(data) - 1
	switch e.model {
	case "reversed-embedding":
		for i, j := 0, last; i < j; i, j = i+1, j-1 {
			data[i], data[j] = data[j], data[i]
		}
	case "short-embedding":
		data = data[:last]
	case "zero-embedding":
		data[last].Embedding = make([]any, Dims)
		for i := range Dims {
			data[last].Embedding[i] = 0
		}
	case "null-embedding":
		data[last].Embedding[0] = nil
	case "dims-embedding":
		if e.n > 1 || last > 0 {
			data[last].Embedding = data[last].Embedding[:Dims/2]
		}
	case "nan-embedding": // NaN is no JSON: servers that send it send broken JSON
		fmt.Fprint(e.w, `{"object":"list","data":[{"index":0,"embedding":[NaN,1,1]}]}`)
		return
	}
	e.write(map[string]any{"object": "list", "model": e.model, "data": data, "usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens}})
}

// decide is OpenAI's decisions: the probability of a predicate is the share of its words that the input holds.
func (s *Server) decide(e *exchange) {
	if scripted(e) {
		return
	}
	var req struct {
		Input     string
		Questions []struct{ Type, Name, Instructions string }
	}
	if json.Unmarshal(e.body, &req) != nil || len(req.Questions) == 0 {
		e.fail(http.StatusBadRequest, "invalid_request", "questions", "questions: want at least one")
		return
	}
	input := strings.ToLower(req.Input)
	answers := make([]any, len(req.Questions))
	for i, q := range req.Questions {
		words, found := strings.Fields(strings.ToLower(q.Instructions)), 0
		for _, w := range words {
			if strings.Contains(input, w) {
				found++
			}
		}
		answer := map[string]any{"type": "predicate", "name": q.Name, "probability": float64(found) / float64(max(1, len(words)))}
		switch {
		case e.model == "refusing-decider" && i == 1:
			answer = map[string]any{"type": "refusal", "name": q.Name}
		case e.model == "wild-decider" && i == 0:
			answer["probability"] = 1.5
		case e.model == "wild-decider" && i == 1:
			answer["probability"] = "high"
		}
		answers[i] = answer
	}
	if e.model == "short-decider" {
		answers = answers[:len(answers)-1]
	}
	n := len(strings.Fields(req.Input))
	e.write(map[string]any{"model": e.model, "answers": answers, "usage": map[string]int{"input_tokens": n, "output_tokens": 0, "total_tokens": n}})
}
