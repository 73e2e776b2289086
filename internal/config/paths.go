package config

import (
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// locate finds a path of the file: in the folder of the file, else in the working folder. It returns the path as
// usable from the working folder, or "" and a problem that names the places.
func (l *loader) locate(where string, n *yaml.Node, p, kind string) string {
	if p == "" || strings.ContainsRune(p, 0) {
		l.fail(n, "%s: want a path, got %q", where, p)
		return ""
	}
	p = filepath.FromSlash(p)
	if l.over.Stored {
		return filepath.Clean(p)
	}
	tries := []string{filepath.Clean(p)}
	if !filepath.IsAbs(p) {
		if beside := filepath.Join(filepath.Dir(l.cfg.File), p); beside != tries[0] {
			tries = []string{beside, tries[0]}
		}
	}
	for _, t := range tries {
		info, err := os.Stat(t)
		if err == nil && fits(info, kind) {
			return t
		}
		if err == nil {
			l.fail(n, "%s: want a %s, but %s is not one", where, kind, t)
			return ""
		}
	}
	if len(tries) == 2 {
		l.fail(n, "%s: found neither %s (beside the file) nor %s (in the working folder)", where, tries[0], tries[1])
	} else {
		l.fail(n, "%s: there is no %s", where, tries[0])
	}
	return ""
}

// locateFlag finds a path of the command line.
func (l *loader) locateFlag(flag, p, kind string) string {
	if l.over.Stored {
		return filepath.Clean(p)
	}
	info, err := os.Stat(p)
	switch {
	case err != nil:
		l.fail(nil, "%s: there is no %s", flag, p)
	case !fits(info, kind):
		l.fail(nil, "%s: want a %s, but %s is not one", flag, kind, p)
	}
	return filepath.Clean(p)
}

// fits says whether what info describes is of a kind: folder, file or either.
func fits(info os.FileInfo, kind string) bool {
	return kind == either || info.IsDir() == (kind == folder)
}
