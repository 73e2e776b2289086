package fakeserver

import (
	"net/http"
	"strings"
	"time"
)

// Behaviour is what a model name of the server stands for.
type Behaviour struct {
	Model string
	Kind  string // chat, embedding or decision
	Doc   string
}

// Behaviours lists every model name that does not simply answer well, in reading order. Chat models answer alike through
// both chat APIs.
var Behaviours = []Behaviour{
	{"fenced-json", "chat", "a JSON object in a fenced block"},
	{"prose-after-json", "chat", "a JSON object, then a sentence"},
	{"truncated-json", "chat", "half a JSON object"},
	{"list-json", "chat", "a JSON list instead of an object"},
	{"missing-field", "chat", "an object without its fields"},
	{"null-field", "chat", "an object with null fields"},
	{"false-string", "chat", `a verdict as the text "false"`},
	{"incorrect-word", "chat", "the word INCORRECT instead of a verdict"},
	{"out-of-range", "chat", "scores of 11 and -1"},
	{"empty-choices", "chat", "a reply without a choice"},
	{"null-content", "chat", "a choice without content"},
	{"refusal", "chat", "a refusal"},
	{"length", "chat", "a text cut by the limit"},
	{"content-filter", "chat", "a text cut by a filter"},
	{"content-filter-400", "chat", "a prompt refused by a filter"},
	{"no-temperature", "chat", "status 400 for a temperature"},
	{"new-limit-name", "chat", "status 400 for max_tokens, which is max_completion_tokens"},
	{"old-limit-name", "chat", "status 400 for max_completion_tokens, which is max_tokens"},
	{"no-effort", "chat", "status 400 for a reasoning effort"},
	{"bad-value", "chat", "status 400 for a value out of range"},
	{"context-length", "chat", "status 400: the prompt is too long"},
	{"echo-key", "chat", "status 401 with the key in it"},
	{"forbidden", "chat", "status 403"},
	{"limit-seconds", "chat", "status 429 with Retry-After in seconds, once"},
	{"limit-date", "chat", "status 429 with Retry-After as a date, once"},
	{"no-quota", "chat", "status 429: the quota is used up"},
	{"error-once", "chat", "status 500, once"},
	{"error-always", "chat", "status 503"},
	{"conflict-once", "chat", "status 409, once"},
	{"timeout-once", "chat", "status 408, once"},
	{"silent", "chat", "headers, then nothing"},
	{"cut-once", "chat", "half a reply, once"},
	{"broken-json", "chat", "a body that is no JSON"},
	{"other-model", "chat", "a reply of another model"},
	{"no-usage", "chat", "a reply without token counts"},
	{"bad-tool-args", "chat", "a tool call whose arguments are no JSON"},
	{"unknown-tool", "chat", "a call of a tool that does not exist"},
	{"endless-tools", "chat", "the same tool call again and again"},
	{"reversed-embedding", "embedding", "vectors in reverse order, with their indexes"},
	{"short-embedding", "embedding", "one vector too few"},
	{"zero-embedding", "embedding", "a vector of zeros"},
	{"nan-embedding", "embedding", "a vector with NaN"},
	{"null-embedding", "embedding", "a vector with null"},
	{"dims-embedding", "embedding", "a vector of another length"},
	{"truncating-embedding", "embedding", "long texts cut in silence, which the token count shows"},
	{"error-once-embedding", "embedding", "status 500, once"},
	{"refusing-decider", "decision", "a refusal for the second question"},
	{"wild-decider", "decision", "a probability of 1.5, then one that is a text"},
	{"short-decider", "decision", "one answer too few"},
}

// scripted gives the reply of a behaviour that fails, or delays, before any text is made. ok is false when the model
// goes on to answer.
func scripted(e *exchange) (ok bool) {
	first := e.n == 1
	switch name := strings.TrimSuffix(e.model, "-embedding"); name {
	case "no-temperature":
		return e.reject("temperature", "unsupported_value", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.")
	case "new-limit-name":
		return e.reject("max_tokens", "unsupported_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
	case "old-limit-name":
		return e.reject("max_completion_tokens", "", "Unrecognized request argument supplied: max_completion_tokens")
	case "no-effort":
		return e.reject("reasoning_effort", "unsupported_parameter", "Unsupported parameter: 'reasoning_effort' is not supported with this model.")
	case "bad-value":
		e.fail(http.StatusBadRequest, "invalid_value", "temperature", "Invalid 'temperature': must be from 0 to 2.")
	case "content-filter-400":
		e.fail(http.StatusBadRequest, "content_filter", "prompt", "The prompt triggered the content management policy.")
	case "context-length":
		e.fail(http.StatusBadRequest, "context_length_exceeded", "messages", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.")
	case "echo-key":
		e.fail(http.StatusUnauthorized, "invalid_api_key", "", "Incorrect API key provided: "+Key+". You can find your key in your account.")
	case "forbidden":
		e.fail(http.StatusForbidden, "forbidden", "", "Not allowed with "+e.r.Header.Get("Authorization")+e.r.Header.Get("X-Api-Key"))
	case "no-quota":
		e.fail(http.StatusTooManyRequests, "insufficient_quota", "", "You exceeded your current quota.")
	case "error-always":
		e.fail(http.StatusServiceUnavailable, "overloaded", "", "The server is overloaded.")
	case "silent":
		e.silence()
	case "broken-json":
		_, _ = e.w.Write([]byte(`{"choices": [oops`))
	case "limit-seconds", "limit-date", "error-once", "conflict-once", "timeout-once", "cut-once":
		if !first {
			return false
		}
		e.once(name)
	default:
		return false
	}
	return true
}

// once fails a first request in a way that passes.
func (e *exchange) once(name string) {
	switch name {
	case "limit-seconds":
		e.w.Header().Set("Retry-After", "7")
		e.fail(http.StatusTooManyRequests, "rate_limit_exceeded", "", "Slow down.")
	case "limit-date":
		e.w.Header().Set("Retry-After", time.Now().Add(9*time.Second).UTC().Format(http.TimeFormat))
		e.fail(http.StatusTooManyRequests, "rate_limit_exceeded", "", "Slow down.")
	case "error-once":
		e.fail(http.StatusInternalServerError, "server_error", "", "The server had an error.")
	case "conflict-once":
		e.fail(http.StatusConflict, "conflict", "", "Try again.")
	case "timeout-once":
		e.fail(http.StatusRequestTimeout, "timeout", "", "Try again.")
	case "cut-once":
		e.cut()
	}
}

// reject fails a request that has a parameter and lets others through.
func (e *exchange) reject(param, code, message string) bool {
	params := e.params()
	_, has := params[param]
	if param == "reasoning_effort" && params["output_config"] != nil {
		has = true
	}
	if !has {
		return false
	}
	if code == "" {
		e.fail(http.StatusBadRequest, "", "", message)
	} else {
		e.fail(http.StatusBadRequest, code, param, message)
	}
	return true
}
