package config

import (
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// Cache says which stored replies are used again. Those of the database file always are kept; Path names a second file
// that several database files share.
type Cache struct {
	Enabled         bool   // false: every model is asked again
	Path            string // empty: none; a relative one is taken from the folder of the configuration
	Sampled         bool   // replies at a temperature above 0 are used again, too
	QueryEmbeddings bool   // and vectors of questions, so that their embedding is not timed again
}

func defaultCache() Cache { return Cache{Enabled: true} }

// cache reads the section cache.
func (l *loader) cache(where string, n *yaml.Node) {
	c := &l.cfg.Cache
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		to(&l.reader, &c.Enabled, option{kind: boolean})(where, n)
		return
	}
	l.fields(n, where,
		field{key: "enabled", read: to(&l.reader, &c.Enabled, option{kind: boolean})},
		field{key: "path", read: func(where string, n *yaml.Node) {
			l.nameTo(&c.Path)(where, n)
			if c.Path != "" && !filepath.IsAbs(c.Path) {
				c.Path = filepath.Join(filepath.Dir(l.cfg.File), filepath.FromSlash(c.Path))
			}
		}},
		field{key: "sampled", read: to(&l.reader, &c.Sampled, option{kind: boolean})},
		field{key: "query_embeddings", read: to(&l.reader, &c.QueryEmbeddings, option{kind: boolean})},
		field{key: "ttl_days", read: l.keep("stored replies do not age; ragbench cache clear --older-than removes them")},
	)
}
