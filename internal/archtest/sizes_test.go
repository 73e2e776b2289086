package archtest

import (
	"slices"
	"strings"
	"testing"
)

// The budget of lines: a file that is read in one sitting.
const (
	maxLines  = 400 // any file
	maxMedian = 130 // of the files that are not tests
	maxMain   = 30  // cmd/ragbench/main.go, which only starts
)

// TestSizes holds the budget.
func TestSizes(t *testing.T) {
	var sizes []int
	for _, s := range sources(t) {
		if s.lines > maxLines {
			t.Errorf("%s has %d lines, want at most %d: it does more than one thing", s.name, s.lines, maxLines)
		}
		if s.name == "cmd/ragbench/main.go" && s.lines > maxMain {
			t.Errorf("%s has %d lines, want at most %d: move it to internal/cli", s.name, s.lines, maxMain)
		}
		if !strings.HasSuffix(s.name, "_test.go") {
			sizes = append(sizes, s.lines)
		}
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > maxMedian {
		t.Errorf("the median of %d files is %d lines, want at most %d", len(sizes), median, maxMedian)
	}
}
