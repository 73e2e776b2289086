// Package queries embeds the analyses: one SQL statement a file, named after the file, over the views of the file. Each
// runs in the stock sqlite3 shell as it stands, where a parameter that is not set is NULL and means its default.
package queries

import (
	"embed"
	"io/fs"
	"sync"

	"ragbench/internal/spec"
	"ragbench/internal/sqlfile"
)

//go:embed *.sql
var files embed.FS

// All returns the analyses by name. The slice is shared: callers do not change it. A fault in a file is a programming
// error and panics.
var All = sync.OnceValue(func() []sqlfile.Query {
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		panic(err)
	}
	qs := make([]sqlfile.Query, len(names))
	for i, name := range names {
		if qs[i], err = sqlfile.ParseQuery(files, name); err != nil {
			panic(err)
		}
	}
	return qs
})

// Find returns the analysis called name. The error of an unknown name lists the valid ones and the nearest.
func Find(name string) (sqlfile.Query, error) {
	var names []string
	for _, q := range All() {
		if q.Name == name {
			return q, nil
		}
		names = append(names, q.Name)
	}
	return sqlfile.Query{}, spec.Unknown("query", name, names)
}
