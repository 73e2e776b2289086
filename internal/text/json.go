package text

import (
	"encoding/json"
	"errors"
	"strings"
)

// ErrUnparsed is the error of a reply that holds no JSON object and no JSON array.
var ErrUnparsed = errors.New("the reply holds no JSON")

// Repair says what had to be done to find the JSON of a model's reply.
type Repair string

// The repairs, in the order they are tried.
const (
	RepairNone     Repair = ""         // the reply is JSON
	RepairFence    Repair = "fence"    // it was the only fenced block of the reply
	RepairEmbedded Repair = "embedded" // it was the first balanced object or array inside other text
)

// JSON finds the JSON object or array that a model was asked for: the whole reply, else its only fenced block, else the
// first balanced object or array that parses. The repair is to be stored with whatever is made of the value; a reply
// without any is ErrUnparsed, and never a default. A bare string or number is no reply.
func JSON(reply string) (json.RawMessage, Repair, error) {
	if v, ok := structure(reply); ok {
		return v, RepairNone, nil
	}
	if block, ok := onlyFence(reply); ok {
		if v, ok := structure(block); ok {
			return v, RepairFence, nil
		}
	}
	for i := 0; i < len(reply); i++ {
		if reply[i] != '{' && reply[i] != '[' {
			continue
		}
		end := balanced(reply[i:])
		if end == 0 {
			continue
		}
		if v, ok := structure(reply[i : i+end]); ok {
			return v, RepairEmbedded, nil
		}
	}
	return nil, "", ErrUnparsed
}

// DecodeJSON is JSON, read into v, whose type the value must have.
func DecodeJSON(reply string, v any) (Repair, error) {
	raw, repair, err := JSON(reply)
	if err != nil {
		return "", err
	}
	return repair, json.Unmarshal(raw, v)
}

// structure returns s when it is one JSON object or array, white space around it aside.
func structure(s string) (json.RawMessage, bool) {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))
	if s == "" || s[0] != '{' && s[0] != '[' || !json.Valid([]byte(s)) {
		return nil, false
	}
	return json.RawMessage(s), true
}

// onlyFence returns the content of the fenced block of s when there is exactly one.
func onlyFence(s string) (string, bool) {
	parts := strings.Split(s, "```")
	if len(parts) != 3 {
		return "", false
	}
	_, content, ok := strings.Cut(parts[1], "\n") // the rest of the opening line names a language
	if !ok || strings.ContainsAny(parts[1][:len(parts[1])-len(content)], "{[") {
		return parts[1], true
	}
	return content, true
}

// balanced returns the length of the object or array that s begins with, 0 when it does not end.
func balanced(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
