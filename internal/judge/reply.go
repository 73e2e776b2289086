package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"ragbench/internal/text"
)

// maxReason is how much of a judge's reasons is kept, in code points.
const maxReason = 2000

// axisNames are the required numbers of a reply, in the order of Axes.
var axisNames = []string{"correctness", "faithfulness", "completeness", "relevance", "citation_quality"}

// parseReply reads a judge's reply: one JSON object with five numbers, and booleans where it says supported and
// hallucinated. Nothing is guessed: a number in quotes, a boolean as a number and a missing axis are errors, which are
// worded to be shown to the model. A number outside 0..5 is clamped, and the repair says so.
func parseReply(reply string) (Verdict, error) {
	v := Verdict{Status: OK}
	raw, repair, err := text.JSON(reply)
	if err != nil {
		return v, errors.New("it holds no JSON object")
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return v, errors.New("it is a list and no JSON object")
	}
	v.Repair = string(repair)
	values := make([]float64, len(axisNames))
	for i, name := range axisNames {
		n, clamped, err := axis(fields, name)
		if err != nil {
			return v, err
		}
		if clamped {
			v.Repair = strings.TrimPrefix(v.Repair+",clamped "+name, ",")
		}
		values[i] = n
	}
	v.Axes = &Axes{values[0], values[1], values[2], values[3], values[4]}
	if v.Supported, err = boolean(fields, "supported"); err != nil {
		return v, err
	}
	if v.Hallucinated, err = boolean(fields, "hallucinated"); err != nil {
		return v, err
	}
	v.Reason = reason(fields)
	return v, nil
}

// axis reads one number and clamps it to 0..5.
func axis(fields map[string]json.RawMessage, name string) (v float64, clamped bool, err error) {
	raw, ok := fields[name]
	if !ok {
		return 0, false, fmt.Errorf("%s is missing", name)
	}
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		return 0, false, fmt.Errorf("%s is no number but %s", name, short(string(raw), 40))
	}
	c := math.Min(5, math.Max(0, v))
	return c, c != v, nil
}

// boolean reads true, false or nothing.
func boolean(fields map[string]json.RawMessage, name string) (*bool, error) {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var b bool
	if json.Unmarshal(raw, &b) != nil {
		return nil, fmt.Errorf("%s is neither true nor false but %s", name, short(string(raw), 40))
	}
	return &b, nil
}

// reason is what the reply says before the numbers: a text, or an object with a text an axis.
func reason(fields map[string]json.RawMessage) string {
	for _, key := range []string{"reasons", "reasoning", "reason"} {
		raw, ok := fields[key]
		if !ok {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return short(s, maxReason)
		}
		var each map[string]string
		if json.Unmarshal(raw, &each) == nil {
			var list []string
			for _, name := range axisNames {
				if each[name] != "" {
					list = append(list, name+": "+each[name])
				}
			}
			return short(strings.Join(list, "\n"), maxReason)
		}
		return short(string(raw), maxReason)
	}
	return ""
}

// short cuts s to n code points.
func short(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
