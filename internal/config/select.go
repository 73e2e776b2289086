package config

import (
	"fmt"
	"slices"
	"strings"

	"ragbench/internal/spec"
)

// Select keeps the systems that only names, or all when only is empty, without those that skip names. A name may stand
// for itself and for its variants: bm25 selects bm25 and bm25[k1=2]. An element may hold several names parted by
// commas; commas within [] belong to the name. The order of the file is kept. A name that matches nothing, and a
// selection of nothing, are errors.
func (c *Config) Select(only, skip []string) error {
	keep, err := c.matches("--only", only)
	if err != nil {
		return err
	}
	drop, err := c.matches("--skip", skip)
	if err != nil {
		return err
	}
	var left []System
	for _, s := range c.Systems {
		if (keep == nil || keep[s.Name]) && !drop[s.Name] {
			left = append(left, s)
		}
	}
	if len(left) == 0 {
		return fmt.Errorf("select systems: --only and --skip leave none of %s", strings.Join(c.names(), ", "))
	}
	c.Systems = left
	return nil
}

// matches returns the names of the systems that any of list stands for, nil when list is empty.
func (c *Config) matches(flag string, list []string) (map[string]bool, error) {
	var found map[string]bool
	for _, element := range list {
		for _, name := range splitNames(element) {
			matched := false
			for _, s := range c.Systems {
				if s.Name == name || strings.HasPrefix(s.Name, name+"[") && strings.HasSuffix(s.Name, "]") {
					if found == nil {
						found = map[string]bool{}
					}
					found[s.Name], matched = true, true
				}
			}
			if !matched {
				return nil, fmt.Errorf("%s: %w", flag, spec.Unknown("system", name, c.names()))
			}
		}
	}
	return found, nil
}

// names lists the names of the systems, then the base names that stand for several variants.
func (c *Config) names() []string {
	var list, bases []string
	for _, s := range c.Systems {
		list = append(list, s.Name)
	}
	for _, name := range list {
		if base, _, ok := strings.Cut(name, "["); ok && !slices.Contains(list, base) && !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	return append(list, bases...)
}

// splitNames splits a list of names at the commas outside [] and drops empty names.
func splitNames(s string) []string {
	var list []string
	depth, start := 0, 0
	cut := func(end int) {
		if name := strings.TrimSpace(s[start:end]); name != "" {
			list = append(list, name)
		}
		start = end + 1
	}
	for i, c := range s {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth = max(0, depth-1)
		case c == ',' && depth == 0:
			cut(i)
		}
	}
	cut(len(s))
	return list
}
