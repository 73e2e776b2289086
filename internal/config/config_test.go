package config

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBadFiles(t *testing.T) {
	golden(t, "bad", func(file string, data []byte) string {
		_, err := Parse(file, data, known(), Overrides{})
		var e *Error
		if !errors.As(err, &e) {
			return fmt.Sprintf("no *Error: %v", err)
		}
		if !slices.IsSortedFunc(e.Problems, func(a, b Problem) int { return a.Line - b.Line }) {
			return fmt.Sprintf("not sorted by line: %v", e)
		}
		return e.Error()
	})
}

func TestGoodFiles(t *testing.T) {
	golden(t, "good", func(file string, data []byte) string {
		c, err := Parse(file, data, known(), Overrides{})
		if err != nil {
			return err.Error()
		}
		return show(c)
	})
}

// show writes what a file came to.
func show(c *Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %+v\n", c.Run)
	fmt.Fprintf(&b, "dataset %+v\n", filepathsToSlash(c.Dataset))
	fmt.Fprintf(&b, "evaluation %+v\n", c.Evaluation)
	for _, p := range c.Providers {
		fmt.Fprintf(&b, "provider %+v\n", p)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Limits)) {
		fmt.Fprintf(&b, "limits of %s %+v\n", name, c.Limits[name])
	}
	for _, p := range c.Pricing {
		fmt.Fprintf(&b, "price of %s: %v in, %v out, cached %v, as of %q, from %q\n", p.Model, p.Input, p.Output, p.Cached != nil, p.AsOf, p.Source)
	}
	if c.Cache != defaultCache() {
		fmt.Fprintf(&b, "cache %+v\n", c.Cache)
	}
	for _, s := range c.Systems {
		fmt.Fprintf(&b, "line %d: %s depth %d %s\n", s.Line, s.Name, s.Depth, s.Canonical())
	}
	for _, e := range c.Expect {
		fmt.Fprintf(&b, "expect %s %s %v\n", e.System, e.Metric, e.Value)
	}
	for _, i := range c.Ignored {
		fmt.Fprintf(&b, "%s\n", i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func filepathsToSlash(d Dataset) Dataset {
	for _, p := range []*string{&d.Path, &d.Docs, &d.Questions, &d.Qrels} {
		*p = filepath.ToSlash(*p)
	}
	return d
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.yaml"), known(), Overrides{})
	if err == nil || !strings.HasPrefix(err.Error(), "read configuration: ") {
		t.Errorf("got %v, want an error of reading", err)
	}
}
