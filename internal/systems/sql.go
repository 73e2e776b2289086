package systems

import (
	"embed"
	"fmt"
	"io/fs"

	"ragbench/internal/sqlfile"
)

//go:embed *.sql
var files embed.FS

// statements loads NAME.sql and checks that it holds exactly the statements the Go half uses.
func statements(name string, want ...string) sqlfile.Set {
	return sqlfile.MustLoad(files, name+".sql", want...)
}

// SQL returns the text of a system's statements: what a run keeps, to read and to repeat.
func SQL(name string) (string, error) {
	b, err := fs.ReadFile(files, name+".sql")
	if err != nil {
		return "", fmt.Errorf("read the SQL of %s: %w", name, err)
	}
	return string(b), nil
}
