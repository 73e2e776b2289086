package archtest

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/systems"
)

// TestSystemsAreComplete wants a NAME.sql, a NAME.go and an entry of the table for each system, and nothing over.
func TestSystemsAreComplete(t *testing.T) {
	files, err := fs.Glob(root, "internal/systems/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".sql"))
	}
	entries := systems.All.Names()
	slices.Sort(entries)
	if diff := cmp.Diff(entries, names); diff != "" {
		t.Errorf("systems.All and internal/systems/*.sql differ (-table +files):\n%s", diff)
	}
	for _, e := range systems.All {
		if _, err := fs.Stat(root, "internal/systems/"+e.Name+".go"); err != nil {
			t.Errorf("system %s: %v", e.Name, err)
		}
		if text, err := systems.SQL(e.Name); err != nil || !strings.HasPrefix(text, "-- ") {
			t.Errorf("system %s: its SQL does not start with a comment that says what it is (%v)", e.Name, err)
		}
		for what, text := range map[string]string{
			"Title": e.Title, "Doc": e.Doc, "Diagram": e.New.Diagram, "Ingestion": e.New.Ingestion, "Cost": e.New.Cost,
			"Latency": e.New.Latency, "Strengths": e.New.Strengths, "WatchOut": e.New.WatchOut,
		} {
			if text == "" {
				t.Errorf("system %s: %s is empty", e.Name, what)
			}
		}
		for _, step := range e.New.Required {
			if !slices.Contains(e.New.Trace, step) {
				t.Errorf("system %s: the required step %s is not in its trace %v", e.Name, step, e.New.Trace)
			}
		}
		if e.New.New == nil || len(e.New.Required) == 0 {
			t.Errorf("system %s: no constructor or no required step", e.Name)
		}
	}
}

// TestSystemParameters wants each system to bind the parameters of its statements and no other. That each statement
// gets as many as it has is checked by database/sql when it runs.
func TestSystemParameters(t *testing.T) {
	want := map[string]map[string]bool{}
	for _, st := range statements(t) {
		if path.Dir(st.file) != "internal/systems" {
			continue
		}
		name := strings.TrimSuffix(path.Base(st.file), ".sql")
		if want[name] == nil {
			want[name] = map[string]bool{}
		}
		parameters(want[name], st.sql)
	}
	for _, s := range sources(t) {
		name := strings.TrimSuffix(path.Base(s.name), ".go")
		if s.pkg != "internal/systems" || want[name] == nil {
			continue
		}
		got := map[string]bool{}
		for n := range bound(s) {
			got[n] = true
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want[name])), slices.Sorted(maps.Keys(got))); diff != "" {
			t.Errorf("%s binds other parameters than %s.sql has (-SQL +Go):\n%s", s.name, name, diff)
		}
	}
}
