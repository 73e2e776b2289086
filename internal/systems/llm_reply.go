package systems

import (
	"encoding/json"
	"fmt"
)

// listOf returns the list of texts of a reply: {key: [...]}, or [...] alone. Anything but texts in it is an error, as is
// another shape.
func listOf(raw json.RawMessage, key string) ([]string, error) {
	if raw[0] == '{' {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, fmt.Errorf("read the reply: %w", err)
		}
		value, ok := object[key]
		if !ok {
			return nil, fmt.Errorf("the reply has no %s", key)
		}
		raw = value
	}
	var items []any
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, fmt.Errorf("%s is no list", key)
	}
	list := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("%s holds something else than texts", key)
		}
		list[i] = s
	}
	return list, nil
}
