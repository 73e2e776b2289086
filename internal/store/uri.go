package store

import (
	"net/url"
	"path/filepath"
	"strings"
)

// fileURI returns the SQLite URI of an absolute path, in which no character of the path is taken for syntax.
func fileURI(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter: file:///C:/…
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
