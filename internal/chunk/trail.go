package chunk

import "strings"

// headingTrail tells which headings are in force at ascending offsets of a text.
type headingTrail struct {
	headings []heading
	lines    [6]string // in force, by level - 1
}

// at returns the lines of the headings in force at off, the highest first. Where the text at off is a heading itself,
// those of its level and below are left out.
func (t *headingTrail) at(s string, off int) string {
	for len(t.headings) > 0 && t.headings[0].start < off {
		h := t.headings[0]
		t.headings = t.headings[1:]
		if h.top {
			t.lines[h.level-1] = strings.Repeat("#", h.level) + " " + h.title
			clear(t.lines[h.level:])
		}
	}
	upTo := len(t.lines)
	if rest := strings.TrimLeft(s[off:], " \t\r\n"); len(t.headings) > 0 && t.headings[0].top && t.headings[0].start <= len(s)-len(rest) {
		upTo = t.headings[0].level - 1
	}
	var out []string
	for _, line := range t.lines[:upTo] {
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
