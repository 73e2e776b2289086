package config

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// maxDepth bounds how deep nodes are followed: an anchor may contain itself.
const maxDepth = 32

// maxMerges bounds how many merged mappings a file has read.
const maxMerges = 1000

// pair is one entry of a mapping. value is never an alias.
type pair struct {
	key   string
	name  *yaml.Node // where the key stands
	value *yaml.Node
}

// field is one key that a section takes. Null values do not reach read.
type field struct {
	key  string
	also []string // further spellings
	hide bool     // not among the valid names of messages
	read func(where string, value *yaml.Node)
}

// fields reads the mapping n, whose keys must be those of the list. where is the dotted path of n, empty for the file.
func (r *reader) fields(n *yaml.Node, where string, list ...field) {
	seen := map[string]string{} // field to the spelling that was used
	for _, p := range r.pairs(n, where) {
		i := slices.IndexFunc(list, func(f field) bool { return f.key == p.key || slices.Contains(f.also, p.key) })
		if i < 0 {
			r.unknownKey(p, where, keysOf(list))
			continue
		}
		if first, ok := seen[list[i].key]; ok {
			r.fail(p.name, "%s: this is the same setting as %s, give one of them", join(where, p.key), first)
			continue
		}
		seen[list[i].key] = p.key
		if !isNull(p.value) {
			list[i].read(join(where, p.key), p.value)
		}
	}
}

// keysOf lists the keys of fields for a message.
func keysOf(list []field) []string {
	var keys []string
	for _, f := range list {
		if !f.hide {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// unknownKey reports p, a key of the mapping at where that is not among valid.
func (r *reader) unknownKey(p pair, where string, valid []string) {
	err := spec.Unknown("key", p.key, valid)
	if where == "" {
		r.fail(p.name, "%v", err)
	} else {
		r.fail(p.name, "%s: %v", where, err)
	}
}

// pairs returns the entries of mapping n in order, those of merged mappings (<<) last and only where n has no such key
// itself. A null n has none; anything else that is no mapping, and a key given twice, are problems.
func (r *reader) pairs(n *yaml.Node, where string) []pair {
	return r.mergedPairs(n, where, 0)
}

func (r *reader) mergedPairs(n *yaml.Node, where string, depth int) []pair {
	n = resolve(n)
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s: want keys with values, got %s", orFile(where), describe(n))
		return nil
	}
	if depth > 0 {
		r.merged++
	}
	if depth > maxDepth || r.merged > maxMerges {
		r.fail(n, "%s: merged mappings are nested too deeply, or too many", orFile(where))
		return nil
	}
	var own, merged []pair
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		switch {
		case name.Kind == yaml.ScalarNode && name.ShortTag() == "!!merge":
			merged = append(merged, r.merges(value, where, depth)...)
		case name.Kind != yaml.ScalarNode || name.ShortTag() != "!!str":
			r.fail(n.Content[i], "%s: want text as a key, got %s", orFile(where), describe(name))
		case lines[name.Value] > 0:
			r.fail(n.Content[i], "%s: key %q is given twice, first on line %d", orFile(where), name.Value, lines[name.Value])
		default:
			lines[name.Value] = n.Content[i].Line
			own = append(own, pair{key: name.Value, name: n.Content[i], value: value})
		}
	}
	for _, p := range merged {
		if lines[p.key] == 0 {
			lines[p.key] = p.name.Line
			own = append(own, p)
		}
	}
	return own
}

// merges returns the entries of the value of a merge key: one mapping, or a list of mappings of which the first wins.
func (r *reader) merges(value *yaml.Node, where string, depth int) []pair {
	if value.Kind != yaml.SequenceNode {
		return r.mergedPairs(value, where, depth+1)
	}
	var all []pair
	for _, item := range value.Content {
		if before := len(r.problems); r.merged <= maxMerges {
			all = append(all, r.mergedPairs(item, where, depth+1)...)
			if len(r.problems) > before {
				return nil // one problem is enough, and a mapping that merges itself has no end of them
			}
		}
	}
	return all
}

// resolve follows aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.AliasNode && i < maxDepth; i++ {
		n = n.Alias
	}
	return n
}

// isNull says that n stands for no value.
func isNull(n *yaml.Node) bool {
	return n == nil || n.Kind == 0 || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// join puts a key behind the dotted path of its section.
func join(where, key string) string {
	if where == "" {
		return key
	}
	return where + "." + key
}

// orFile names the section at where in a message.
func orFile(where string) string {
	if where == "" {
		return "the file"
	}
	return where
}
