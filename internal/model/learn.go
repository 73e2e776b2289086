package model

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Learned is what a model's own error has taught: it does not take a parameter, and takes another instead, or none.
type Learned struct {
	Model     string // full reference
	BaseURL   string
	Parameter string
	Instead   string // empty: the parameter is left out
	Message   string // of the error
}

// Learner is a provider that can leave out or rename what its model rejects.
type Learner interface {
	// Learn reads an error of a request that was sent with params. ok is true when the same request would now be sent
	// with others, so that it is worth making again.
	Learn(params []Param, e *CallError) (fact Learned, ok bool)
	// Know takes a fact from an earlier run; others than those of the model are ignored.
	Know(fact Learned)
}

// instead lists the parameters that may be left out or renamed. Nothing else is given up: a request without its messages
// or tools would be another one.
var instead = map[string]string{
	"max_tokens":            "max_completion_tokens",
	"max_completion_tokens": "max_tokens",
	"temperature":           "",
	"top_p":                 "",
	"reasoning_effort":      "",
	"response_format":       "",
}

// learner is the knowledge of one model.
type learner struct {
	model, baseURL string

	mu    sync.RWMutex
	known map[string]string // parameter to what is sent instead
}

func newLearner(id Identity) *learner {
	return &learner{model: id.Ref, baseURL: id.BaseURL, known: map[string]string{}}
}

// name returns what to send a parameter as; empty: leave it out.
func (l *learner) name(parameter string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if to, ok := l.known[parameter]; ok {
		if _, both := l.known[to]; both {
			return "" // the model takes neither name
		}
		return to
	}
	return parameter
}

// Learn implements Learner.
func (l *learner) Learn(params []Param, e *CallError) (Learned, bool) {
	name := blamed(params, e)
	if name == "" {
		return Learned{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[name] = instead[name]
	return Learned{Model: l.model, BaseURL: l.baseURL, Parameter: name, Instead: instead[name], Message: e.Message}, true
}

// Know implements Learner.
func (l *learner) Know(f Learned) {
	if f.Model != l.model || f.BaseURL != l.baseURL {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[f.Parameter] = f.Instead
}

// blamed returns the parameter among params that an error says the model does not take. A value out of range is no such
// error: leaving the parameter out would hide a mistake.
func blamed(params []Param, e *CallError) string {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return ""
	}
	text := strings.ToLower(e.Message)
	rejected := e.Code == "unsupported_parameter" || e.Code == "unsupported_value" || e.Code == "unknown_parameter" ||
		slices.ContainsFunc(rejections, func(s string) bool { return strings.Contains(text, s) })
	if !rejected {
		return ""
	}
	for _, p := range params {
		if _, ok := instead[p.Name]; ok && p.Name == e.Param {
			return p.Name
		}
	}
	// Without a param, the first name in the text is at fault: another may follow as what to use instead.
	best, at := "", len(text)
	for _, p := range params {
		if _, ok := instead[p.Name]; !ok {
			continue
		}
		if i := wordIndex(text, p.Name); i >= 0 && i < at {
			best, at = p.Name, i
		}
	}
	return best
}

// rejections are phrases of errors that name a parameter the model does not take.
var rejections = []string{
	"unsupported parameter", "unsupported value", "not supported", "does not support", "unknown parameter", "unrecognized",
	"unexpected keyword", "extra inputs are not permitted", "extra fields not permitted", "is deprecated for this model", "not accept",
}

// wordIndex is where word stands in text by itself: max_tokens is not in max_tokens_to_sample.
func wordIndex(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !wordByte[text[i-1]]) && (end == len(text) || !wordByte[text[end]]) {
			return i
		}
		from = end
	}
}
